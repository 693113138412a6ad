import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { WorkspaceErased } from "@loopbox/core/media/MediaErrors"
import { isGiven, type KeptPost } from "@loopbox/core/posts/Post"
import { PostFactsChanged, PostOwnerGone } from "@loopbox/core/posts/PostErrors"
import { auditPost } from "@loopbox/core/posts/auditPost"
import { type PostDecision, type PostFilter, PostStore, type TargetClaim } from "@loopbox/core/posts/PostStore"
import { openStatuses, type PostTarget } from "@loopbox/core/posts/PostTarget"
import { gainedIds } from "@loopbox/core/posts/publishedIds"
import { eventsOf, replaceTarget } from "@loopbox/core/posts/showPost"
import { isBusy } from "@loopbox/core/posts/transitions"
import { postWaits, reconnected, Signals } from "../../connection/Signals.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeSubmitLock } from "../../connection/workspaceLock.ts"
import { ClaimedRow, ListedTargetRow, PostRow, TargetRow } from "../../rows/PostRow.ts"
import { makeReadable, pageOf } from "../../rows/readableRows.ts"
import { all, at, claimLimit, countedAtMost, Instant, newestFirstBy } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"
import { makeHoldOwner } from "../access/holdOwner.ts"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { EventLog } from "../inbox/EventLog.ts"
import { isBeaten, makeClaimTargets } from "./claimTargets.ts"
import { linkTimeout, makeLinkItems } from "./linkItems.ts"
import { makePostWrites } from "./postWrites.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"

/** Another request with the same key wrote its post between this one's look and its insert. */
class SubmitRaced extends Data.TaggedError("SubmitRaced")<{}> {}

const isRace = (error: unknown): error is SubmitRaced => error instanceof SubmitRaced

const postPage = pageOf("posts", PostRow, ({ post }) => post)
const readTargetsOf = makeReadable("post_targets", TargetRow)

const DepthRow = Schema.Struct({ status: Schema.Literals(openStatuses), count: Schema.Int, oldest_at: Instant })
const KnownRow = Schema.Struct({ post_ids: Schema.Array(Schema.String) })

/** Posts of an account that may be what is looked for: the newest. */
const knownAtMost = 500

/** Reads pages of posts and what is known of them. */
const makeReads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const overAll = yield* makeOverAll
  const page = yield* newestFirstBy("p.created_at", "p.id")
  const few = yield* claimLimit

  const isIn = (scope: InboxScope) =>
    scope._tag === "WorkspaceScope" ? sql`true` : sql`p.external_user_id = ${storable(scope.externalUserId)}`

  const matches = ({ accountId, status }: PostFilter) =>
    sql.and([
      Option.match(status, { onNone: () => sql`true`, onSome: (one) => sql`p.status = ${one}` }),
      sql`EXISTS (SELECT 1 FROM post_targets t WHERE t.workspace_id = p.workspace_id AND t.post_id = p.id
        AND ${Option.match(accountId, { onNone: () => sql`true`, onSome: (id) => sql`t.account_id = ${id}` })})`
    ])

  const list = Effect.fnUntraced(function* (
    scope: InboxScope,
    filter: PostFilter,
    request: Parameters<PostStore["Service"]["list"]>[2]
  ) {
    const { workspaceId } = scope
    const { items, next } = yield* postPage(
      sql`SELECT p.post, p.created_at, p.id FROM posts p
        WHERE p.workspace_id = ${workspaceId} AND ${isIn(scope)} AND ${matches(filter)} ${page(request)}`,
      request.limit
    )
    const rows = yield* all(ListedTargetRow)(sql`SELECT post_id, target FROM post_targets
      WHERE workspace_id = ${workspaceId} AND post_id = ANY(${items.map(({ id }) => id)}::text[])
      ORDER BY post_id, place`)
    const targets = Map.groupBy(rows, ({ post_id }) => post_id)
    const kept: Array<KeptPost> = []
    for (const post of items) {
      const ofPost = targets.get(post.id) ?? []
      const read = yield* readTargetsOf(ofPost)
      // Without one of its targets its status would be another one.
      if (read.length === ofPost.length) kept.push({ post, targets: read.map(({ target }) => target) })
    }
    return { items: kept, next }
  })

  const findRivals = Effect.fnUntraced(function* (target: Pick<PostTarget, "workspaceId" | "accountId" | "id">) {
    const others = sql`t.workspace_id = ${target.workspaceId} AND t.account_id = ${target.accountId}
      AND t.id <> ${target.id}`
    const known = yield* all(KnownRow)(sql`SELECT t.post_ids FROM post_targets t
      WHERE ${others} AND t.post_ids IS NOT NULL ORDER BY t.id DESC ${few(knownAtMost)}`)
    const uncertain = yield* all(ClaimedRow)(sql`SELECT p.post, t.target FROM post_targets t
      JOIN posts p ON p.workspace_id = t.workspace_id AND p.id = t.post_id
      WHERE ${others} AND t.status = ANY(${["publishing", "outcome_unknown", "needs_reconciliation"]}::text[])
      ORDER BY t.id DESC ${few(knownAtMost)}`)
    return { knownIds: new Set(known.flatMap(({ post_ids }) => post_ids)), uncertain }
  })

  /** Open ones, and they alone, will be due: the index has few rows, however many have ended. */
  const depth = Effect.gen(function* () {
    const rows = yield* overAll("posts.depth", (among) =>
      all(DepthRow)(sql`SELECT status, count(*)::int AS count, min(due_at) AS oldest_at
      FROM (SELECT status, due_at FROM post_targets WHERE due_at IS NOT NULL AND status = ANY(${openStatuses}::text[])
        ${among("workspace_id")} ORDER BY due_at ${few(countedAtMost)}) o GROUP BY status`)
    )
    const counts = { pending: 0, preparing: 0, publishing: 0, outcome_unknown: 0 }
    for (const { count, status } of rows) counts[status] = count
    const waiting = rows.find(({ status }) => status === "pending")
    return { counts, oldestAt: Option.fromUndefinedOr(waiting?.oldest_at) }
  })

  return { isIn, list, findRivals, depth }
})

