import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import type { InboxEvent } from "@loopbox/core/items/InboxEvent"
import { decidePost } from "@loopbox/core/items/ownPost"
import { keyOf } from "@loopbox/core/items/StoredItem"
import type { LeaseRequest } from "@loopbox/core/kernel/lease/claimLoop"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { WorkspaceErased } from "@loopbox/core/media/MediaErrors"
import type { Network } from "@loopbox/core/networks/Source"
import { isGiven, type KeptPost } from "@loopbox/core/posts/Post"
import { PostFactsChanged, PostOwnerGone } from "@loopbox/core/posts/PostErrors"
import { auditPost } from "@loopbox/core/posts/auditPost"
import {
  type PostDecision,
  type PostFilter,
  PostStore,
  type Rivals,
  type TargetClaim
} from "@loopbox/core/posts/PostStore"
import { openStatuses, type PostTarget, statusOf } from "@loopbox/core/posts/PostTarget"
import { gainedIds, publishedIds } from "@loopbox/core/posts/publishedIds"
import { eventsOf, filesOf, replaceTarget, statusOfPost } from "@loopbox/core/posts/showPost"
import { dueAt, isBeginning, isBusy, isUncertain } from "@loopbox/core/posts/transitions"
import { shown, writeEvents } from "./memoryInbox.ts"
import { audit, change } from "./memoryAudit.ts"
import { memoryPage } from "./memoryPage.ts"
import type { PostEntries, PostEntry, TargetLease } from "./memoryPosts.ts"
import { hasOwner, MemoryState } from "./MemoryState.ts"

type State = MemoryState["Service"]

const isIn = (scope: InboxScope, { post }: KeptPost): boolean =>
  post.workspaceId === scope.workspaceId &&
  (scope._tag === "WorkspaceScope" || Option.contains(post.externalUserId, scope.externalUserId))

/** Whether everything that a post needs to go out is still there. */
const isComplete = ({ inbox, media }: State, kept: KeptPost): boolean =>
  kept.post.isDraft ||
  (kept.targets.every(({ accountId }) => inbox.accounts.has(accountId)) &&
    Array.from(filesOf(kept)).every((id) => media.get(id)?.deletedAt === undefined && media.has(id)))

/** Stores a post with the events of its change. */
const put = (
  { inbox }: State,
  before: KeptPost,
  kept: KeptPost,
  leases: PostEntry["leases"],
  ofItems: ReadonlyArray<InboxEvent> = []
): void => {
  inbox.posts.set(kept.post.id, { kept, leases })
  const events = [...eventsOf(before, kept), ...ofItems]
  writeEvents(
    inbox,
    kept.post.workspaceId,
    events,
    kept.targets.map((target) => target.updatedAt).reduce(DateTime.max, kept.post.updatedAt)
  )
}

/** Gives a post to the items that hang on it and were there before its ids were known. */
const link = ({ inbox }: State, before: PostTarget, after: PostTarget): ReadonlyArray<InboxEvent> => {
  const gained = gainedIds(before, after)
  const entry = inbox.accounts.get(after.accountId)
  if (gained.size === 0 || entry === undefined) return []
  const hanging = Array.from(entry.items.values()).flatMap((item) =>
    item._tag === "LiveItem" && Option.exists(item.linkedPostId, (id) => gained.has(id)) ? [item] : []
  )
  const { events, items } = decidePost(
    gained,
    hanging.map((live) => shown(inbox, entry, live, after.updatedAt))
  )
  for (const { postId, ...key } of items) {
    const live = entry.items.get(keyOf(key))
    if (live?._tag === "LiveItem") entry.items.set(keyOf(key), { ...live, postId })
  }
  return events
}

interface Held {
  readonly entry: PostEntry
  readonly target: PostTarget
  readonly lease: TargetLease
}

const heldBy = (posts: PostEntries, { target: { id, postId }, token }: TargetClaim): Held | undefined => {
  const entry = posts.get(postId)
  const target = entry?.kept.targets.find((one) => one.id === id)
  const lease = entry?.leases.get(id)
  return entry !== undefined && target !== undefined && lease?.token === token ? { entry, target, lease } : undefined
}

interface Due {
  readonly entry: PostEntry
  readonly target: PostTarget
  readonly at: DateTime.Utc
}

