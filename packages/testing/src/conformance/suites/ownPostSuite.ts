import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { PostId } from "@loopbox/core/kernel/Ids"
import { PostStore, type TargetClaim } from "@loopbox/core/posts/PostStore"
import type { PostTarget } from "@loopbox/core/posts/PostTarget"
import { admitted, begin, detailed, published, stepped } from "@loopbox/core/posts/transitions"
import { posted, type PostedOptions } from "../../fixtures/activities.ts"
import {
  connect,
  eventsAfter,
  idOf,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  ingest,
  lastSeq,
  listed,
  makeInboxWorkspace,
  scopeOf,
  tagsAfter,
  walk
} from "../../fixtures/inboxFixtures.ts"
import { makeKeptPost } from "../../fixtures/postFixtures.ts"

/** A post that is being published, with its claim. */
const makePublishing = Effect.fnUntraced(function* (account: SocialAccount, at: DateTime.Utc) {
  const store = yield* PostStore
  const kept = yield* makeKeptPost(account.workspaceId, [account], at)
  const { idempotencyKey, workspaceId } = kept.post
  yield* store.submit({ workspaceId, idempotencyKey }, () => Result.succeed(kept))
  const token = yield* (yield* SecureRandom).uuidV7()
  const leaseUntil = DateTime.add(at, { seconds: 15 })
  const request = { networks: ["instagram" as const], limit: 10, token, now: at, leaseNow: at, leaseUntil }
  const held = (yield* store.claim(request)).find(({ post }) => post.id === kept.post.id)
  if (held === undefined) return assert.fail("nothing to claim")
  yield* settle(held, (target) =>
    stepped(admitted(begin(target, at), at), { _tag: "Ready", preparation: { id: "c1" } }, at)
  )
  return { id: kept.post.id, held }
})

/** The claim is kept. */
const settle = Effect.fnUntraced(function* (held: TargetClaim, next: (target: PostTarget) => PostTarget) {
  const leaseUntil = Option.some(DateTime.add(held.post.createdAt, { minutes: 5 }))
  return yield* (yield* PostStore).settle(held, (target) => ({ target: next(target), leaseUntil }))
})

const publish = (held: TargetClaim, externalId: string, postIds: ReadonlyArray<string> = []) =>
  settle(held, (target) => published(target, { externalId, url: Option.none(), postIds }, held.post.createdAt))

const world = Effect.gen(function* () {
  const at = yield* inboxEpoch
  const { id } = yield* makeInboxWorkspace(at)
  const account = yield* connect(id, { owner: "u1", at })
  const scope = scopeOf(id)
  const shown = Effect.map(
    walk(scope),
    (items) => new Map(items.map(({ externalId, postId }) => [externalId, Option.getOrNull(postId)]))
  )
  return { at, account, scope, shown, workspaceId: id }
})

const on = (post: string, externalId: string, more: PostedOptions = {}) => posted({ externalId, post, ...more })

