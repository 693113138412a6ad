import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import type { KeptPost } from "@loopbox/core/posts/Post"
import { PostStore, type TargetClaim } from "@loopbox/core/posts/PostStore"
import type { PostTarget } from "@loopbox/core/posts/PostTarget"
import { showPost, statusOfPost } from "@loopbox/core/posts/showPost"
import {
  admitted,
  begin,
  fail,
  overQuota,
  published,
  rearmed,
  republished,
  stepped,
  uncertain
} from "@loopbox/core/posts/transitions"
import { failureOf } from "@loopbox/core/posts/targetFailure"
import { postRowDays } from "@loopbox/core/retention/Retention"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import {
  connect,
  eventsAfter,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  makeInboxWorkspace,
  redactNames,
  scopeOf
} from "../fixtures/inboxFixtures.ts"
import { makeKeptPost, type PostOptions } from "../fixtures/postFixtures.ts"
import { makeGif } from "../fixtures/storeFixtures.ts"
import { leaseContract } from "./leaseContract.ts"
import { ownPostSuite } from "./suites/ownPostSuite.ts"
import { postOwnerSuite } from "./suites/postOwnerSuite.ts"

/** The ports that the suite needs. */
export type PostPorts = InboxPorts | PostStore | RetentionStore | MediaStore

const networks = ["instagram"] as const
const seconds = (at: DateTime.Utc, count: number) => DateTime.add(at, { seconds: count })
const inScope = (account: SocialAccount, user?: string) => scopeOf(account.workspaceId, user).scope

/** A workspace with an account and a time for one test; the time is earlier than that of all tests before. */
const makePlace = Effect.gen(function* () {
  const at = yield* inboxEpoch
  const { id } = yield* makeInboxWorkspace(at)
  const account = yield* connect(id, { owner: "u1", at })
  const other = yield* connect(id, { networkAccountId: "other", at })
  return { at, account, other }
})

const submit = Effect.fnUntraced(function* (kept: KeptPost) {
  const { idempotencyKey, workspaceId } = kept.post
  return yield* (yield* PostStore).submit({ workspaceId, idempotencyKey }, (existing) =>
    Result.succeed(Option.getOrElse(existing, () => kept))
  )
})

const add = Effect.fnUntraced(function* (
  accounts: ReadonlyArray<SocialAccount>,
  at: DateTime.Utc,
  options: PostOptions = {}
) {
  const workspaceId = accounts[0]?.workspaceId ?? assert.fail("no account")
  return yield* submit(yield* makeKeptPost(workspaceId, accounts, at, options))
})

const claim = Effect.fnUntraced(function* (now: DateTime.Utc, limit = 10) {
  const token = yield* (yield* SecureRandom).uuidV7()
  return yield* (yield* PostStore).claim({ networks, limit, token, now, leaseNow: now, leaseUntil: seconds(now, 15) })
})

const only = (claims: ReadonlyArray<TargetClaim>): TargetClaim => claims[0] ?? assert.fail("nothing to claim")
const postsOf = (claims: ReadonlyArray<Pick<TargetClaim, "post">>) => claims.map(({ post }) => post.id)

const settle = Effect.fnUntraced(function* (
  held: TargetClaim,
  next: (target: PostTarget) => PostTarget,
  leaseUntil: Option.Option<DateTime.Utc> = Option.none()
) {
  return yield* (yield* PostStore).settle(held, (target) => ({ target: next(target), leaseUntil }))
})

const find = Effect.fnUntraced(function* ({ post: { id, workspaceId } }: KeptPost, user?: string) {
  return yield* (yield* PostStore).find(scopeOf(workspaceId, user).scope, id)
})

const post = (externalId: string) => ({ externalId, url: Option.some("https://n/1"), postIds: [`of-${externalId}`] })
const publishing = (target: PostTarget, at: DateTime.Utc) =>
  stepped(admitted(begin(target, at), at), { _tag: "Ready", preparation: { id: "c1" } }, at)
const done = (externalId: string, at: DateTime.Utc) => (target: PostTarget) =>
  published(publishing(target, at), post(externalId), at)