export const layer: Layer.Layer<PostStore, never, EventLog | Signals | SqlClient> = Layer.effect(
  PostStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const signals = yield* Signals
    const storeCall = yield* makeStoreCall
    const underSubmitLock = yield* makeSubmitLock("posts")
    const writes = yield* makePostWrites
    const reads = yield* makeReads
    const links = yield* makeLinkItems
    const claimTargets = yield* makeClaimTargets
    const audit = yield* makeAppendAudit
    const { holdOwner } = yield* makeHoldOwner
    const noLock = sql.literal("")
    const lock = sql.literal("FOR NO KEY UPDATE")

    const lockHeld = Effect.fnUntraced(function* ({ target: { id, postId, workspaceId }, token }: TargetClaim) {
      const kept = yield* writes.read(workspaceId, sql`p.id = ${postId}`, lock)
      const held = yield* sql`SELECT 1 FROM post_targets
        WHERE workspace_id = ${workspaceId} AND id = ${id} AND lease_token = ${token}`
      const target = Option.flatMap(kept, ({ targets }) => Option.fromUndefinedOr(targets.find((one) => one.id === id)))
      if (held.length === 0 || Option.isNone(kept) || Option.isNone(target)) {
        return yield* new LeaseLost({ what: "target", id })
      }
      return { kept: kept.value, target: target.value }
    })

    /**
     * Holds what a change would take, judged before the post is locked: the managed user to whom it gives the post, and the
     * accounts and files of a draft that it lets out. An erasure has its locks in that order. Returns the user who is held.
     */
    const holdTaken = Effect.fnUntraced(function* <E>(
      workspaceId: WorkspaceId,
      found: Option.Option<KeptPost>,
      decide: (kept: KeptPost) => Result.Result<PostDecision, E>
    ) {
      if (Option.isNone(found)) return Option.none<string>()
      const before = found.value.post
      const decided = decide(found.value)
      if (Result.isFailure(decided) || decided.success._tag !== "Change") return Option.none<string>()
      const { kept } = decided.success
      const owner = isGiven(before, kept.post) ? kept.post.externalUserId : Option.none<string>()
      const isHeld = Option.isSome(owner) && (yield* holdOwner(workspaceId, owner))
      if (before.isDraft) yield* writes.isComplete(kept)
      return isHeld ? owner : Option.none<string>()
    })

    return PostStore.of({
      submit: Effect.fn("PgPostStore.submit")(
        ({ idempotencyKey, workspaceId }, decide) =>
          Effect.gen(function* () {
            const workspace = yield* sql`SELECT id FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE`
            if (workspace.length === 0) return yield* new WorkspaceErased()
            const existing = Option.isNone(idempotencyKey)
              ? Option.none<KeptPost>()
              : yield* writes.read(workspaceId, sql`p.idempotency_key = ${idempotencyKey.value}`, noLock)
            const kept = yield* Effect.fromResult(decide(existing))
            if (Option.isSome(existing)) return kept
            if (!(yield* holdOwner(workspaceId, kept.post.externalUserId))) return yield* new PostOwnerGone()
            if (!(yield* writes.isComplete(kept))) return yield* new PostFactsChanged()
            if (!(yield* writes.insert(kept))) return yield* new SubmitRaced()
            yield* audit(workspaceId, { action: "post.created", targetId: kept.post.id })
            return kept
          }).pipe(underSubmitLock(workspaceId)),
        Effect.retry({ while: isRace, times: 3 }),
        Effect.catchIf(isRace, (race) => Effect.die(race)),
        Effect.tap(() => signals.tellPostWaits),
        storeCall("posts.submit", "unknown")
      ),

      find: Effect.fn("PgPostStore.find")(
        (scope, id) => writes.read(scope.workspaceId, sql`p.id = ${id} AND ${reads.isIn(scope)}`, noLock),
        storeCall("posts.find", "no")
      ),

      list: Effect.fn("PgPostStore.list")(reads.list, storeCall("posts.list", "no")),

      change: Effect.fn("PgPostStore.change")(
        (scope, id, decide) =>
          log.transaction(
            scope.workspaceId,
            Effect.fnUntraced(function* (append) {
              const read = (how: Fragment) =>
                writes.read(scope.workspaceId, sql`p.id = ${id} AND ${reads.isIn(scope)}`, how)
              const held = yield* holdTaken(scope.workspaceId, yield* read(noLock), decide)
              const found = yield* read(lock)
              if (Option.isNone(found)) return Option.none<KeptPost>()
              const before = found.value
              const decision = yield* Effect.fromResult(decide(before))
              if (decision._tag === "Keep") return found
              yield* audit(scope.workspaceId, { action: auditPost(before, decision), targetId: id })
              if (decision._tag === "Delete") {
                yield* writes.remove(before)
                return found
              }
              const { kept } = decision
              if (before.post.isDraft && !(yield* writes.isComplete(kept))) return yield* new PostFactsChanged()
              if (isGiven(before.post, kept.post) && isGiven({ externalUserId: held }, kept.post)) {
                return yield* new PostFactsChanged()
              }
              yield* writes.update(before, kept)
              yield* append(eventsOf(before, kept), kept.post.updatedAt)
              return Option.some(kept)
            })
          ),
        Effect.tap(() => signals.tellPostWaits),
        storeCall("posts.change", "unknown")
      ),

      claim: Effect.fn("PgPostStore.claim")(claimTargets, storeCall("posts.claim", "unknown")),

      renew: Effect.fn("PgPostStore.renew")(
        function* ({ target: { id, workspaceId }, token }, leaseUntil) {
          const renewed = yield* sql`UPDATE post_targets SET lease_until = ${at(leaseUntil)}
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND lease_token = ${token} RETURNING 1`
          if (renewed.length === 0) return yield* new LeaseLost({ what: "target", id })
        },
        storeCall("posts.renew", "unknown")
      ),

      settle: Effect.fn("PgPostStore.settle")(
        (claim, decide) =>
          log.transaction(
            claim.target.workspaceId,
            Effect.fnUntraced(function* (append) {
              yield* links.holdAccount(claim.target)
              const { kept, target } = yield* lockHeld(claim)
              const change = decide(target)
              const after = replaceTarget(kept, change.target)
              const lease = Option.match(change.leaseUntil, {
                onNone: () => sql`, lease_until = NULL, lease_token = NULL`,
                onSome: (until) => sql`, lease_until = ${at(until)}`
              })
              yield* writes.updatePost(after)
              yield* writes.updateTarget(after, change.target, lease)
              yield* writes.noteEnd(kept, after)
              const moment = DateTime.max(after.post.updatedAt, change.target.updatedAt)
              const ofItems = yield* links.linkItems(change.target, gainedIds(target, change.target), moment)
              yield* append([...eventsOf(kept, after), ...ofItems], moment)
              return change.target
            })
          ),
        // Another of the account has begun since this one was moved in time: its turn comes later.
        (self, { target }) =>
          Effect.catchIf(self, isBeaten, () => Effect.fail(new LeaseLost({ what: "target", id: target.id }))),
        // Another of the account may begin.
        Effect.tap((target) => (isBusy(target) ? Effect.void : signals.tellPostWaits)),
        storeCall("posts.settle", "unknown", linkTimeout)
      ),

      findRivals: Effect.fn("PgPostStore.findRivals")(reads.findRivals, storeCall("posts.findRivals", "no")),

      depth: reads.depth.pipe(storeCall("posts.depth", "no"), Effect.withSpan("PgPostStore.depth")),

      wakeUps: signals.heard.pipe(
        Stream.filter((payload) => payload === postWaits || payload === reconnected),
        Stream.map(() => undefined)
      )
    })
  })
)
