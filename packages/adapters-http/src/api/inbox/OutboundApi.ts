import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody } from "../DataBody.ts"
import { errorAt, errors, jsonErrors } from "../ErrorBody.ts"
import { InboxAuthorization } from "./InboxAuthorization.ts"
import { scopeHeaders, scopeQuery } from "./InboxQuery.ts"
import { ItemBody } from "./ItemBody.ts"
import { MediaContextBody } from "./MediaContextBody.ts"
import { OperationBody } from "./OperationBody.ts"
import { StorableText } from "../storableText.ts"
import { InboxValidation } from "../Validation.ts"

/** What a reply says. Its length is judged as the network counts it, and after it is trimmed. */
export const ReplyBody = Schema.Struct({
  text: Schema.optionalKey(
    Schema.NullOr(StorableText).annotate({
      description:
        "May be absent with `media_ids`. Sent trimmed; 1 to the source's limit: ig_comment 2,200, fb_comment 8,000, fb_dm 2,000, threads_reply 500 (an " +
        "emoji counts its bytes in UTF-8), x_reply 280 as X weighs them, ig_dm 1,000 bytes."
    })
  ),
  media_ids: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.String)).annotate({
      description:
        "One file that it carries, where the item's `capabilities` have `reply_media`. A direct message is a text or a " +
        "file: ig_dm takes a JPEG, PNG or GIF of 8 MB, fb_dm of 25 MB, both video (MP4, QuickTime, WebM) and audio (M4A, " +
        "AAC, WAV; fb_dm MP3) of 25 MB. An fb_comment takes a JPEG, PNG or GIF of 10 MB, also beside a text."
    })
  ),
  tag: Schema.optionalKey(
    Schema.NullOr(Schema.Literal("human_agent")).annotate({
      description:
        "A person answers a direct message: allowed until 7 days after the last message of the other person, where the " +
        "account's scopes have `human_agent`, a permission that Meta gives to the app. Never added by itself; within 24 " +
        "hours it changes nothing."
    })
  )
}).annotate({ examples: [{ text: "Yes, it is!" }] })

/** What a private reply says: as much as a direct message. */
export const PrivateReplyBody = Schema.Struct({
  text: StorableText.annotate({
    description: "Sent trimmed; to an ig_comment 1 to 1,000 bytes, to an fb_comment 1 to 2,000."
  })
}).annotate({ examples: [{ text: "We have sent you the details." }] })

const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")
const scope = { query: scopeQuery, headers: scopeHeaders }
const operation = { ...scope, success: dataBody(OperationBody), error: absent }

/** How an answer to an item may fail. */
const replyErrors = [
  ...jsonErrors,
  ...absent,
  ...errors(
    "X_REMOTE_ACCEPTED_RECONCILING",
    "X_WRITE_OUTCOME_PENDING",
    "X_WRITE_NEEDS_RECONCILIATION",
    "IDEMPOTENCY_KEY_CONFLICT",
    "X_RECONNECT_REQUIRED",
    "PLATFORM_ERROR",
    "PLATFORM_RATE_LIMITED"
  ),
  errorAt(502, "PLATFORM_ERROR")
]

