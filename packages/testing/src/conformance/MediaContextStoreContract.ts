import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { MediaContext } from "@loopbox/core/networks/MediaContext"
import { type KeptContext, MediaContextStore } from "@loopbox/core/inbox/MediaContextStore"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import {
  connect,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  makeInboxWorkspace,
  redactNames
} from "../fixtures/inboxFixtures.ts"

const context = (caption: string, at: DateTime.Utc): MediaContext => ({
  id: "p1",
  caption: Option.some(caption),
  mediaUrl: Option.none(),
  timestamp: Option.some(at),
  mediaType: "carousel",
  permalink: Option.some("https://example.com/p1")
})

const makePlace = Effect.gen(function* () {
  const at = yield* inboxEpoch
  const { id } = yield* makeInboxWorkspace(at)
  const account = yield* connect(id, { owner: "u1", at })
  return { at, account, post: { workspaceId: id, accountId: account.id, postId: "p1" } }
})

/** What every adapter of the port MediaContextStore does. */
export const mediaContextStoreContract = <E>(
  adapter: string,
  stores: Layer.Layer<InboxPorts | MediaContextStore | RetentionStore, E>
) =>
  layer(inboxWorld(stores))(`MediaContextStore: ${adapter}`, (it) => {
    it.effect("keeps the newest that was said of a post, and that it is gone", () =>
      Effect.gen(function* () {
        const { at, post } = yield* makePlace
        const store = yield* MediaContextStore
        assert.isTrue(Option.isNone(yield* store.find(post)))
        const said: KeptContext = { context: Option.some(context("A 👍 day", at)), fetchedAt: at }
        yield* store.put(post, said)
        assert.deepStrictEqual(yield* store.find(post), Option.some(said))
        yield* store.put(post, { context: Option.none(), fetchedAt: DateTime.subtract(at, { seconds: 1 }) })
        assert.deepStrictEqual(yield* store.find(post), Option.some(said))
        const gone: KeptContext = { context: Option.none(), fetchedAt: DateTime.add(at, { seconds: 1 }) }
        yield* store.put(post, gone)
        assert.deepStrictEqual(yield* store.find(post), Option.some(gone))
        assert.isTrue(Option.isNone(yield* store.find({ ...post, postId: "p2" })))
        const other = yield* makeInboxWorkspace(at)
        assert.isTrue(Option.isNone(yield* store.find({ ...post, workspaceId: other.id })))
      })
    )

    it.effect("forgets what it knew with the account, and after 30 days", () =>
      Effect.gen(function* () {
        const { account, at, post } = yield* makePlace
        const store = yield* MediaContextStore
        const retention = yield* RetentionStore
        const kept: KeptContext = { context: Option.some(context("x", at)), fetchedAt: at }
        yield* store.put(post, kept)
        const purge = (days: number) =>
          Effect.repeat(retention.purgeRows(DateTime.add(at, { days }), 1), { while: (count) => count > 0 })
        yield* purge(29)
        assert.isTrue(Option.isSome(yield* store.find(post)))
        yield* purge(30)
        assert.isTrue(Option.isNone(yield* store.find(post)))
        yield* store.put(post, kept)
        yield* (yield* SocialAccounts).disconnect(account.workspaceId, account.id, at)
        yield* store.put({ ...post, postId: "p2" }, kept)
        yield* (yield* ManagedUsers).erase(account.workspaceId, "u1", redactNames)
        assert.isTrue(Option.isNone(yield* store.find(post)))
        assert.isTrue(Option.isNone(yield* store.find({ ...post, postId: "p2" })))
      })
    )
  })
