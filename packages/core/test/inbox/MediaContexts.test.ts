import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { type ReadFailed, Rejected, Unavailable } from "../../src/networks/ConnectorErrors.ts"
import type { MediaContext } from "../../src/networks/MediaContext.ts"
import { MediaContexts } from "../../src/inbox/MediaContexts.ts"
import { posted } from "@loopbox/testing/fixtures/activities"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { idOf, ingest, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, enter, layerInbox } from "@loopbox/testing/layers/inboxLayers"

const context: MediaContext = {
  id: "p1",
  caption: Option.some("A day"),
  mediaUrl: Option.none(),
  timestamp: Option.none(),
  mediaType: "image",
  permalink: Option.none()
}
const about = { network: "instagram", networkCode: Option.none(), detail: "" } as const
const gone = new Rejected({ ...about, reason: "gone" })
const down = new Unavailable({ ...about, reason: "upstream" })

/** Two comments under one post, and a message. */
const makePlace = Effect.gen(function* () {
  const workspace = yield* makeWorkspace("growth")
  const account = yield* connectAccount(workspace.id)
  const under = { linkedPostId: Option.some("p1") }
  yield* ingest(account, [
    Object.assign(posted({ externalId: "c1" }), under),
    Object.assign(posted({ externalId: "c2" }), under),
    posted({ externalId: "m1", source: "ig_dm" })
  ])
  const scope = scopeOf(workspace.id)
  const caller = yield* enter(workspace.id)
  const find = Effect.fnUntraced(function* (externalId: string) {
    const { age, cache } = yield* (yield* MediaContexts).find(caller, yield* idOf(scope, externalId))
    return `${cache} ${Duration.toSeconds(age)}`
  })
  return { find }
})

/** What the network answers from now on; answers how often it is asked. */
const answering = Effect.fnUntraced(function* (answer: Effect.Effect<MediaContext, ReadFailed>) {
  const networks = yield* FakeNetworks
  const asked: Array<string> = []
  networks.script = {
    findMediaContext: (_access, _source, postId) =>
      Effect.suspend(() => {
        asked.push(postId)
        return answer
      })
  }
  return asked
})

describe("the post of an item (api.md §3)", () => {
  it.effect(
    "is asked for once an hour for all items under it, and an older answer serves while the network is down",
    () =>
      Effect.gen(function* () {
        const { find } = yield* makePlace
        const asked = yield* answering(Effect.succeed(context))
        assert.strictEqual(yield* find("c1"), "miss 0")
        yield* TestClock.adjust("3599 seconds")
        assert.strictEqual(yield* find("c2"), "hit 3599")
        assert.deepStrictEqual(asked, ["p1"])
        yield* answering(Effect.fail(down))
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* find("c1"), "stale 3600")
        yield* answering(Effect.succeed(context))
        assert.strictEqual(yield* find("c1"), "miss 0")
      }).pipe(Effect.provide(layerInbox))
  )

  it.effect("is asked for once by all who want it at the same time, also where the first of them goes away", () =>
    Effect.gen(function* () {
      const { find } = yield* makePlace
      const asked = yield* answering(Effect.delay(Effect.succeed(context), "1 second"))
      const first = yield* Effect.forkChild(find("c1"), { startImmediately: true })
      const others = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 9 }, (_, n) => find(n % 2 === 0 ? "c1" : "c2")),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("500 millis")
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(new Set(yield* Fiber.join(others)).size, 1)
      assert.strictEqual(asked.length, 1)
      yield* TestClock.adjust("1 hour")
      yield* Effect.all([find("c1"), TestClock.adjust("1 second")], { concurrency: "unbounded" })
      assert.strictEqual(asked.length, 2)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("that is gone is not asked for again for five minutes, also where it was known", () =>
    Effect.gen(function* () {
      const { find } = yield* makePlace
      yield* answering(Effect.succeed(context))
      yield* find("c1")
      yield* TestClock.adjust("1 hour")
      const asked = yield* answering(Effect.fail(gone))
      const isGone = (externalId: string) =>
        Effect.map(Effect.flip(find(externalId)), (error) =>
          assert.deepInclude(error, { _tag: "NoParent", reason: "gone" })
        )
      yield* isGone("c1")
      yield* TestClock.adjust("299 seconds")
      yield* isGone("c2")
      assert.strictEqual(asked.length, 1)
      yield* TestClock.adjust("1 second")
      yield* answering(Effect.succeed(context))
      assert.strictEqual(yield* find("c1"), "miss 0")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("is none for a message, and unavailable where nothing is known and the network is down or hangs", () =>
    Effect.gen(function* () {
      const { find } = yield* makePlace
      const asked = yield* answering(Effect.fail(down))
      assert.deepInclude(yield* Effect.flip(find("m1")), { _tag: "NoParent", reason: "none" })
      assert.strictEqual(asked.length, 0)
      assert.deepInclude(yield* Effect.flip(find("c1")), { _tag: "MediaContextUnavailable" })
      yield* answering(Effect.never)
      const hung = yield* Effect.forkChild(Effect.flip(find("c1")))
      yield* TestClock.adjust("20 seconds")
      assert.deepInclude(hung.pollUnsafe(), { _tag: "Success" })
    }).pipe(Effect.provide(layerInbox))
  )
})