/** Replies, what became of them, and what they are about: `/v1/inbox` (§4.2, api.md §3). */
export class OutboundApi extends HttpApiGroup.make("outbound")
  .add(
    HttpApiEndpoint.post("reply", "/:id/reply", {
      query: scopeQuery,
      headers: {
        ...scopeHeaders,
        "idempotency-key": Schema.optionalKey(
          Schema.String.annotate({
            description: "1 to 255 visible ASCII characters; one reply to one item. Required for x_reply."
          })
        )
      },
      params: { id: Schema.String },
      payload: ReplyBody,
      success: dataBody(ItemBody),
      error: [...replyErrors, ...errors("ACTION_NOT_AVAILABLE", "PUBLIC_URL_REQUIRED")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Reply to an item",
        description:
          "Accepted durably before anything is sent, and sent at most once, whatever becomes of the connection. It " +
          "waits up to 20 seconds. The same key, text and file give the same reply again; after 429, 502 or " +
          "`X_RECONNECT_REQUIRED` they send it now.\n\n" +
          "| | |\n|---|---|\n" +
          "| 200 | sent; the item that it made |\n" +
          "| 202 `X_REMOTE_ACCEPTED_RECONCILING` | the network has it; the item will follow by itself |\n" +
          "| 409 `X_WRITE_OUTCOME_PENDING` | not known yet, or being sent: read the operation, or ask again with the key |\n" +
          "| 409 `X_WRITE_NEEDS_RECONCILIATION` | it never became known: a person must look at the network |\n" +
          "| 409 `IDEMPOTENCY_KEY_CONFLICT` | the key came before with another reply |\n" +
          "| 409 `ACTION_NOT_AVAILABLE` | `tag` or `media_ids` where that is not possible: `not_supported`, or `missing_scopes` |\n" +
          "| 409 `PUBLIC_URL_REQUIRED` | a file, which the network can't load from this machine's own address |\n" +
          "| 409 `X_RECONNECT_REQUIRED` | the account must be connected again, whatever its network; nothing was sent |\n" +
          "| 422 `PLATFORM_ERROR` | the network refused it, or its window for answers is closed; nothing was posted |\n" +
          "| 429 `PLATFORM_RATE_LIMITED` | the network limits the rate; nothing was sent |\n" +
          "| 502 `PLATFORM_ERROR` | the network could not be reached; nothing was sent |"
      })
    ),
    HttpApiEndpoint.post("privateReply", "/:id/private-reply", {
      query: scopeQuery,
      headers: {
        ...scopeHeaders,
        "idempotency-key": Schema.optionalKey(
          Schema.String.annotate({
            description: "1 to 255 visible ASCII characters; names one answer to one item, public or private."
          })
        )
      },
      params: { id: Schema.String },
      payload: PrivateReplyBody,
      success: dataBody(ItemBody),
      error: [...replyErrors, ...errors("ACTION_NOT_AVAILABLE")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Answer a comment by a direct message",
        description:
          "For ig_comment and fb_comment, within 7 days, once a comment, where the item's `capabilities` have " +
          "`private_reply`. Everything is as with a reply; the item that it makes lies in the conversation with who " +
          "wrote the comment. What is not possible is 409 `ACTION_NOT_AVAILABLE` with a `reason`: `not_supported`, " +
          "`own_item`, `window_closed`, `missing_scopes`, or `already_replied`, also while the first is on its way.\n\n" +
          "After an answer of the network that was lost, it is sent again: the network takes one message for a comment, " +
          "and says so if it has it. If only that is known, the answer is 202 and the item follows by itself."
      })
    ),
    HttpApiEndpoint.get("findMediaContext", "/:id/media-context", {
      ...scope,
      params: { id: Schema.String },
      success: dataBody(MediaContextBody),
      error: [...absent, errorAt(502, "PLATFORM_ERROR")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read the post that an item belongs to",
        description:
          "Kept for an hour; an older answer serves while the network is down. 404 for direct messages, for a post that " +
          "is the root itself, and, with the reason `parent_gone`, for one that is gone."
      })
    ),
    HttpApiEndpoint.get("findOperation", "/outbound-operations/:id", {
      ...operation,
      params: { id: Schema.String }
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read what became of a reply",
        description:
          "Of every source, by the `X-Operation-Id` of its answer. `inbox.reply_updated` tells of each change. It has " +
          "ended when it is `completed`, `rejected` or `needs_reconciliation`."
      })
    ),
    HttpApiEndpoint.get("findXOperation", "/x-outbound-operations/:requestID", {
      ...operation,
      params: { requestID: Schema.String }
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read what became of a reply, by its older name",
        description: "The same as `/v1/inbox/outbound-operations/{id}`, for every source."
      })
    )
  )
  .prefix("/v1/inbox")
  .middleware(InboxValidation)
  .middleware(InboxAuthorization)
  .annotate(OpenApi.Description, "Replies to items, and what they are about.") {}