const byDue = (a: Due, b: Due): number => DateTime.Order(a.at, b.at) || (a.target.id < b.target.id ? -1 : 1)

/** The due targets that may be claimed, in order: of those that begin, one per account. */
const findDue = (
  posts: PostEntries,
  { leaseNow, networks, now }: LeaseRequest & { readonly networks: ReadonlyArray<Network>; readonly now: DateTime.Utc }
): ReadonlyArray<Due> => {
  const all = Array.from(posts.values()).flatMap((entry) => entry.kept.targets.map((target) => ({ entry, target })))
  const isLeased = ({ entry, target }: Pick<Due, "entry" | "target">) =>
    DateTime.Order(entry.leases.get(target.id)?.until ?? leaseNow, leaseNow) > 0
  const occupied = new Set<SocialAccountId>(
    all
      .filter((one) => isBusy(one.target) || (isBeginning(one.target) && isLeased(one)))
      .map(({ target }) => target.accountId)
  )
  const due = all
    .flatMap((one) => Option.toArray(Option.map(dueAt(one.target), (at) => ({ ...one, at }))))
    .filter((one) => DateTime.isLessThanOrEqualTo(one.at, now) && !isLeased(one))
    .filter(({ target }) => Option.exists(target.network, (network) => networks.includes(network)))
    .sort(byDue)
  return due.filter(({ target }) => {
    if (!isBeginning(target)) return true
    if (occupied.has(target.accountId)) return false
    occupied.add(target.accountId)
    return true
  })
}

const matches = ({ accountId, status }: PostFilter, kept: KeptPost): boolean =>
  Option.match(status, { onNone: () => true, onSome: (one) => statusOfPost(kept) === one }) &&
  Option.match(accountId, {
    onNone: () => true,
    onSome: (one) => kept.targets.some((target) => target.accountId === one)
  })

/** Whether another of the account has begun, so that this one can't be published now. */
const isOvertaken = (posts: PostEntries, before: PostTarget, after: PostTarget): boolean =>
  isBusy(after) &&
  !isBusy(before) &&
  Array.from(posts.values()).some(({ kept }) =>
    kept.targets.some((one) => one.accountId === after.accountId && one.id !== after.id && isBusy(one))
  )

const findRivals = (posts: PostEntries, of: Pick<PostTarget, "accountId" | "id">): Rivals => {
  const others = Array.from(posts.values()).flatMap(({ kept: { post, targets } }) =>
    targets
      .filter(({ accountId, id }) => accountId === of.accountId && id !== of.id)
      .map((target) => ({ post, target }))
  )
  const ids = others.flatMap(({ target }) => publishedIds(target))
  return { knownIds: new Set(ids), uncertain: others.filter(({ target }) => isUncertain(target)) }
}

const countOpen = (posts: PostEntries) => {
  const counts = { pending: 0, preparing: 0, publishing: 0, outcome_unknown: 0 }
  const since: Array<DateTime.Utc> = []
  for (const target of Array.from(posts.values()).flatMap(({ kept }) => kept.targets)) {
    const status = openStatuses.find((one) => one === statusOf(target))
    const due = dueAt(target)
    if (status === undefined || Option.isNone(due)) continue
    counts[status] += 1
    if (status === "pending") since.push(due.value)
  }
  return { counts, oldestAt: Option.fromUndefinedOr(since.sort(DateTime.Order)[0]) }
}

