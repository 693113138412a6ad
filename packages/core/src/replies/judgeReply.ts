import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { missingOf } from "../networks/capabilitiesOf.ts"
import type { ReplyTag, TextMeasure } from "../networks/Reply.ts"
import type { SourceTraits } from "../networks/Network.ts"
import { ActionNotAvailable } from "../items/acting/ActionNotAvailable.ts"
import { type ReplyWindow, replyWindowOf } from "../items/acting/replyWindow.ts"
import type { LiveItem } from "../items/StoredItem.ts"
import {
  NotAnswerable,
  PermissionsMissing,
  ReplyKeyConflict,
  ReplyTextInvalid,
  WindowClosed
} from "../outbound/OutboundErrors.ts"
import type { AnsweredItem } from "../inbox/InboxStore.ts"
import { OutboundOperation } from "../outbound/OutboundOperation.ts"
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

/** Whether the network accepts a text of this length; an empty text is refused, unless it stands beside a file. */
export const judgeText = ({ length, limit }: TextMeasure, least = 1): Result.Result<void, ReplyTextInvalid> =>
  length >= least && length <= limit ? Result.succeed(undefined) : Result.fail(new ReplyTextInvalid({ length, limit }))

/** How a reply may go out. */
export interface ReplyTerms {
  /** The network takes it only as a person's answer. */
  readonly isTagged: boolean
}

/** Whether an account may answer by a person after the standard window. */
const judgeTag = (
  { humanAgent }: SourceTraits,
  { permissions }: Pick<SocialAccount, "permissions">
): Result.Result<void, ActionNotAvailable> => {
  const notAvailable = (reason: "not_supported" | "missing_scopes", missingScopes: ReadonlyArray<string>) =>
    Result.fail(new ActionNotAvailable({ action: "reply", reason, missingScopes }))
  if (Option.isNone(humanAgent)) return notAvailable("not_supported", [])
  const { permission } = humanAgent.value
  return permissions.includes(permission) ? Result.succeed(undefined) : notAvailable("missing_scopes", [permission])
}

/**
 * Whether the network still accepts an answer, and as what. Without a known message of the person the network decides.
 * A tag within the standard window is of no consequence (api-2-decided.md A6).
 */
export const judgeTerms = (
  traits: SourceTraits,
  { item, newestInboundAt }: AnsweredItem,
  account: Pick<SocialAccount, "permissions">,
  tag: Option.Option<ReplyTag>,
  now: DateTime.Utc
): Result.Result<ReplyTerms, WindowClosed | ActionNotAvailable> => {
  const allowed = Option.isSome(tag) ? judgeTag(traits, account) : Result.succeed(undefined)
  if (Result.isFailure(allowed)) return Result.fail(allowed.failure)
  const window = Option.isSome(newestInboundAt)
    ? replyWindowOf(traits, item, account, newestInboundAt, now)
    : Option.none<ReplyWindow>()
  const isTagged = Option.exists(window, ({ mode }) => mode === "human_agent")
  return Option.exists(window, ({ mode }) => mode === "closed") || (isTagged && Option.isNone(tag))
    ? Result.fail(new WindowClosed())
    : Result.succeed({ isTagged })
}

const isSameReply = (before: OutboundOperation, fresh: OutboundOperation): boolean =>
  before.text === fresh.text &&
  Option.isSome(before.privately) === Option.isSome(fresh.privately) &&
  Option.isSome(before.tag) === Option.isSome(fresh.tag) &&
  before.media.map(({ mediaId }) => mediaId).join() === fresh.media.map(({ mediaId }) => mediaId).join()

/**
 * The operation of a request: the earlier one of its key, which is sent again if it is known as not posted, or a new
 * one. Only what would be sent needs terms.
 */
export const judgeSubmit = <E>(
  existing: Option.Option<OutboundOperation>,
  fresh: OutboundOperation,
  terms: Result.Result<ReplyTerms, E>
): Result.Result<OutboundOperation, ReplyKeyConflict | E> => {
  const now = fresh.createdAt
  const on = (operation: OutboundOperation) =>
    Result.map(terms, ({ isTagged }) => new OutboundOperation({ ...operation, isTagged }))
  if (Option.isNone(existing)) return on(fresh)
  if (!isSameReply(existing.value, fresh)) {
    return Result.fail(new ReplyKeyConflict({ operationId: existing.value.id }))
  }
  const current = expire(existing.value, now)
  return current.state._tag === "Held" ? on(rearm(current, now)) : Result.succeed(current)
}
