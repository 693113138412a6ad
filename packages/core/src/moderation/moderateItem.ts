import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import type { AuditAction } from "../audit/AuditEvent.ts"
import { ItemNotFound } from "../inbox/InboxErrors.ts"
import { type AnsweredItem, InboxStore } from "../inbox/InboxStore.ts"
import { IngestStore, type IngestUnit } from "../inbox/IngestStore.ts"
import type { ItemScope } from "../items/ItemScope.ts"
import { ActionNotAvailable } from "../items/acting/ActionNotAvailable.ts"
import { judgeAction } from "../items/acting/judgeAction.ts"
import type { ItemActivity } from "../items/mergeActivity.ts"
import { LikeChanged } from "../items/acting/ownChange.ts"
import { replyWindowOf } from "../items/acting/replyWindow.ts"
import type { LiveItem } from "../items/StoredItem.ts"
import { type AuditEventId, type InboxItemId, nextAuditEventId, nextInboxItemId } from "../kernel/Ids.ts"
import { untilStored } from "../kernel/untilStored.ts"
import { connectorOf, Connectors } from "../networks/Connectors.ts"
import { type AccountRoute, Deleted, HiddenChanged } from "../networks/InboundActivity.ts"
import type { Pace } from "../networks/Network.ts"
import type { Moderation } from "../networks/moderating/NetworkModerate.ts"
import { Networks } from "../networks/Networks.ts"
import { ActionPaces } from "./ActionPaces.ts"
import { actOnNetwork } from "./actOnNetwork.ts"
import { ActionLimited, ReconnectRequired } from "./ModerationErrors.ts"
import { makeTurns } from "./turns.ts"

/** What is counted together: an action and its reverse. */
const pacedAs: Record<Moderation, string> = {
  hide: "hide",
  unhide: "hide",
  like: "like",
  unlike: "like",
  delete: "delete"
}

/** What changes here when the network has done it. */
const changeOf = (
  { externalId, source }: LiveItem,
  { network, networkAccountId }: SocialAccount,
  moderation: Moderation | "gone",
  asOf: DateTime.Utc
): ItemActivity => {
  const key = { source, externalId }
  const route: AccountRoute = { network, accountId: Option.some(networkAccountId), username: Option.none() }
  switch (moderation) {
    case "delete":
    case "gone":
      return new Deleted({ ...key, route })
    case "hide":
    case "unhide":
      return new HiddenChanged({ ...key, route, isHidden: moderation === "hide", version: 0, asOf })
    case "like":
    case "unlike":
      return new LikeChanged({ ...key, isLiked: moderation === "like" })
  }
}

const audited = {
  hide: "item.hidden",
  unhide: "item.unhidden",
  delete: "item.deleted",
  gone: "item.deleted"
} as const satisfies Partial<Record<Moderation | "gone", AuditAction>>

/** Likes are no moderation that somebody asks for later. */
const auditOf = (
  { accountId, id: targetId, source }: LiveItem,
  moderation: Moderation | "gone",
  id: AuditEventId
): Pick<IngestUnit, "audit"> =>
  moderation === "like" || moderation === "unlike"
    ? {}
    : { audit: { id, action: audited[moderation], targetId, details: { source, social_account_id: accountId } } }

/** The network has confirmed it after all that is known, whatever the clocks of our machines say. */
const laterThanKnown = ({ hiding }: LiveItem, now: DateTime.Utc): DateTime.Utc =>
  Option.match(hiding, {
    onNone: () => now,
    onSome: ({ asOf }) => DateTime.max(now, DateTime.add(asOf, { milliseconds: 1 }))
  })

/** Does something with one item: judged by what is stored, done at its network, and stored with its event. */
export const makeModerateItem = Effect.gen(function* () {
  const store = yield* InboxStore
  const items = yield* IngestStore
  const accounts = yield* SocialAccounts
  const tokens = yield* AccountTokens
  const paces = yield* ActionPaces
  const connectors = yield* Connectors
  const networks = yield* Networks
  const random = yield* SecureRandom
  const scope = yield* Effect.scope
  const turns = makeTurns()

  /** The change and its event, in one transaction. Told like a poll, for it is so as of the network's answer. */
  const put = Effect.fnUntraced(function* (item: LiveItem, account: SocialAccount, moderation: Moderation | "gone") {
    const now = yield* DateTime.now
    const { accountId, workspaceId } = item
    const asOf = laterThanKnown(item, now)
    const activity = changeOf(item, account, moderation, asOf)
    const newId = yield* nextInboxItemId(random)
    const unit = {
      workspaceId,
      accountId,
      arrivals: [{ activity, newId, polledAt: Option.some(asOf) }],
      now,
      completes: [],
      isHeard: false,
      poll: Option.none(),
      ...auditOf(item, moderation, yield* nextAuditEventId(random))
    }
    yield* untilStored(items.ingest(unit)).pipe(
      Effect.catchTags({
        // Disconnected or erased meanwhile: its items are gone, too.
        AccountGone: () => Effect.fail(new ItemNotFound({ itemId: item.id })),
        LeaseLost: Effect.die
      })
    )
  })

  const keepPace = Effect.fnUntraced(function* (item: LiveItem, action: string, pace: Pace) {
    const { accountId, workspaceId } = item
    const until = yield* paces.take({ workspaceId, accountId, action, pace, now: yield* DateTime.now })
    if (Option.isSome(until)) return yield* new ActionLimited({ retryAt: until })
  })

  const judge = Effect.fnUntraced(function* (
    { item, newestInboundAt }: AnsweredItem,
    account: SocialAccount,
    action: Moderation
  ) {
    if (account.status !== "connected") return yield* new ReconnectRequired({ missingScopes: [] })
    const now = yield* DateTime.now
    const window = replyWindowOf(networks.traitsOf(item.source), item, account, newestInboundAt, now)
    const verdict = judgeAction(networks, action, item, account, window, now)
    if (verdict._tag !== "Refused") return verdict
    const { missingScopes, reason } = verdict
    return yield* new ActionNotAvailable({ action, reason, missingScopes })
  })

  const moderate = Effect.fnUntraced(function* (scope: ItemScope, id: InboxItemId, moderation: Moderation) {
    const found = yield* store.findAnswered(scope, id)
    if (Option.isNone(found)) return yield* new ItemNotFound({ itemId: id })
    const { item } = found.value
    const account = yield* accounts.find(item.workspaceId, item.accountId)
    if (Option.isNone(account)) return yield* new ItemNotFound({ itemId: id })
    const verdict = yield* judge(found.value, account.value, moderation)
    if (verdict._tag === "Done") return
    const part = connectorOf(networks, connectors, item.source).moderate
    if (part === undefined) {
      return yield* new ActionNotAvailable({ action: moderation, reason: "not_supported", missingScopes: [] })
    }
    const pace = Option.flatMap(verdict.traits, (traits) => traits.pace)
    const paced = Option.isSome(pace) ? keepPace(item, pacedAs[moderation], pace.value) : Effect.void
    const outcome = yield* actOnNetwork(tokens, part, item, moderation, paced)
    yield* put(item, account.value, outcome === "gone" ? "gone" : moderation)
    if (outcome === "gone" && moderation !== "delete") return yield* new ItemNotFound({ itemId: id })
  })

  /** A caller who leaves does not stop it: what the network did is stored. One item has one turn at a time. */
  return Effect.fnUntraced(function* (within: ItemScope, id: InboxItemId, moderation: Moderation) {
    const work = yield* Effect.forkIn(turns(id, moderate(within, id, moderation)), scope)
    return yield* Fiber.join(work)
  })
})
