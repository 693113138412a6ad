import type { ErrorCode } from "./errorCodes.ts"

interface Remedy {
  /** Why an answer has this code. */
  readonly cause: string
  /** What the caller does then; whether the same request may be made again. */
  readonly remedy: string
}

/**
 * What the guide says of every code (docs/guides/limits-and-errors.md is made from it by `npm run docs:guides`). Markdown.
 * The sentence of an answer itself stands in errorCodes.
 */
export const errorRemedies: Record<ErrorCode, Remedy> = {
  X_REMOTE_ACCEPTED_RECONCILING: {
    cause: "The network has taken the reply, and its item is not here yet. This is a success.",
    remedy: "Wait for the item by the socket, or read the operation. Do not send the reply again."
  },
  VALIDATION_ERROR: {
    cause:
      "Something in the path, the query, the headers or the body is not as it must be. 409: the confirmation of a backfill has ended, or is for another one.",
    remedy:
      "`details.issues` names every fault by its path: correct them all. The same request fails again. 409: ask without it for a new one."
  },
  INBOX_SCOPE_REQUIRED: {
    cause: "An inbox request with an API key names no scope.",
    remedy: "Add `inbox_scope=managed_user&external_user_id=…`, or `inbox_scope=workspace`."
  },
  INBOX_SCOPE_INVALID: {
    cause:
      "The scope is unknown, or does not go with the other parameters or the path; `details.reason` says which of these it is.",
    remedy:
      "`external_user_id` belongs to `managed_user` and to nothing else; webhook endpoints take `workspace` alone. Correct the query."
  },
  UNAUTHORIZED: {
    cause:
      "The API key, dashboard token or admin token is absent, malformed, revoked, expired, or of an erased workspace; a dashboard token names no workspace, or another one than the request (the message says which); a signed address was changed; or a network's webhook is signed with another secret.",
    remedy:
      "Send a valid one in `Authorization: Bearer …`, with `X-Workspace-Id` where a dashboard token has no claim of a workspace. A browser asks its backend for a new token. Use signed addresses as they were given."
  },
  PLAN_FEATURE_NOT_AVAILABLE: {
    cause: "The workspace's plan does not include the inbox, or not this source.",
    remedy: "`details.required_plan` is the least plan that has it. An administrator changes the plan."
  },
  FORBIDDEN: {
    cause:
      "A network's handshake came with another token than the host has; or a page that is not the console's asked it for something.",
    remedy:
      "Compare `LOOPBOX_…_VERIFY_TOKEN` with what was entered at the network. Open the console by its own address."
  },
  API_KEY_REQUIRED: {
    cause: "A dashboard token was used for something that only a server may do.",
    remedy: "Make this request from your backend, with an API key."
  },
  API_KEY_CREATOR_REQUIRED: {
    cause: "Workspace scope was asked with a key that nobody created who is admin or owner now.",
    remedy: "Make a key whose creator is an admin or owner of the workspace, or use `managed_user` scope."
  },
  INSUFFICIENT_ROLE: {
    cause: "The member is neither admin nor owner of the workspace, and this takes one.",
    remedy: "Ask an admin, or give the member the role."
  },
  NOT_FOUND: {
    cause: "Nothing is at this path, or it is not in the workspace and scope of the request.",
    remedy:
      "Check the id and the scope. What belongs to another scope answers the same, so that nobody learns that it exists."
  },
  MANAGED_USER_NOT_FOUND: {
    cause: "`external_user_id` names nobody of this workspace. Ids are compared exactly, upper and lower case too.",
    remedy: "A managed user exists from the moment that an account of theirs is connected, or that you create them."
  },
  METHOD_NOT_ALLOWED: {
    cause: "The path exists, and does not take this method.",
    remedy: "The header `Allow` lists what it takes."
  },
  REQUEST_TIMEOUT: {
    cause: "The body did not come within its time.",
    remedy: "Make the request again over a better connection; nothing was done."
  },
  ALREADY_EXISTS: {
    cause: "The workspace has this account already.",
    remedy: "Use the existing one, or change its credentials with `PATCH`."
  },
  NETWORK_NOT_CONFIGURED: {
    cause: "The host has no app at this network.",
    remedy: "`details.settings` names what is missing. See [going live](going-live.md)."
  },
  ENDPOINT_DISABLED: {
    cause:
      "The webhook endpoint is disabled: by a request, by its answer 410, or after five days of nothing but failures.",
    remedy: "`PATCH` it with `status: enabled` once the receiver is well again, then ask again."
  },
  ACCOUNT_DISCONNECTED: {
    cause: "The account was disconnected, by you or by the person at the network.",
    remedy: "Let the person connect it again; it keeps its id and its items."
  },
  PUBLIC_URL_REQUIRED: {
    cause: "A network has to load files from this host, and the host does not know an address at which it can.",
    remedy: "Set `LOOPBOX_PUBLIC_URL` to an https address that is reachable from outside."
  },
  POST_NOT_EDITABLE: {
    cause: "The post's status does not allow this change.",
    remedy: "Read the post: a draft may be changed, a scheduled one may get another time or be canceled."
  },
  POST_ALREADY_PUBLISHING: {
    cause: "Every target of the post has begun.",
    remedy: "What is published can only be deleted at its network, target by target."
  },
  TARGET_NOT_RETRYABLE: {
    cause: "The target has not failed, or would fail again for the same reason.",
    remedy: "Read its `failure`. Make a new post for what can't be repaired."
  },
  ACTION_NOT_AVAILABLE: {
    cause: "This can't be done with the item or target now; `details.reason` says why.",
    remedy: "Offer only what stands in the item's `capabilities`."
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    cause: "The same `Idempotency-Key` came before with another input.",
    remedy: "One key for one thing that you want: make a new one, and keep it with what you store."
  },
  X_WRITE_OUTCOME_PENDING: {
    cause: "It is not known yet whether the network has the reply. Loopbox looks for it.",
    remedy: "Read the operation, or repeat the request with the same key. Never send it with a new one."
  },
  X_WRITE_NEEDS_RECONCILIATION: {
    cause: "Loopbox looked until its deadline and could not learn whether the network has the reply.",
    remedy: "Look at the network. If it is not there, answer again with a new key."
  },
  X_RECONNECT_REQUIRED: {
    cause: "The account's credential lacks a permission, or has ended.",
    remedy: "Let the person connect the account again. `details.missing_scopes` says what to ask for."
  },
  PRECONDITION_FAILED: {
    cause: "The file is not the one that `If-Match` names.",
    remedy: "Read it again without the header, or with its present `ETag`."
  },
  PAYLOAD_TOO_LARGE: {
    cause: "The body, or the upload, is larger than this path takes.",
    remedy: "See the limits above. Files go to `POST /v1/media` as bytes, never within JSON."
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: "The body has another type than this path takes, or the upload is no type that is kept.",
    remedy: "Send JSON as `application/json`, and a file with its own type."
  },
  RANGE_NOT_SATISFIABLE: {
    cause: "The range lies outside of the file.",
    remedy: "`Content-Range` says how long it is."
  },
  ACCOUNT_CHECK_FAILED: {
    cause: "The network does not accept the token that was pasted, or it belongs to another account.",
    remedy: "`details.reason` says what is wrong. Nothing was stored."
  },
  PLATFORM_ERROR: {
    cause: "422: the network refused it. 502: the network could not be reached, or did not say what it did.",
    remedy:
      "422: nothing was done, and the same would be refused again; `details.network_code` is the network's own. 502: the same request may be made again, with the same key."
  },
  UPGRADE_REQUIRED: {
    cause: "The path is a WebSocket, and this was an ordinary request.",
    remedy: "Open it with a WebSocket client, version 13."
  },
  RATE_LIMITED: {
    cause: "Too many requests with this key, or too many from this address whose key or token did not count.",
    remedy: "Wait for `Retry-After` seconds. `RateLimit-Remaining` tells of a key before it happens."
  },
  PLATFORM_RATE_LIMITED: {
    cause: "The network limits how often this account may do it. Nothing was sent.",
    remedy: "Make the same request again after `Retry-After` seconds, with the same key."
  },
  HEADERS_TOO_LARGE: {
    cause: "The request's line and headers are larger than 16 KiB.",
    remedy: "Send fewer; a cursor or a token is the usual cause."
  },
  INTERNAL_ERROR: {
    cause: "A fault of ours. It was logged with the request's id.",
    remedy: "Try again. If it stays, report the `request_id`."
  },
  INBOX_SCOPE_LOOKUP_FAILED: {
    cause:
      "The store, or your `identity`, did not answer while it was looked up who asks, and for what. Nothing has run.",
    remedy: "Make the same request again after `Retry-After` seconds."
  },
  TEMPORARILY_UNAVAILABLE: {
    cause:
      "The store, or what else is needed, does not answer now, or the host is about to stop. Of a network's webhook: its secret or verify token is not set here.",
    remedy:
      "Make the same request again after `Retry-After` seconds; writes with their `Idempotency-Key`. For webhooks set what [going live](going-live.md) names."
  },
  not_found: {
    cause: "No such job is in this workspace.",
    remedy: "Check the id and the key's workspace. Ended jobs are kept as long as the plan says."
  },
  media_not_found: {
    cause: "No such file is in this workspace; it may have reached the end of its time.",
    remedy: "Upload it again. The table of plans says how long files are kept."
  },
  idempotency_conflict: {
    cause: "The same `Idempotency-Key` came before with another input.",
    remedy: "Use a new key for a new job."
  },
  input_media_unavailable: {
    cause: "The record exists, and its bytes do not: the upload was never finished, or the file is gone.",
    remedy: "Finish the upload, or upload the file again."
  },
  job_already_ended: {
    cause: "The job has ended, so that nothing can be canceled.",
    remedy: "Read it: it has its result, or why it failed."
  },
  media_in_use: {
    cause: "A job, a reply or a post that has not ended uses the file.",
    remedy: "Wait for its end, or cancel it, and delete the file then."
  },
  media_not_ready: {
    cause: "The upload is not finished, so there are no bytes to read.",
    remedy: "`PUT` the bytes to the record's `upload_url` first."
  },
  upload_already_finished: {
    cause: "The upload has its bytes; they are never replaced.",
    remedy: "Go on with this record, or make a new one for another file."
  },
  upload_expired: {
    cause: "The signed `upload_url` is past its time.",
    remedy: "Read the record: it has a new one as long as it waits for its bytes."
  },
  validation_error: {
    cause: "Something in a media request is not as it must be.",
    remedy: "`details.issues` names every fault by its path: correct them all."
  },
  gif_media_required: { cause: "`gif_media_id` is absent or blank.", remedy: "Name the uploaded GIF." },
  invalid_background_color: {
    cause: "`background_color` is no colour of the form `#RRGGBB`.",
    remedy: "Six hexadecimal digits after `#`; without it the background is white."
  },
  gif_size_exceeded: {
    cause: "The GIF is larger than 50 MiB.",
    remedy: "Make it smaller; fewer colours or frames help most."
  },
  video_media_id_required: { cause: "`video_media_id` is absent or blank.", remedy: "Name the video." },
  audio_media_id_required: { cause: "`audio_media_id` is absent or blank.", remedy: "Name the file with the sound." },
  video_stream_required: {
    cause: "The file that was named as the video has no moving picture.",
    remedy: "Name an MP4, MOV or WebM with a picture."
  },
  audio_stream_required: {
    cause: "The file that was named as the sound has none.",
    remedy: "Name an audio file, or a video with a sound track."
  },
  media_size_exceeded: {
    cause: "An input of the audio overlay is larger than it may be.",
    remedy: "The message names the file and its bound."
  },
  media_processing_capacity_exceeded: {
    cause: "The workspace has as many active media jobs as its plan allows.",
    remedy: "Wait until one has ended, and submit again with the same key. The refused submit has used nothing up."
  },
  gif_conversion_rate_limit_exceeded: {
    cause: "The plan's conversions of the last 24 hours are used up.",
    remedy: "`details.reset_at` says when one more is admitted; so does `Retry-After`, in seconds."
  },
  media_processing_unavailable: {
    cause: "The store or the files can't be reached now.",
    remedy: "Make the same request again after `Retry-After` seconds, with the same key."
  }
}
