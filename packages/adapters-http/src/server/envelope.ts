/** Answers that no endpoint gave: code and sentence by status. */
const refusals: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ["VALIDATION_ERROR", "The request cannot be read."],
  401: ["UNAUTHORIZED", "The signature is absent or wrong."],
  403: ["FORBIDDEN", "The token or the challenge is wrong."],
  404: ["NOT_FOUND", "There is nothing at this path."],
  405: ["METHOD_NOT_ALLOWED", "This path does not take this method."],
  408: ["REQUEST_TIMEOUT", "The request did not come in time."],
  413: ["PAYLOAD_TOO_LARGE", "The body is too large."],
  415: ["UNSUPPORTED_MEDIA_TYPE", "This Content-Type is not taken here."],
  426: ["UPGRADE_REQUIRED", "This path takes WebSockets only."],
  431: ["HEADERS_TOO_LARGE", "The request's headers are too large."],
  503: ["TEMPORARILY_UNAVAILABLE", "The service cannot answer this now. Try again soon."]
}

/** The error envelope for a status alone. */
export const envelopeOf = (status: number, request_id: string) => {
  const [code, message] = refusals[status] ?? ["INTERNAL_ERROR", "Something went wrong on our side."]
  return { error: { code, message }, request_id }
}

/** Headers of every answer. */
export const securityHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY"
} as const

/** Headers of an answer that says nothing else: it is not to be kept, and nothing in it runs. */
export const apiHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'"
} as const
