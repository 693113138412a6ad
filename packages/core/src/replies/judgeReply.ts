import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { missingOf } from "../networks/capabilitiesOf.ts"
import type { TextMeasure } from "../networks/Reply.ts"
import type { SourceTraits } from "../networks/Network.ts"
import { replyWindowOf } from "../items/acting/replyWindow.ts"
import type { LiveItem } from "../items/StoredItem.ts"
import {
  NotAnswerable,
  PermissionsMissing,
  ReplyKeyConflict,
  ReplyTextInvalid,
  WindowClosed
} from "../outbound/OutboundErrors.ts"
import type { AnsweredItem } from "../inbox/InboxStore.ts"
import type { OutboundOperation } from "../outbound/OutboundOperation.ts"
import { expire, rearm } from "../outbound/transitions.ts"

/**
 * Whether the account's token may reply, as far as its permissions are known. A list without any of the network's names
 * proves nothing.
 */
export const judgePermissions = (
  { replyPermissions }: SourceTraits,
  prefixes: ReadonlyArray<string>,
  permissions: ReadonlyArray<string>
): Result.Result<void, PermissionsMissing> => {
  const missingScopes = missingOf(replyPermissions, prefixes, permissions)
  return missingScopes.length === 0 ? Result.succeed(undefined) : Result.fail(new PermissionsMissing({ missingScopes }))
}

/** Whether an item can be answered at all (api.md §3). */
export const judgeItem = ({ isOwn, summons }: LiveItem): Result.Result<void, NotAnswerable> => {
  if (isOwn) return Result.fail(new NotAnswerable({ reason: "own_item" }))
  return Option.contains(summons, "no")
    ? Result.fail(new NotAnswerable({ reason: "not_summoned" }))
    : Result.succeed(undefined)
}

/** Whether the network accepts a text of this length; an empty text is refused. */
export const judgeText = ({ length, limit }: TextMeasure): Result.Result<void, ReplyTextInvalid> =>
  length >= 1 && length <= limit ? Result.succeed(undefined) : Result.fail(new ReplyTextInvalid({ length, limit }))

/** Whether the network still accepts an answer. Without a known message of the person the network decides. */
export const judgeWindow = (
  traits: SourceTraits,
  { item, newestInboundAt }: AnsweredItem,
  now: DateTime.Utc
): Result.Result<void, WindowClosed> =>
  Option.isSome(newestInboundAt) &&
  Option.exists(replyWindowOf(traits, item, newestInboundAt, now), ({ mode }) => mode === "closed")
    ? Result.fail(new WindowClosed())
    : Result.succeed(undefined)

const isPrivate = ({ privately }: OutboundOperation): boolean => Option.isSome(privately)

/**
 * The operation of a request: the earlier one of its key, which is sent again if it is known as not posted, or a new
 * one. Only what would be sent needs an open window.
 */
export const judgeSubmit = <E>(
  existing: Option.Option<OutboundOperation>,
  fresh: OutboundOperation,
  window: Result.Result<void, E>
): Result.Result<OutboundOperation, ReplyKeyConflict | E> => {
  const now = fresh.createdAt
  if (Option.isNone(existing)) return Result.map(window, () => fresh)
  if (existing.value.text !== fresh.text || isPrivate(existing.value) !== isPrivate(fresh)) {
    return Result.fail(new ReplyKeyConflict({ operationId: existing.value.id }))
  }
  const current = expire(existing.value, now)
  return current.state._tag === "Held" ? Result.map(window, () => rearm(current, now)) : Result.succeed(current)
}
