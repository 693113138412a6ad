import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { type KeptPost, Post } from "@loopbox/core/posts/Post"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { begin } from "@loopbox/core/posts/transitions"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import {
  connect,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  makeInboxWorkspace,
  redactNames,
  scopeOf
} from "../../fixtures/inboxFixtures.ts"
import { makeKeptPost, type PostOptions } from "../../fixtures/postFixtures.ts"

const submit = Effect.fnUntraced(function* (kept: KeptPost) {
  const { idempotencyKey, workspaceId } = kept.post
  return yield* (yield* PostStore).submit({ workspaceId, idempotencyKey }, () => Result.succeed(kept))
})

/** An account that was ann's and is bob's, with what makes posts to it. */
const makeMoved = Effect.gen(function* () {
  const at = yield* inboxEpoch
  const { id } = yield* makeInboxWorkspace(at)
  const account = yield* connect(id, { owner: "ann", at })
  for (const user of ["ann", "bob"]) yield* (yield* ManagedUsers).put(id, user, at)
  yield* (yield* SocialAccounts).update(id, account.id, { externalUserId: Option.some("bob") }, at)
  const add = (options: PostOptions) => Effect.flatMap(makeKeptPost(id, [account], at, options), submit)
  return { id, at, add }
})

const claim = Effect.fnUntraced(function* (now: DateTime.Utc) {
  const token = yield* (yield* SecureRandom).uuidV7()
  const leaseUntil = DateTime.add(now, { seconds: 15 })
  const request = { networks: ["instagram" as const], limit: 10, token, now, leaseNow: now, leaseUntil }
  return yield* (yield* PostStore).claim(request)
})

/** Posts and the managed users whose they are. */
export const postOwnerSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts | PostStore, E>) =>
  layer(inboxWorld(stores))(`PostStore, owners of posts: ${adapter}`, (it) => {
    it.effect("a post goes with its managed user, also from an account that is another's by now", () =>
      Effect.gen(function* () {
        const [store, users] = [yield* PostStore, yield* ManagedUsers]
        const { add, at, id } = yield* makeMoved
        const hers = [yield* add({ owner: "ann", isDraft: true }), yield* add({ owner: "ann" })]
        const his = yield* add({ owner: "bob", isDraft: true })
        assert.isTrue(yield* users.erase(id, "ann", redactNames))
        const left = yield* Effect.forEach([...hers, his], ({ post }) => store.find(scopeOf(id).scope, post.id))
        assert.deepStrictEqual(left.map(Option.isSome), [false, false, true])
        // Somebody else gets the same name later.
        yield* users.put(id, "ann", at)
        const all = { status: Option.none(), accountId: Option.none() }
        const page = yield* store.list(scopeOf(id, "ann").scope, all, { limit: 9, after: Option.none() })
        assert.deepStrictEqual(page.items, [])
        assert.deepStrictEqual(yield* claim(at), [])
      })
    )

    it.effect("a post or draft of a managed user who is gone is not stored, and no change makes one theirs", () =>
      Effect.gen(function* () {
        const [store, users] = [yield* PostStore, yield* ManagedUsers]
        const { add, at, id } = yield* makeMoved
        const free = yield* add({ isDraft: true })
        yield* users.erase(id, "ann", redactNames)
        for (const isDraft of [true, false]) {
          assert.strictEqual((yield* Effect.flip(add({ owner: "ann", isDraft })))._tag, "PostOwnerGone")
        }
        const give = (owner: string) =>
          store.change(scopeOf(id).scope, free.post.id, ({ post, targets }) =>
            Result.succeed({
              _tag: "Change",
              kept: { post: new Post({ ...post, externalUserId: Option.some(owner), updatedAt: at }), targets }
            })
          )
        assert.strictEqual((yield* Effect.flip(give("ann")))._tag, "PostFactsChanged")
        const kept = yield* Effect.flatMap(store.find(scopeOf(id).scope, free.post.id), Effect.fromOption)
        assert.deepStrictEqual(kept.post.externalUserId, Option.none())
        const given = Option.getOrThrow(yield* give("bob"))
        assert.deepStrictEqual(given.post.externalUserId, Option.some("bob"))
      })
    )

    it.effect("a post that is being published when its managed user is erased frees its account", () =>
      Effect.gen(function* () {
        const store = yield* PostStore
        const { add, at, id } = yield* makeMoved
        const hers = yield* add({ owner: "ann" })
        const [held] = yield* claim(at)
        if (held === undefined) return assert.fail("nothing to claim")
        const leaseUntil = Option.some(DateTime.add(at, { seconds: 15 }))
        yield* store.settle(held, (target) => ({ target: begin(target, at), leaseUntil }))
        const his = yield* add({ owner: "bob" })
        assert.deepStrictEqual(yield* claim(at), [])
        yield* (yield* ManagedUsers).erase(id, "ann", redactNames)
        const ended = yield* Effect.flip(store.settle(held, (target) => ({ target, leaseUntil: Option.none() })))
        assert.strictEqual(ended._tag, "LeaseLost")
        assert.isTrue(Option.isNone(yield* store.find(scopeOf(id).scope, hers.post.id)))
        assert.deepStrictEqual(
          (yield* claim(at)).map(({ post }) => post.id),
          [his.post.id]
        )
      })
    )
  })
