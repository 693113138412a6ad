import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { TextMeasure } from "../connectors/Reply.ts"
import type { Source } from "../connectors/Source.ts"
import type { LiveItem } from "../inbox/StoredItem.ts"
import {
  NotAnswerable,
  PermissionsMissing,
  ReplyKeyConflict,
  ReplyTextInvalid,
  WindowClosed
} from "./OutboundErrors.ts"
import type { AnsweredItem } from "./OutboundStore.ts"
import type { OutboundOperation } from "./OutboundOperation.ts"
import { expire, rearm } from "./transitions.ts"

/** Direct messages may be answered so long after the person wrote last; the margin is for the way (social-networks.md §8). */
const openFor = { hours: 24 } as const
const margin = { seconds: 60 } as const

/** Names of permissions that a reply needs: one of each row, whichever family of logins the token is of (§6 there). */
const needed: Record<Source, ReadonlyArray<readonly [string, ...ReadonlyArray<string>]>> = {
  ig_comment: [["instagram_business_manage_comments", "instagram_manage_comments"]],
  ig_dm: [["instagram_business_manage_messages", "instagram_manage_messages"]],
  fb_comment: [["pages_manage_engagement"]],
  fb_dm: [["pages_messaging"]],
  threads_reply: [["threads_manage_replies"], ["threads_content_publish"]],
  x_reply: [["tweet.write"]]
}

/** A list in which no network's name stands says nothing of what the token may do. */
const isTelling = (permissions: ReadonlyArray<string>): boolean =>
  permissions.some((name) => /^(?:instagram_|pages_|threads_|tweet\.)/.test(name))

/** Whether the account's token may answer, as far as its permissions are known. */
export const judgePermissions = (
  source: Source,
  permissions: ReadonlyArray<string>
): Result.Result<void, PermissionsMissing> => {
  if (!isTelling(permissions)) return Result.succeed(undefined)
  const missing = needed[source].filter((names) => !names.some((name) => permissions.includes(name)))
  return missing.length === 0
    ? Result.succeed(undefined)
    : Result.fail(new PermissionsMissing({ missingScopes: missing.map(([name]) => name) }))
}

/** Whether an item can be answered at all, whatever the text (api.md §3). */
export const judgeItem = ({ isOwn, summons }: LiveItem): Result.Result<void, NotAnswerable> => {
  if (isOwn) return Result.fail(new NotAnswerable({ reason: "own_item" }))
  return Option.contains(summons, "no")
    ? Result.fail(new NotAnswerable({ reason: "not_summoned" }))
    : Result.succeed(undefined)
}

/** Whether the network takes a text of this length; the trimmed text has to have some. */
export const judgeText = ({ length, limit }: TextMeasure): Result.Result<void, ReplyTextInvalid> =>
  length >= 1 && length <= limit ? Result.succeed(undefined) : Result.fail(new ReplyTextInvalid({ length, limit }))

/** Whether the network still takes an answer; where we know of no message of the person, it decides. */
export const judgeWindow = (
  { item, newestInboundAt }: AnsweredItem,
  now: DateTime.Utc
): Result.Result<void, WindowClosed> => {
  const isMessage = item.source === "ig_dm" || item.source === "fb_dm"
  const closesAt = Option.map(newestInboundAt, (at) => DateTime.subtract(DateTime.add(at, openFor), margin))
  return isMessage && Option.exists(closesAt, (at) => DateTime.isLessThanOrEqualTo(at, now))
    ? Result.fail(new WindowClosed())
    : Result.succeed(undefined)
}

/**
 * What becomes of a request: the operation that its key made before, to be sent now if it surely was not posted, or a
 * new one. Only what would be sent needs an open window.
 */
export const judgeSubmit = (
  existing: Option.Option<OutboundOperation>,
  fresh: OutboundOperation,
  window: Result.Result<void, WindowClosed>
): Result.Result<OutboundOperation, ReplyKeyConflict | WindowClosed> => {
  const now = fresh.createdAt
  if (Option.isNone(existing)) return Result.map(window, () => fresh)
  if (existing.value.text !== fresh.text) {
    return Result.fail(new ReplyKeyConflict({ operationId: existing.value.id }))
  }
  const current = expire(existing.value, now)
  return current.state._tag === "Held" ? Result.map(window, () => rearm(current, now)) : Result.succeed(current)
}
