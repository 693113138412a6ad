import { type ErrorCode, errorCodes, statusOf } from "../../api/errorCodes.ts"
import { unavailableCodeOf } from "./storeRefusals.ts"

/** Answers that no endpoint gave have nothing but their status. */
const bare: ReadonlyArray<readonly [code: ErrorCode, message: string]> = [
  ["VALIDATION_ERROR", "The request cannot be read."],
  ["UNAUTHORIZED", "The signature is absent or wrong."],
  ["FORBIDDEN", errorCodes.FORBIDDEN.sentence],
  ["NOT_FOUND", errorCodes.NOT_FOUND.sentence],
  ["METHOD_NOT_ALLOWED", errorCodes.METHOD_NOT_ALLOWED.sentence],
  ["REQUEST_TIMEOUT", "The request did not come in time."],
  ["PAYLOAD_TOO_LARGE", "The body is too large."],
  ["UNSUPPORTED_MEDIA_TYPE", "This Content-Type is not taken here."],
  ["UPGRADE_REQUIRED", "This path takes WebSockets only."],
  ["HEADERS_TOO_LARGE", errorCodes.HEADERS_TOO_LARGE.sentence]
]
const refusals = new Map<number, { readonly code: ErrorCode; readonly message: string }>(
  bare.map(([code, message]) => [statusOf(code), { code, message }])
)
const broken = { code: "INTERNAL_ERROR", message: errorCodes.INTERNAL_ERROR.sentence } as const

const unavailable = (pattern: string) => {
  const code = unavailableCodeOf(pattern)
  return { code, message: errorCodes[code].sentence }
}

/** The error envelope for a status alone; `pattern` is that of the path, which has the code of its group while a host stops. */
export const envelopeOf = (status: number, request_id: string, pattern: string) => ({
  error: status === 503 ? unavailable(pattern) : (refusals.get(status) ?? broken),
  request_id
})

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
