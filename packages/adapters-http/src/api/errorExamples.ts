import type { Details } from "./ErrorBody.ts"
import { type ErrorCode, errorCodes } from "./errorCodes.ts"

const operationId = "op_01k9j8n3q5s7u9w1y3a5c7e9g1"
const withOperation: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "X_REMOTE_ACCEPTED_RECONCILING",
  "X_WRITE_OUTCOME_PENDING",
  "X_WRITE_NEEDS_RECONCILIATION",
  "IDEMPOTENCY_KEY_CONFLICT",
  "PLATFORM_RATE_LIMITED"
])

const confirmation = { path: "x_backfill.confirmation_token", message: "has expired: ask again without it" }
const fault = { path: "limit", message: "must be an integer from 1 to 100" }

const postFault = {
  path: "targets[0].text",
  code: "exceeds_max_length",
  message: "The text has 300 characters; X takes 280.",
  actual: 300,
  limit: 280
}

/** Issues of posts also say what was found and what is allowed. */
const ofPost = (status: string, code: ErrorCode): Details | undefined => {
  if (code === "ACTION_NOT_AVAILABLE") return { reason: "not_supported" }
  if (code === "PLATFORM_RATE_LIMITED") return { network_code: "4" }
  if (code === "PLATFORM_ERROR") {
    return status === "502" ? { network_code: null } : { network_code: "100/33", reason: "other" }
  }
  return code === "X_RECONNECT_REQUIRED" ? { missing_scopes: ["threads_delete"] } : undefined
}

/** What is done with items, without an operation. */
const isModeration = (path: string): boolean => /^\/v1\/inbox\/\{id\}(\/(un)?(hide|like))?$/.test(path)

const moderationSentences: Partial<Record<ErrorCode, string>> = {
  ACTION_NOT_AVAILABLE: "This can't be done with the item (own_item). Its capabilities say what can.",
  X_RECONNECT_REQUIRED: "Connect the account again, with pages_manage_engagement. Nothing was done.",
  PLATFORM_RATE_LIMITED: "The network limits the rate. Make the same request again later."
}

const moderationSentence = (status: string, code: ErrorCode): string | undefined =>
  code === "PLATFORM_ERROR"
    ? status === "502"
      ? "The network did not say in time what it did. The same request may be made again."
      : "The network refused it (other)."
    : moderationSentences[code]

const detailsOf = (path: string, status: string, code: ErrorCode): Details | undefined => {
  if (code === "VALIDATION_ERROR" && path.startsWith("/v1/posts")) return { issues: [postFault] }
  if (code === "VALIDATION_ERROR" || code === "validation_error") {
    return { issues: [status === "409" ? confirmation : fault] }
  }
  if (code === "NETWORK_NOT_CONFIGURED") return { settings: ["LOOPBOX_INSTAGRAM_APP_ID"] }
  if (path.endsWith("/check")) {
    if (code === "PLATFORM_RATE_LIMITED") return { network_code: "4" }
    if (code === "PLATFORM_ERROR") return { network_code: null, reason: "upstream" }
  }
  if (path.startsWith("/v1/posts")) return ofPost(status, code)
  if (code === "ACCOUNT_CHECK_FAILED") return { reason: "token_invalid" }
  if (code === "INBOX_SCOPE_INVALID") return { reason: "unknown_scope" }
  if (code === "PLAN_FEATURE_NOT_AVAILABLE") return { required_plan: "basic" }
  if (code === "gif_conversion_rate_limit_exceeded") return { reset_at: "2026-11-22T07:00:00.000Z", limit: 10 }
  if (path.endsWith("/media-context")) return code === "NOT_FOUND" ? { reason: "parent_gone" } : undefined
  if (code === "ACTION_NOT_AVAILABLE") return { reason: "own_item" }
  if (isModeration(path)) {
    if (code === "PLATFORM_ERROR") return { network_code: status === "502" ? null : "200", reason: "other" }
    if (code === "X_RECONNECT_REQUIRED") return { missing_scopes: ["pages_manage_engagement"] }
    if (code === "PLATFORM_RATE_LIMITED") return undefined
  }
  if (code === "PLATFORM_ERROR") {
    return status === "502"
      ? { operation_id: operationId, network_code: null, reason: "unreachable" }
      : { operation_id: operationId, network_code: "190", reason: "blocked" }
  }
  if (code === "X_RECONNECT_REQUIRED") return { operation_id: operationId, missing_scopes: ["tweet.write"] }
  if (withOperation.has(code)) return { operation_id: operationId }
  return code === "media_processing_capacity_exceeded" ? { limit: 1 } : undefined
}

