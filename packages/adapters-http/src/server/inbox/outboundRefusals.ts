import type { NoParent } from "@loopbox/core/inbox/InboxErrors"
import type { PermissionsMissing, ReplyKeyConflict, ReplyMediaInvalid } from "@loopbox/core/outbound/OutboundErrors"
import type { ReplyFault } from "@loopbox/core/replies/Replies"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Issue } from "../../api/ErrorBody.ts"
import { itemRefusals, listRefusals } from "./inboxRefusals.ts"
import { moderationRefusals } from "./moderationRefusals.ts"
import { jsonRefusals } from "../edge/readJson.ts"
import { refuse, setAnswerHeaders } from "../edge/refuse.ts"
import { refusePublicUrl } from "../edge/refusePublicUrl.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { refusePlainRequest } from "../edge/Validation.ts"

const notAnswerable = {
  own_item: "is an item of the account itself, which can't be answered",
  not_summoned: "is a post that neither mentions nor quotes the account, so X takes no answer to it"
}

const named = (value: Option.Option<string | number>): string | number => Option.getOrElse(value, () => "unknown")

const mediaMessages: Record<ReplyMediaInvalid["reason"], (fault: ReplyMediaInvalid) => string> = {
  too_many: ({ actual, limit }) => `may name at most ${named(limit)} file; it names ${named(actual)}`,
  not_found: () => "names a file that does not exist in this workspace",
  not_ready: () => "names a file whose upload is not finished",
  wrong_type: ({ actual, allowed }) => `must name a file of ${allowed.join(", ")}; it is ${named(actual)}`,
  too_large: ({ actual, limit }) => `must name a file of at most ${named(limit)} bytes; it has ${named(actual)}`,
  text_beside: () => "can't stand beside a file in one direct message: send it as a reply of its own"
}

/** What is wrong with a reply, as a fault of its request. */
export const toReplyIssue = (fault: ReplyFault): Issue => {
  if (fault._tag === "NotAnswerable") return { path: "id", message: notAnswerable[fault.reason] }
  if (fault._tag === "ReplyMediaInvalid") {
    return { path: fault.reason === "text_beside" ? "text" : "media_ids", message: mediaMessages[fault.reason](fault) }
  }
  if (fault._tag === "ReplyKeyRequired") return { path: "Idempotency-Key", message: "is required for x_reply" }
  const { length, limit } = fault
  return {
    path: "text",
    message: length === 0 ? "must not be blank" : `must have 1 to ${limit}, as the network counts; it has ${length}`
  }
}

const refuseFault = (fault: ReplyFault) => refusePlainRequest([toReplyIssue(fault)])

/** Refusals of a reply, before there is an operation (api.md §3). */
export const replyRefusals = {
  ...jsonRefusals,
  ...listRefusals,
  ...itemRefusals,
  NotAnswerable: refuseFault,
  ReplyTextInvalid: refuseFault,
  ReplyMediaInvalid: refuseFault,
  PublicUrlRequired: refusePublicUrl,
  ReplyKeyRequired: refuseFault,
  ReplyKeyConflict: ({ operationId }: ReplyKeyConflict) =>
    Effect.andThen(
      setAnswerHeaders({ "x-operation-id": operationId }),
      refuse("IDEMPOTENCY_KEY_CONFLICT", undefined, {
        operation_id: operationId
      })
    ),
  PermissionsMissing: ({ missingScopes }: PermissionsMissing) =>
    refuse("X_RECONNECT_REQUIRED", `Connect the account again, with ${missingScopes.join(", ")}. Nothing was sent.`, {
      missing_scopes: missingScopes
    }),
  ActionNotAvailable: moderationRefusals.ActionNotAvailable,
  WindowClosed: () =>
    refuse("PLATFORM_ERROR", "The person wrote last too long ago, so the network takes no such answer.", {
      network_code: null,
      reason: "window_closed"
    })
}

/** Refusals of a private reply, before there is an operation (api-2.md §13). */
export const privateReplyRefusals = {
  ...jsonRefusals,
  ...listRefusals,
  ...itemRefusals,
  ReplyTextInvalid: replyRefusals.ReplyTextInvalid,
  ReplyKeyConflict: replyRefusals.ReplyKeyConflict,
  ActionNotAvailable: moderationRefusals.ActionNotAvailable
}

export const operationRefusals = {
  OperationNotFound: () => refuse("NOT_FOUND", "There is no such operation in this scope."),
  StoreUnavailable: refuseStore
}

export const mediaContextRefusals = {
  ...itemRefusals,
  NoParent: ({ reason }: NoParent) =>
    reason === "gone"
      ? refuse("NOT_FOUND", "The post of this item is no longer available.", { reason: "parent_gone" })
      : refuse("NOT_FOUND", "This item belongs to no post."),
  MediaContextUnavailable: () =>
    refuse("PLATFORM_ERROR", "The network could not be asked for the post. Try again soon.")
}