const toldOf = Effect.fnUntraced(function* ({ workspaceId }: SocialAccount) {
  return (yield* eventsAfter(workspaceId)).flatMap(({ event }) => (event._tag.startsWith("Post") ? [event._tag] : []))
})

/** What every adapter of the port PostStore does. */
export const postStoreContract = <E>(adapter: string, stores: Layer.Layer<PostPorts, E>) => {
  ownPostSuite(adapter, stores)
  postOwnerSuite(adapter, stores)
  layer(inboxWorld(stores))(`PostStore: ${adapter}`, (it) => {
    leaseContract(it, {
      what: "target",
      add: Effect.fnUntraced(function* (count) {
        const at = yield* inboxEpoch
        const { id } = yield* makeInboxWorkspace(at)
        for (let n = 0; n < count; n++) yield* add([yield* connect(id, { networkAccountId: `a${n}`, at })], at)
        return at
      }),
      claim: (request) =>
        Effect.flatMap(PostStore, (store) => store.claim({ ...request, networks, now: request.leaseNow })),
      idOf: ({ target }: TargetClaim) => target.id,
      renew: (held, until) => Effect.flatMap(PostStore, (store) => store.renew(held, until)),
      release: (held) => settle(held, (target) => target),
      settle: [(held, at) => settle(held, (target) => fail(target, failureOf("rejected"), at))]
    })

    it.effect("keeps a post whole, and shows it to its managed user and the workspace", () =>
      Effect.gen(function* () {
        const { account, at, other } = yield* makePlace
        const kept = yield* add([account, other], at, { text: "Straße 👍", owner: "u1" })
        assert.deepStrictEqual(Option.getOrThrow(yield* find(kept)), kept)
        assert.isTrue(Option.isSome(yield* find(kept, "u1")))
        assert.isTrue(Option.isNone(yield* find(kept, "u2")))
        const elsewhere = yield* makeInboxWorkspace(at)
        assert.isTrue(Option.isNone(yield* (yield* PostStore).find(scopeOf(elsewhere.id).scope, kept.post.id)))
      })
    )

    it.effect("counts what has not ended, and tells when the first of those that have not begun is due", () =>
      Effect.gen(function* () {
        const { account, at, other } = yield* makePlace
        const { depth } = yield* PostStore
        const before = yield* depth
        yield* add([account, other], at)
        const added = yield* depth
        assert.strictEqual(added.counts.pending, before.counts.pending + 2)
        assert.deepStrictEqual(added.oldestAt, Option.some(at))
        for (const held of yield* claim(at)) yield* settle(held, (target) => publishing(target, at))
        const begun = yield* depth
        assert.strictEqual(begun.counts.pending, before.counts.pending)
        assert.strictEqual(begun.counts.publishing, before.counts.publishing + 2)
        assert.isFalse(Option.exists(begun.oldestAt, DateTime.isLessThanOrEqualTo(at)))
      })
    )

    it.effect("makes one post of one key, however many ask at once; a deleted post frees its key", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const asked = yield* Effect.forEach(
          Array.from({ length: 12 }),
          () => add([account], at, { key: "k", isDraft: true }),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(asked.map(({ post: { id } }) => id)).size, 1)
        const first = asked[0] ?? assert.fail()
        const store = yield* PostStore
        yield* store.change(inScope(account), first.post.id, () => Result.succeed({ _tag: "Delete" }))
        assert.isTrue(Option.isNone(yield* find(first)))
        const next = yield* add([account], at, { key: "k", isDraft: true })
        assert.notStrictEqual(next.post.id, first.post.id)
      })
    )

    it.effect("lists the newest first by pages, with filters", () =>
      Effect.gen(function* () {
        const { account, at, other } = yield* makePlace
        const posts: Array<KeptPost> = []
        for (let n = 0; n < 5; n++) {
          posts.push(yield* add([n === 2 ? other : account], seconds(at, n), { isDraft: n % 2 === 0 }))
        }
        const store = yield* PostStore
        const all = { status: Option.none(), accountId: Option.none() }
        const page = yield* store.list(inScope(account), all, { limit: 3, after: Option.none() })
        const rest = yield* store.list(inScope(account), all, { limit: 3, after: page.next })
        const ids = [...page.items, ...rest.items].map(({ post: { id } }) => id)
        assert.deepStrictEqual(ids, posts.map(({ post: { id } }) => id).toReversed())
        assert.isTrue(Option.isNone(rest.next))
        const drafts = { ...all, status: Option.some("draft" as const) }
        const some = yield* store.list(inScope(account), drafts, { limit: 9, after: Option.none() })
        assert.strictEqual(some.items.length, 3)
        const ofOther = { ...all, accountId: Option.some(other.id) }
        const one = yield* store.list(inScope(account), ofOther, { limit: 9, after: Option.none() })
        assert.deepStrictEqual(
          one.items.map(({ post: { id } }) => id),
          [posts[2]?.post.id]
        )
      })
    )

    it.effect("lets one target of an account begin at a time, in the order of their times", () =>
      Effect.gen(function* () {
        const { account, at, other } = yield* makePlace
        const late = yield* add([account], at, { startAt: seconds(at, 20) })
        const early = yield* add([account], at, { startAt: seconds(at, 10) })
        const beside = yield* add([other], at, { startAt: seconds(at, 30) })
        assert.deepStrictEqual(yield* claim(seconds(at, 9)), [])
        const now = seconds(at, 40)
        const claims = yield* claim(now)
        assert.deepStrictEqual(postsOf(claims), [early.post.id, beside.post.id])
        assert.deepStrictEqual(yield* claim(now), [])
        const held = only(claims)
        yield* settle(held, (target) => publishing(target, now), Option.some(seconds(now, 15)))
        assert.deepStrictEqual(yield* claim(now), [])
        const { accountId, workspaceId } = held.target
        const ofLate = { accountId, workspaceId, id: late.targets[0]?.id ?? assert.fail() }
        const store = yield* PostStore
        assert.deepStrictEqual(postsOf((yield* store.findRivals(ofLate)).uncertain), [early.post.id])
        // An uncertain one does not hold up others: it is only looked for.
        yield* settle(held, (target) => uncertain(target, now))
        assert.deepStrictEqual(postsOf((yield* store.findRivals(ofLate)).uncertain), [early.post.id])
        const next = yield* claim(now)
        assert.deepStrictEqual(postsOf(next), [late.post.id])
        yield* settle(only(next), (target) => begin(target, now), Option.some(seconds(now, 15)))
        // Nor is it published again while another is.
        const later = seconds(now, 6)
        const [looking] = yield* claim(later)
        if (looking === undefined) return assert.fail("a look is due")
        const refused = yield* Effect.flip(settle(looking, (target) => republished(target, later)))
        assert.strictEqual(refused._tag, "LeaseLost")
      })
    )

    it.effect("lets others of the account begin while one waits for a quota", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        yield* add([account], at)
        const second = yield* add([account], seconds(at, 1))
        const now = seconds(at, 2)
        const waiting = yield* settle(only(yield* claim(now)), (target) => overQuota(begin(target, now), now))
        assert.strictEqual(waiting.state._tag, "Delayed")
        assert.deepStrictEqual(postsOf(yield* claim(now)), [second.post.id])
      })
    )

    it.effect("never lets two workers begin two targets of one account at once", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        for (let n = 0; n < 6; n++) yield* add([account], seconds(at, n))
        const now = seconds(at, 10)
        const claims = yield* Effect.all(
          Array.from({ length: 8 }, () => claim(now, 3)),
          { concurrency: "unbounded" }
        )
        assert.isAtMost(claims.flat().length, 1)
      })
    )

    it.effect("derives the post's status and tells of every visible change in the same transaction", () =>
      Effect.gen(function* () {
        const { account, at, other } = yield* makePlace
        const kept = yield* add([account, other], at, { owner: "u1" })
        const [first, second] = yield* claim(at)
        if (first === undefined || second === undefined) return assert.fail("two were due")
        const steps = Option.some(seconds(at, 15))
        yield* settle(first, (target) => begin(target, at), steps)
        yield* settle(
          first,
          (target) => stepped(target, { _tag: "Again", preparation: "c", after: Duration.zero }, at),
          steps
        )
        assert.deepStrictEqual(yield* toldOf(account), ["PostTargetUpdated"])
        yield* settle(first, done("p1", seconds(at, 1)))
        assert.strictEqual(statusOfPost(Option.getOrThrow(yield* find(kept))), "publishing")
        yield* settle(second, (target) => fail(target, failureOf("rejected"), seconds(at, 2)))
        const ended = showPost(Option.getOrThrow(yield* find(kept)))
        assert.deepStrictEqual(
          [ended.status, ended.targets.map(({ status }) => status)],
          ["partial", ["published", "failed"]]
        )
        assert.deepStrictEqual(ended.updatedAt, seconds(at, 2))
        assert.deepStrictEqual(yield* toldOf(account), [
          "PostTargetUpdated",
          "PostTargetUpdated",
          "PostTargetUpdated",
          "PostPartial"
        ])
        const { knownIds: known } = yield* (yield* PostStore).findRivals({
          ...first.target,
          accountId: account.id,
          id: second.target.id
        })
        assert.deepStrictEqual(Array.from(known).toSorted(), ["of-p1", "p1"])
      })
    )

    it.effect("changes claimed targets, too: who takes one back wins over the worker that has not begun it", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const kept = yield* add([account], at)
        const held = only(yield* claim(at))
        const later = seconds(at, 3_600)
        yield* (yield* PostStore).change(inScope(account), kept.post.id, (current) =>
          Result.succeed({
            _tag: "Change",
            kept: { ...current, targets: current.targets.map((target) => rearmed(target, later)) }
          })
        )
        const begun = yield* settle(held, (target) => begin(target, at))
        assert.strictEqual(begun.state._tag, "Waiting")
        assert.deepStrictEqual(yield* claim(seconds(at, 60)), [])
        assert.deepStrictEqual(postsOf(yield* claim(later)), [kept.post.id])
      })
    )

    it.effect("refuses what goes out without its account or file, and keeps the files of what has not ended", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const media = yield* MediaStore
        const file = yield* makeGif(account.workspaceId, at)
        const kept = yield* add([account], at, { mediaIds: [file.id] })
        assert.strictEqual((yield* Effect.flip(media.remove(account.workspaceId, file.id, at)))._tag, "MediaInUse")
        yield* settle(only(yield* claim(at)), done("p1", at))
        assert.strictEqual(statusOfPost(Option.getOrThrow(yield* find(kept))), "published")
        yield* media.remove(account.workspaceId, file.id, at)
        const refused = yield* Effect.flip(add([account], at, { mediaIds: [file.id] }))
        assert.strictEqual(refused._tag, "PostFactsChanged")
        const draft = yield* add([account], at, { mediaIds: [file.id], isDraft: true })
        assert.isTrue(Option.isSome(yield* find(draft)))
      })
    )

    it.effect("erases the targets of an account, and posts that went to nobody else", () =>
      Effect.gen(function* () {
        const { account, at, other } = yield* makePlace
        const alone = yield* add([account], at)
        const both = yield* add([account, other], seconds(at, 1))
        const { workspaceId } = account
        yield* (yield* Erasures).erase({ workspaceId, accountId: account.id }, redactNames)
        assert.isTrue(Option.isNone(yield* find(alone)))
        const left = Option.getOrThrow(yield* find(both))
        assert.deepStrictEqual(
          left.targets.map(({ accountId }) => accountId),
          [other.id]
        )
        assert.deepStrictEqual(postsOf(yield* claim(seconds(at, 2))), [both.post.id])
        const refused = yield* Effect.flip(add([account], at))
        assert.strictEqual(refused._tag, "PostFactsChanged")
      })
    )

    it.effect("forgets a post a year after it ended", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const kept = yield* add([account], at)
        const open = yield* add([account], seconds(at, 1), { isDraft: true })
        yield* settle(only(yield* claim(at)), done("p1", at))
        const retention = yield* RetentionStore
        const end = DateTime.add(at, { days: postRowDays })
        yield* retention.purgeRows(seconds(end, -1), 1_000)
        assert.isTrue(Option.isSome(yield* find(kept)))
        yield* retention.purgeRows(end, 1_000)
        assert.isTrue(Option.isNone(yield* find(kept)))
        assert.isTrue(Option.isSome(yield* find(open)))
      })
    )
  })
}
