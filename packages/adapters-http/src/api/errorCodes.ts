interface Refusal {
  /** The one that it has unless an endpoint says otherwise stands first. */
  readonly statuses: readonly [status: number, ...others: ReadonlyArray<number>]
  /** What a person is told where the refusal has nothing of its own to say; and the document's example. */
  readonly sentence: string
}

/**
 * Every code of an error, with its statuses and its sentence (api.md §1–§8): the only place that says which status a code
 * has. Codes in lower case belong to media and conversions.
 */
export const errorCodes = {
  // A reply that the network has is a success that lacks its item.
  X_REMOTE_ACCEPTED_RECONCILING: {
    statuses: [202],
    sentence: "The network has the reply; its item will follow by itself. Do not send it again."
  },

  // 409: a confirmation that was good once, or for another input.
  VALIDATION_ERROR: {
    statuses: [400, 409],
    sentence: "The request is not valid: limit must be an integer from 1 to 100."
  },
  INBOX_SCOPE_REQUIRED: {
    statuses: [400],
    sentence: "Name the scope: inbox_scope=managed_user with external_user_id, or workspace."
  },
  INBOX_SCOPE_INVALID: { statuses: [400], sentence: "inbox_scope must be managed_user or workspace." },
  UNAUTHORIZED: {
    statuses: [401],
    sentence: "Give a valid API key or dashboard token: Authorization: Bearer …"
  },
  PLAN_FEATURE_NOT_AVAILABLE: {
    statuses: [402],
    sentence: "The workspace's plan does not have this part of the inbox."
  },
  FORBIDDEN: { statuses: [403], sentence: "The token or the challenge is wrong." },
  API_KEY_REQUIRED: { statuses: [403], sentence: "This takes an API key only." },
  API_KEY_CREATOR_REQUIRED: {
    statuses: [403],
    sentence: "Workspace scope needs a key whose creator is admin or owner."
  },
  INSUFFICIENT_ROLE: {
    statuses: [403],
    sentence: "This needs a member who is admin or owner of the workspace."
  },
  NOT_FOUND: { statuses: [404], sentence: "There is nothing at this path." },
  MANAGED_USER_NOT_FOUND: { statuses: [404], sentence: "There is no such managed user in this workspace." },
  METHOD_NOT_ALLOWED: { statuses: [405], sentence: "This path does not take this method." },
  REQUEST_TIMEOUT: { statuses: [408], sentence: "The body did not come in time." },
  ALREADY_EXISTS: { statuses: [409], sentence: "The workspace has connected this account already." },
  NETWORK_NOT_CONFIGURED: {
    statuses: [409],
    sentence: "This host has no app of Instagram: it lacks LOOPBOX_INSTAGRAM_APP_ID."
  },
  ENDPOINT_DISABLED: {
    statuses: [409],
    sentence: "The webhook endpoint is disabled. Enable it first."
  },
  ACCOUNT_DISCONNECTED: {
    statuses: [409],
    sentence: "The account is disconnected. Connect it again first."
  },
  PUBLIC_URL_REQUIRED: {
    statuses: [409],
    sentence: "Instagram can't load files from this machine's own address. Set LOOPBOX_PUBLIC_URL."
  },
  POST_NOT_EDITABLE: {
    statuses: [409],
    sentence:
      "The post's status does not allow this: a draft can be changed and published, of a scheduled post only the time can be changed, and only a draft or a post that has ended can be deleted."
  },
  POST_ALREADY_PUBLISHING: {
    statuses: [409],
    sentence: "Every target has begun; nothing is left that could be canceled."
  },
  TARGET_NOT_RETRYABLE: {
    statuses: [409],
    sentence: "The target did not fail, or publishing it again would fail again."
  },
  ACTION_NOT_AVAILABLE: {
    statuses: [409],
    sentence: "This network has no call that deletes posts. Delete it in its app."
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    statuses: [409],
    sentence: "This Idempotency-Key came before with another text for this item."
  },
  X_WRITE_OUTCOME_PENDING: {
    statuses: [409],
    sentence:
      "It is not known yet whether the reply was posted. Read the operation, or repeat the request with its key."
  },
  X_WRITE_NEEDS_RECONCILIATION: {
    statuses: [409],
    sentence: "It never became known whether the reply was posted. Look at the network before you answer again."
  },
  X_RECONNECT_REQUIRED: {
    statuses: [409],
    sentence: "Connect the account again, with tweet.write. Nothing was sent."
  },
  PRECONDITION_FAILED: { statuses: [412], sentence: "The file is not the one that If-Match names." },
  PAYLOAD_TOO_LARGE: { statuses: [413], sentence: "A JSON body may have at most 1 MiB." },
  UNSUPPORTED_MEDIA_TYPE: { statuses: [415], sentence: "Send the body as application/json." },
  RANGE_NOT_SATISFIABLE: { statuses: [416], sentence: "The file has 48213 bytes." },
  // 422: the network refused. 502: it could not be reached.
  ACCOUNT_CHECK_FAILED: {
    statuses: [422],
    sentence: "The network does not accept the token. Nothing was stored; give a valid one."
  },
  PLATFORM_ERROR: {
    statuses: [422, 502],
    sentence: "The network refused the reply (blocked). Nothing was posted."
  },
  UPGRADE_REQUIRED: {
    statuses: [426],
    sentence: "This path takes WebSockets only: Upgrade: websocket, version 13."
  },
  RATE_LIMITED: { statuses: [429], sentence: "Too many requests with this key. Slow down." },
  PLATFORM_RATE_LIMITED: {
    statuses: [429],
    sentence: "The network limits the rate. Nothing was sent; make the same request again later."
  },
  HEADERS_TOO_LARGE: { statuses: [431], sentence: "The request's headers are too large." },
  INTERNAL_ERROR: { statuses: [500], sentence: "Something went wrong on our side." },
  INBOX_SCOPE_LOOKUP_FAILED: {
    statuses: [500],
    sentence: "The scope could not be looked up now. Nothing has run: try again."
  },
  TEMPORARILY_UNAVAILABLE: {
    statuses: [503],
    sentence: "The service cannot answer this now. Try again soon."
  },

  not_found: { statuses: [404], sentence: "There is no such job in this workspace." },
  media_not_found: { statuses: [404], sentence: "There is no such media in this workspace." },
  idempotency_conflict: {
    statuses: [409],
    sentence: "This Idempotency-Key came before with another input and made the job mpj_01k9j8m2x4v6q8s0t2w4y6z8ab."
  },
  input_media_unavailable: {
    statuses: [409],
    sentence: "The upload is not finished, or its bytes are gone. Upload the file again."
  },
  job_already_ended: { statuses: [409], sentence: "The job has ended; there is nothing to cancel." },
  media_in_use: {
    statuses: [409],
    sentence: "A media job or a post that has not ended uses this file. Wait until it has ended, or cancel it."
  },
  media_not_ready: { statuses: [409], sentence: "The upload is not finished, so there are no bytes." },
  upload_already_finished: { statuses: [409], sentence: "This upload has its bytes already." },
  upload_expired: { statuses: [410], sentence: "This upload_url has expired. Read the record for a new one." },
  validation_error: {
    statuses: [422],
    sentence: "The request is not valid: limit must be an integer from 1 to 100."
  },
  gif_media_required: { statuses: [422], sentence: "Name the GIF to convert in gif_media_id." },
  invalid_background_color: { statuses: [422], sentence: "background_color must be #RRGGBB." },
  gif_size_exceeded: { statuses: [422], sentence: "The GIF has 60000000 bytes; 52428800 can be converted." },
  video_media_id_required: { statuses: [422], sentence: "Name the video in video_media_id." },
  audio_media_id_required: { statuses: [422], sentence: "Name the file with the sound in audio_media_id." },
  video_stream_required: { statuses: [422], sentence: "The file of video_media_id has no moving picture." },
  audio_stream_required: { statuses: [422], sentence: "The file of audio_media_id has no sound." },
  media_size_exceeded: {
    statuses: [422],
    sentence: "The video has 600000000 bytes; 524288000 can be worked on."
  },
  media_processing_capacity_exceeded: {
    statuses: [429],
    sentence: "The plan allows 1 active media jobs at once. Wait until one has ended."
  },
  gif_conversion_rate_limit_exceeded: {
    statuses: [429],
    sentence: "The plan allows 10 conversions in 24 hours. One more is admitted at 2026-11-22T07:00:00.000Z."
  },
  media_processing_unavailable: { statuses: [503], sentence: "Media cannot be processed now. Try again soon." }
} as const satisfies Record<string, Refusal>

export type ErrorCode = keyof typeof errorCodes

/** The statuses that a code may have. */
export type StatusOf<C extends ErrorCode> = (typeof errorCodes)[C]["statuses"][number]

/** The status that a code has unless an endpoint says otherwise. */
export const statusOf = <C extends ErrorCode>(code: C) => errorCodes[code].statuses[0]

/** Codes by their status. */
export const byStatus = <C extends ErrorCode>(codes: ReadonlyArray<C>): ReadonlyMap<number, ReadonlyArray<C>> => {
  const groups = new Map<number, ReadonlyArray<C>>()
  for (const code of codes) groups.set(statusOf(code), [...(groups.get(statusOf(code)) ?? []), code])
  return groups
}
