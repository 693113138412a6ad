import * as Predicate from "effect/Predicate"

/** What happens before a connection stands; whatever fails there has told the network nothing. */
const beforeConnected: ReadonlySet<unknown> = new Set(["getaddrinfo", "connect"])

/** Failures of the handshake, by the codes that Node has for them: no byte of a request was written. */
const handshakeCode =
  /^(UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_\w+|ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|TLSV1_ALERT_PROTOCOL_VERSION|SSLV3_ALERT_HANDSHAKE_FAILURE|PACKET_LENGTH_TOO_LONG))$/

/** Causes wrap each other; a chain that is longer tells nothing more. */
const deepest = 8

/**
 * Whether a failed request was surely never written: the name did not resolve, the connection was refused, TLS was not
 * agreed (social-networks.md §3.2). Everything else, a reset first of all, may have come after the last byte.
 */
export const neverSent = (cause: unknown, depth = 0): boolean => {
  if (!Predicate.isObject(cause) || depth > deepest) return false
  const { code, syscall } = { code: cause["code"], syscall: cause["syscall"] }
  if (beforeConnected.has(syscall) || (typeof code === "string" && handshakeCode.test(code))) return true
  // One attempt for each address of a name.
  const attempts = cause["errors"]
  if (Array.isArray(attempts) && attempts.length > 0) return attempts.every((one) => neverSent(one, depth + 1))
  return neverSent(cause["cause"], depth + 1)
}
