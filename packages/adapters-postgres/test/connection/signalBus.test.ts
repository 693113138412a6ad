import { PgAdapters } from "@loopbox/adapters-postgres"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { Hearing, SignalBus } from "@loopbox/core/kernel/SignalBus"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { signalBusContract } from "@loopbox/testing/conformance/SignalBusContract"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer, Queue, Stream } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Listener, makePgSignalBus } from "../../src/connection/PgSignalBus.ts"
import { followPrimary } from "../../src/connection/Primary.ts"
import { testDatabase } from "../testDatabase.ts"

/**
 * A server of publish and subscribe, as Redis or NATS are: it keeps nothing, and a connection may be cut. With `others` it
 * says that so many more listen.
 */
const makeHub = (others = 0) => {
  const listeners = new Map<Hearing, Deferred.Deferred<never, StoreUnavailable>>()
  const told: Array<string> = []
  let calls = 0
  const bus: SignalBus = {
    listeners: Effect.sync(() => listeners.size + others),
    tell: (words) => {
      calls++
      return Effect.forEach(
        words,
        (word) => {
          told.push(word)
          return Effect.forEach(Array.from(listeners.keys()), (hearing) => hearing.word(word), { discard: true })
        },
        { discard: true }
      )
    },
    listen: (hearing) =>
      Effect.gen(function* () {
        const cut = yield* Deferred.make<never, StoreUnavailable>()
        listeners.set(hearing, cut)
        yield* hearing.ready
        return yield* Deferred.await(cut)
      }).pipe(Effect.ensuring(Effect.sync(() => listeners.delete(hearing))))
  }
  const cutAll = Effect.suspend(() =>
    Effect.forEach(
      Array.from(listeners.values()),
      (cut) => Deferred.fail(cut, new StoreUnavailable({ operation: "hub", committed: "no", cause: new Error("cut") })),
      { discard: true }
    )
  )
  return { bus, told, cutAll, calls: () => calls }
}

signalBusContract(
  "a hub",
  Effect.sync(() => {
    const { bus } = makeHub()
    return [bus, bus] as const
  })
)

signalBusContract(
  "postgres",
  Effect.gen(function* () {
    const target = yield* testDatabase()
    const node = Effect.gen(function* () {
      const context = yield* Layer.build(
        Layer.fresh(PgAdapters.layerTarget(target, { migrate: false })).pipe(Layer.provide(layerNetworks))
      )
      const primary = yield* followPrimary(target)
      return yield* makePgSignalBus.pipe(
        Effect.provideService(Listener, { primary, session: { applicationName: "signals of a test" } }),
        Effect.provideContext(context)
      )
    })
    return [yield* node, yield* node] as const
  })
)

describe("Stores with a bus of one's own", () => {
  it.live("tell each other of events and deliveries over it, and look by themselves when it was lost", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const { bus, cutAll, told } = makeHub()
      const random = yield* Layer.build(SecureRandom.layerWebCrypto)
      const node = Effect.map(
        Layer.build(
          Layer.fresh(PgAdapters.layerTarget(target, { migrate: false, bus })).pipe(Layer.provideMerge(layerNetworks))
        ),
        (context) => Context.merge(context, random)
      )
      const [one, two] = [yield* node, yield* node]
      const changed = yield* Queue.unbounded<string>()
      yield* Context.get(two, InboxEvents).changes.pipe(
        Stream.runForEach((id) => Queue.offer(changed, id)),
        Effect.forkScoped
      )
      const arrivals = yield* Queue.unbounded<void>()
      yield* Context.get(two, WebhookDeliveries).arrivals.pipe(
        Stream.runForEach(() => Queue.offer(arrivals, undefined)),
        Effect.forkScoped
      )
      yield* Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id)
        // The other process may not have subscribed yet.
        let n = 0
        const say = Effect.suspend(() => ingest(account, [posted({ externalId: `c${n++}` })]))
        const heard = yield* Effect.raceFirst(
          Queue.take(changed),
          Effect.andThen(Effect.forever(Effect.delay(say, "30 millis")), Effect.never)
        )
        assert.strictEqual(heard, id)
        assert.isTrue(told.some((word) => word.includes(id)))
      }).pipe(Effect.provideContext(one))
      yield* Queue.clear(arrivals)
      yield* cutAll
      yield* Queue.take(arrivals)
      yield* Context.get(one, WebhookDeliveries).store(
        { id: "d1", endpoint: "instagram", body: new Uint8Array([1]), arrivedAt: noon },
        noon
      )
      yield* Queue.take(arrivals)
    }).pipe(Effect.scoped)
  )

  it.live("are silent for longer between two words the more of them there are, and tell all of it", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const random = yield* Layer.build(SecureRandom.layerWebCrypto)
      const tellsOf = Effect.fnUntraced(function* (others: number) {
        const { bus, calls, told } = makeHub(others)
        const node = yield* Layer.build(
          Layer.fresh(PgAdapters.layerTarget(target, { migrate: false, bus })).pipe(Layer.provideMerge(layerNetworks))
        )
        return yield* Effect.gen(function* () {
          const { id } = yield* makeInboxWorkspace()
          const account = yield* connect(id)
          const toldOfIt = () => told.some((word) => word.includes(id))
          // The first word goes out at once, and shows how many there are.
          let n = 0
          const say = Effect.suspend(() => ingest(account, [posted({ externalId: `c${n++}` })]))
          yield* Effect.repeat(Effect.delay(say, "10 millis"), { until: toldOfIt })
          const before = calls()
          yield* Effect.repeat(Effect.delay(say, "10 millis"), { times: 39 })
          const during = calls() - before
          told.length = 0
          yield* Effect.repeat(Effect.sleep("10 millis"), { until: toldOfIt })
          return during
        }).pipe(Effect.provideContext(Context.merge(node, random)))
      })
      const began = performance.now()
      const tells = yield* tellsOf(198)
      const passed = performance.now() - began
      // One in half a second of all that passed, where a few processes tell every 20 ms.
      assert.isAtMost(tells, Math.ceil(passed / 500))
    }).pipe(Effect.scoped)
  )
})
