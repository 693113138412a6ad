import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import { ConnectSessions } from "../../src/connecting/ConnectSessions.ts"
import { candidate, FakeDialogs } from "@loopbox/testing/fakes/FakeConnect"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { back, create, ended, layerConnecting, open } from "./person.ts"

/** Sessions of a process that hangs when it stores an account, until it is killed. */
const hanging = Layer.fresh(ConnectSessions.layer).pipe(
  Layer.provide(
    Layer.effect(
      SocialAccounts,
      Effect.map(SocialAccounts, (accounts) => ({ ...accounts, admit: () => Effect.never }))
    )
  )
)

const countOf = (workspaceId: Parameters<typeof create>[0]) =>
  Effect.map(
    SocialAccounts.use((accounts) => accounts.list(workspaceId, { limit: 10, after: Option.none() })),
    ({ items }) => items.length
  )

describe("a process that dies with what the network gave", () => {
  it.effect("before the account is stored: the browser's reload connects it, and the code is not needed again", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const { linkToken } = yield* create(id)
      const visit = yield* open(linkToken)
      const killed = yield* Effect.forkChild(Effect.scoped(Effect.provide(back(visit), hanging)))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(killed)
      assert.strictEqual(yield* countOf(id), 0)
      yield* TestClock.adjust("60 seconds")
      const { session } = yield* ended(back(visit))
      assert.deepStrictEqual([session.status, session.accountIds.length], ["completed", 1])
      assert.strictEqual(yield* countOf(id), 1)
      assert.deepStrictEqual((yield* FakeDialogs).exchanged, ["code"])
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("before that is stored: the session can be tried again by its link", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const dialogs = yield* FakeDialogs
      dialogs.answer = () => Effect.never
      const { linkToken } = yield* create(id)
      const first = yield* open(linkToken)
      const killed = yield* Effect.forkChild(
        Effect.scoped(Effect.provide(back(first), Layer.fresh(ConnectSessions.layer)))
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(killed)
      dialogs.answer = () => Effect.succeed([candidate("page")])
      const { session } = yield* ended(back(yield* open(linkToken), { code: "second" }))
      assert.strictEqual(session.status, "completed")
      assert.strictEqual(yield* countOf(id), 1)
    }).pipe(Effect.provide(layerConnecting))
  )
})

describe("a browser", () => {
  it.effect("is let wait for less than half a minute, and gets the outcome when it asks again", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const latch = yield* Latch.make()
      ;(yield* FakeDialogs).answer = () => latch.whenOpen(Effect.succeed([candidate("page")]))
      const { linkToken } = yield* create(id)
      const visit = yield* open(linkToken)
      const first = yield* Effect.forkChild(back(visit))
      yield* TestClock.adjust("1 second")
      const reload = yield* Effect.forkChild(back(visit))
      yield* TestClock.adjust("23 seconds")
      yield* latch.open
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(first))._tag, "Ended")
      assert.strictEqual((yield* Fiber.join(reload))._tag, "Ended")
    }).pipe(Effect.provide(layerConnecting))
  )

  it.effect("is told to wait on by a process that waits for another one", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const { linkToken } = yield* create(id)
      const visit = yield* open(linkToken)
      const other = yield* Effect.forkChild(Effect.scoped(Effect.provide(back(visit), hanging)))
      yield* TestClock.adjust("1 second")
      const here = yield* Effect.forkChild(back(visit))
      yield* TestClock.adjust("27 seconds")
      assert.strictEqual((yield* Fiber.join(here))._tag, "Waiting")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(other))._tag, "Waiting")
    }).pipe(Effect.provide(layerConnecting))
  )
})
