import { MemoryAdapters } from "@loopbox/adapters-memory"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as TestClock from "effect/testing/TestClock"
import { ConsoleSessions } from "../../src/access/ConsoleSessions.ts"

const stores = Layer.mergeAll(MemoryAdapters.layer, Digest.layerWebCrypto, SecureRandom.layerWebCrypto).pipe(
  Layer.provide(layerNetworks)
)

/** The sessions of a host that was started with this admin token. */
const withToken = (adminToken: string) =>
  Effect.map(Layer.build(Layer.fresh(ConsoleSessions.layer(Redacted.make(adminToken)))), (context) =>
    Context.get(context, ConsoleSessions)
  )

describe("the console's", () => {
  it.effect("link signs in within 10 minutes, once", () =>
    Effect.gen(function* () {
      const { issueTicket, redeem } = yield* withToken("one")
      const [early, late] = [yield* issueTicket, yield* issueTicket]
      yield* TestClock.adjust("599 seconds")
      assert.isTrue(Option.isSome(yield* redeem(early)))
      assert.isTrue(Option.isNone(yield* redeem(early)))
      yield* TestClock.adjust("1 second")
      assert.isTrue(Option.isNone(yield* redeem(late)))
    }).pipe(Effect.scoped, Effect.provide(stores))
  )

  it.effect("session stands for 12 hours, however it was begun, and no longer", () =>
    Effect.gen(function* () {
      const { find, issueTicket, open, redeem } = yield* withToken("one")
      const byToken = yield* open
      const byLink = Option.getOrThrow(yield* redeem(yield* issueTicket))
      for (const { expiresAt, token } of [byToken, byLink]) {
        assert.deepStrictEqual(expiresAt, DateTime.add(yield* DateTime.now, { hours: 12 }))
        assert.deepStrictEqual(yield* find(token), Option.some(expiresAt))
      }
      yield* TestClock.adjust("43199 seconds")
      for (const { token } of [byToken, byLink]) assert.isTrue(Option.isSome(yield* find(token)))
      yield* TestClock.adjust("1 second")
      for (const { token } of [byToken, byLink]) assert.isTrue(Option.isNone(yield* find(token)))
    }).pipe(Effect.scoped, Effect.provide(stores))
  )

  it.effect("links and sessions end with the admin token that they go back to", () =>
    Effect.gen(function* () {
      const before = yield* withToken("one")
      const { token } = yield* before.open
      const ticket = yield* before.issueTicket
      const after = yield* withToken("another")
      assert.isTrue(Option.isNone(yield* after.find(token)))
      assert.isTrue(Option.isNone(yield* after.redeem(ticket)))
      assert.isTrue(Option.isSome(yield* (yield* withToken("one")).find(token)))
    }).pipe(Effect.scoped, Effect.provide(stores))
  )
})