/** Comments on what was published here know its post. */
export const ownPostSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts | PostStore, E>) =>
  layer(inboxWorld(stores))(`PostStore, items of posts: ${adapter}`, (it) => {
    it.effect("gives comments and answers to them the post, by every id that the network has for it", () =>
      Effect.gen(function* () {
        const { account, at, scope, shown } = yield* world
        const { held, id } = yield* makePublishing(account, at)
        yield* publish(held, "video", ["page_post"])
        yield* ingest(account, [
          on("page_post", "comment"),
          on("page_post", "answer", { threadKey: "comment", rootOf: "comment" }),
          on("video", "of the video"),
          on("elsewhere", "of another post"),
          posted({ externalId: "message", source: "ig_dm" })
        ])
        assert.deepStrictEqual(
          yield* shown,
          new Map([
            ["comment", id],
            ["answer", id],
            ["of the video", id],
            ["of another post", null],
            ["message", null]
          ])
        )
        const told = (yield* eventsAfter(account.workspaceId)).flatMap(({ event }) =>
          event._tag === "NewItem" ? Option.toArray(event.item.postId) : []
        )
        assert.deepStrictEqual(told, [id, id, id])
        const mine = { postId: Option.some(id), limit: 1 }
        assert.sameMembers(yield* listed(scope, mine), ["comment", "answer", "of the video"])
        assert.deepStrictEqual(yield* listed(scope, { ...mine, threadKey: Option.some("of the video") }), [
          "of the video"
        ])
        assert.deepStrictEqual(yield* listed(scope, { ...mine, threadStatus: Option.some("resolved") }), [])
        assert.sameMembers(yield* listed(scopeOf(account.workspaceId, "u1"), mine), [
          "comment",
          "answer",
          "of the video"
        ])
        assert.deepStrictEqual(yield* listed(scopeOf(account.workspaceId, "u2"), mine), [])
      })
    )

    it.effect("gives the post to comments that were there before its ids, with the settlement and its events", () =>
      Effect.gen(function* () {
        const { account, at, scope, shown, workspaceId } = yield* world
        const { held, id } = yield* makePublishing(account, at)
        yield* ingest(account, [on("media", "early"), on("media", "answer", { rootOf: "early" }), on("other", "b")])
        assert.deepStrictEqual(new Set((yield* shown).values()), new Set([null]))
        const before = yield* lastSeq(workspaceId)
        yield* publish(held, "media")
        assert.deepStrictEqual(yield* tagsAfter(workspaceId, before), [
          "PostTargetUpdated",
          "PostPublished",
          "ItemUpdated",
          "ItemUpdated"
        ])
        assert.deepStrictEqual(
          yield* shown,
          new Map([
            ["early", id],
            ["answer", id],
            ["b", null]
          ])
        )
        const [told] = (yield* eventsAfter(workspaceId, before)).flatMap(({ event }) =>
          event._tag === "ItemUpdated" ? [event.item] : []
        )
        const early = yield* idOf(scope, "early")
        const items = yield* walk(scope)
        assert.deepStrictEqual(
          told,
          items.find((item) => item.id === told?.id)
        )
        assert.isTrue(items.some((item) => item.id === early))
      })
    )

    it.effect("gives it to comments by an id that the network tells later, and then says nothing again", () =>
      Effect.gen(function* () {
        const { account, at, shown, workspaceId } = yield* world
        const { held, id } = yield* makePublishing(account, at)
        yield* publish(held, "video")
        yield* ingest(account, [on("page_post", "early")])
        assert.deepStrictEqual(Array.from((yield* shown).values()), [null])
        const details = Option.some({ externalId: "video", url: Option.none<string>(), postIds: ["page_post"] })
        const before = yield* lastSeq(workspaceId)
        yield* settle(held, (target) => detailed(target, details, at))
        assert.deepStrictEqual(yield* tagsAfter(workspaceId, before), ["ItemUpdated"])
        assert.deepStrictEqual(Array.from((yield* shown).values()), [id])
        yield* settle(held, (target) => detailed(target, details, at))
        yield* ingest(account, [on("page_post", "early")])
        assert.deepStrictEqual(yield* tagsAfter(workspaceId, before), ["ItemUpdated"])
      })
    )

    it.effect("leaves items of other accounts and workspaces alone, whatever their networks call their posts", () =>
      Effect.gen(function* () {
        const { account, at, shown, workspaceId } = yield* world
        const other = yield* connect(workspaceId, { networkAccountId: "other", at })
        const { held, id } = yield* makePublishing(account, at)
        yield* ingest(other, [on("media", "other's early")])
        yield* publish(held, "media")
        yield* ingest(other, [on("media", "other's late")])
        yield* ingest(account, [on("media", "own")])
        assert.deepStrictEqual(
          yield* shown,
          new Map([
            ["other's early", null],
            ["other's late", null],
            ["own", id]
          ])
        )
      })
    )

    it.effect("misses no comment that arrives while its post is settled", () =>
      Effect.gen(function* () {
        const { account, at, shown } = yield* world
        const posts = new Map<string, PostId>()
        for (let round = 0; round < 12; round++) {
          const { held, id } = yield* makePublishing(account, DateTime.add(at, { seconds: round }))
          posts.set(`c${round}`, id).set(`d${round}`, id)
          yield* Effect.all(
            [
              ingest(account, [on(`m${round}`, `c${round}`)]),
              publish(held, `m${round}`),
              ingest(account, [on(`m${round}`, `d${round}`)])
            ],
            { concurrency: "unbounded" }
          )
        }
        assert.deepStrictEqual(
          new Map(Array.from(yield* shown).toSorted()),
          new Map<string, PostId | null>(Array.from(posts).toSorted())
        )
      })
    )
  })
