import type { NoAnswerReason } from "@loopbox/core/outgoing/OutgoingDelivery"
import * as Predicate from "effect/Predicate"

/** Codes of OpenSSL and of Node's own check of names. */
const tls =
  /^(CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|INVALID_\w+|HOSTNAME_MISMATCH|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO)$/

/** Causes wrap each other; a chain that is longer tells nothing more. */
const deepest = 8

/** What undici failed with, by the codes that it and Node have. */
export const postFailure = (cause: unknown, depth = 0): NoAnswerReason => {
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