export const layer: Layer.Layer<PostStore, never, MemoryState> = Layer.effect(
  PostStore,
  Effect.map(MemoryState, (state) => {
    const { inbox, workspaces } = state
    const { posts } = inbox
    const wake = () => PubSub.publishUnsafe(inbox.postWakeUps, undefined)
    const held = <A>(claim: TargetClaim, use: (held: Held) => A) =>
      Effect.suspend(() => {
        const found = heldBy(posts, claim)
        return found === undefined
          ? Effect.fail(new LeaseLost({ what: "target", id: claim.target.id }))
          : Effect.succeed(use(found))
      })
    return PostStore.of({
      submit: Effect.fnUntraced(function* ({ idempotencyKey, workspaceId }, decide) {
        const by = yield* change
        if (!workspaces.has(workspaceId)) return yield* new WorkspaceErased()
        const existing = Option.flatMap(idempotencyKey, (key) =>
          Option.fromUndefinedOr(
            Array.from(posts.values(), ({ kept }) => kept).find(
              ({ post }) => post.workspaceId === workspaceId && Option.contains(post.idempotencyKey, key)
            )
          )
        )
        const kept = yield* Effect.fromResult(decide(existing))
        if (Option.isSome(existing)) return kept
        if (!hasOwner(state, kept.post)) return yield* new PostOwnerGone()
        if (!isComplete(state, kept)) return yield* new PostFactsChanged()
        posts.set(kept.post.id, { kept, leases: new Map() })
        audit(inbox, by, workspaceId, { action: "post.created", targetId: kept.post.id })
        wake()
        return kept
      }),
      find: (scope, id) =>
        Effect.sync(() => Option.filter(Option.fromUndefinedOr(posts.get(id)?.kept), (kept) => isIn(scope, kept))),
      list: (scope, filter, page) =>
        Effect.sync(() => {
          const rows = Array.from(posts.values(), ({ kept }) => ({
            id: kept.post.id,
            createdAt: kept.post.createdAt,
            kept
          })).filter(({ kept }) => isIn(scope, kept) && matches(filter, kept))
          const { items, next } = memoryPage(rows, page)
          return { items: items.map(({ kept }) => kept), next }
        }),
      change: Effect.fnUntraced(function* (scope, id, decide) {
        const by = yield* change
        const entry = posts.get(id)
        if (entry === undefined || !isIn(scope, entry.kept)) return Option.none()
        const decided = decide(entry.kept)
        if (Result.isFailure(decided)) return yield* Effect.fail(decided.failure)
        const note = (decision: Exclude<PostDecision, { readonly _tag: "Keep" }>) =>
          audit(inbox, by, scope.workspaceId, { action: auditPost(entry.kept, decision), targetId: id })
        if (decided.success._tag === "Delete") {
          posts.delete(id)
          note(decided.success)
        }
        if (decided.success._tag !== "Change") return Option.some(entry.kept)
        const { kept } = decided.success
        if (entry.kept.post.isDraft && !isComplete(state, kept)) return yield* new PostFactsChanged()
        if (isGiven(entry.kept.post, kept.post) && !hasOwner(state, kept.post)) return yield* new PostFactsChanged()
        put(state, entry.kept, kept, entry.leases)
        note(decided.success)
        wake()
        return Option.some(kept)
      }),
      claim: (request) =>
        Effect.sync(() => {
          const { leaseUntil, limit, token } = request
          return findDue(posts, request)
            .slice(0, limit)
            .map(({ target }) => {
              const entry = posts.get(target.postId)
              if (entry === undefined) return []
              const leases = new Map(entry.leases).set(target.id, { token, until: leaseUntil })
              posts.set(target.postId, { ...entry, leases })
              return [{ post: entry.kept.post, target, token }]
            })
            .flat()
        }),
      renew: (claim, until) =>
        held(claim, ({ entry, lease, target }) => {
          const leases = new Map(entry.leases).set(target.id, { ...lease, until })
          posts.set(target.postId, { ...entry, leases })
        }),
      settle: Effect.fnUntraced(function* (claim, decide) {
        const found = heldBy(posts, claim)
        const change = found === undefined ? undefined : decide(found.target)
        if (found === undefined || change === undefined || isOvertaken(posts, found.target, change.target)) {
          return yield* new LeaseLost({ what: "target", id: claim.target.id })
        }
        const { entry, lease, target } = found
        const leases = new Map(entry.leases)
        if (Option.isSome(change.leaseUntil)) leases.set(target.id, { ...lease, until: change.leaseUntil.value })
        else leases.delete(target.id)
        const ofItems = link(state, target, change.target)
        put(state, entry.kept, replaceTarget(entry.kept, change.target), leases, ofItems)
        if (!isBusy(change.target)) wake()
        return change.target
      }),
      findRivals: (target) => Effect.sync(() => findRivals(posts, target)),
      depth: Effect.sync(() => countOpen(posts)),
      wakeUps: Stream.fromPubSub(inbox.postWakeUps)
    })
  })
)