/** What is not there, by what the end of its path names. */
const absent: ReadonlyArray<readonly [ending: RegExp, sentence: string]> = [
  [/\/media-context$/, "The post of this item is no longer available."],
  [/outbound-operations\/\{\w+\}$/, "There is no such operation in this scope."],
  [/\/inbox\/sync\/\{id\}$/, "There is no such sync in this scope."],
  [/\/inbox\/sync$/, "There is no such X account in this scope."],
  [/^\/v1\/inbox\//, "There is no such item in this scope."],
  [/^\/v1\/connect\/sessions$/, "There is no such account in this scope."],
  [/^\/v1\/connect\/sessions\/\{id\}$/, "There is no such connect session in this scope."],
  [/^\/v1\/posts\/.*\/targets\//, "The post has no such target."],
  [/^\/v1\/posts\//, "There is no such post in this scope."],
  [/^\/v1\/accounts\//, "There is no such account in this scope."],
  [/\/dashboard-tokens$/, "Dashboard tokens come from the identity provider, not from here."],
  [/\/members\/\{user_id\}$/, "There is no such member in this workspace."],
  [/\/api-keys\/\{key_id\}$/, "There is no such key in this workspace."],
  [/\/managed-users\/\{external_user_id\}$/, "There is no such managed user in this workspace."],
  [/\/social-accounts\/\{account_id\}$/, "There is no such account in this workspace."],
  [/^\/v1\/admin\/workspaces/, "There is no such workspace."]
]

const unauthorized: ReadonlyArray<readonly [beginning: string, sentence: string]> = [
  ["/v1/admin/", "Give the admin token: Authorization: Bearer …"],
  ["/v1/webhooks/", "The signature is absent or wrong."]
]

/** What a person is told at this path, where it is not what the code's own sentence says. */
const sentenceAt = (path: string, status: string, code: ErrorCode): string | undefined => {
  if (isModeration(path)) {
    const sentence = moderationSentence(status, code)
    if (sentence !== undefined) return sentence
  }
  const isMedia = path === "/v1/media" || path.endsWith("/content")
  switch (code) {
    case "NOT_FOUND":
      return absent.find(([ending]) => ending.test(path))?.[1]
    case "UNAUTHORIZED":
      return unauthorized.find(([beginning]) => path.startsWith(beginning))?.[1]
    case "VALIDATION_ERROR":
      return status === "409" ? `The request is not valid: ${confirmation.path} ${confirmation.message}.` : undefined
    case "PLATFORM_RATE_LIMITED":
      return path.endsWith("/check") ? "Instagram limits the rate. Check the account again later." : undefined
    case "PLATFORM_ERROR":
      if (path.endsWith("/check")) return "Instagram could not be asked about the account. Try again soon."
      if (path.endsWith("/media-context")) return "The network could not be asked for the post. Try again soon."
      return status === "502"
        ? "The network could not be reached (unreachable). Nothing was sent; the same request may be made again."
        : undefined
    case "PAYLOAD_TOO_LARGE":
      if (path.startsWith("/v1/webhooks/")) return "A delivery may have 4 MiB."
      return isMedia ? "A file may have at most 4294967296 bytes." : undefined
    case "UNSUPPORTED_MEDIA_TYPE":
      return isMedia ? "The bytes are image/png, but another Content-Type was declared." : undefined
    default:
      return undefined
  }
}

/** An error of this code as it is answered at this path. */
export const errorExample = (path: string, status: string, code: ErrorCode) => {
  const details = detailsOf(path, status, code)
  const message = sentenceAt(path, status, code) ?? errorCodes[code].sentence
  return {
    error: { code, message, ...(details === undefined ? {} : { details }) },
    request_id: "req_01k9j8m2x4v6q8s0t2w4y6z8ab"
  }
}
