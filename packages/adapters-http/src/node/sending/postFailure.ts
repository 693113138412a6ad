import * as Predicate from "effect/Predicate"

/** Why nothing came back, as it is shown to who owns the endpoint. */
export type PostFailureCode =
  /** The URL leads to an address that may not be connected to. */
  | "address_refused"
  /** Its name has no address. */
  | "address_unresolved"
  | "connection_refused"
  /** The connection broke, or was never made. */
  | "connection_failed"
  /** TLS was not agreed, or the certificate is not the name's. */
  | "tls_failed"
  /** What came back is no HTTP, or has more headers than 16 KiB. */
  | "answer_invalid"
  /** No status and headers within 15 seconds. */
  | "timeout"

/** Codes of OpenSSL and of Node's own check of names. */
const tls =
  /^(CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|INVALID_\w+|HOSTNAME_MISMATCH|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO)$/

/** Causes wrap each other; a chain that is longer tells nothing more. */
const deepest = 8

/** What undici failed with, by the codes that it and Node have. */
export const postFailure = (cause: unknown, depth = 0): PostFailureCode => {
  if (!Predicate.isObject(cause) || depth > deepest) return "connection_failed"
  const code = cause["code"]
  if (typeof code === "string") {
    if (code === "ECONNREFUSED") return "connection_refused"
    if (code === "ETIMEDOUT" || code === "UND_ERR_CONNECT_TIMEOUT") return "timeout"
    if (tls.test(code)) return "tls_failed"
    if (code === "UND_ERR_HEADERS_OVERFLOW") return "answer_invalid"
  }
  // Some errors of its parser have no code.
  if (cause["name"] === "HTTPParserError") return "answer_invalid"
  return postFailure(cause["cause"], depth + 1)
}
