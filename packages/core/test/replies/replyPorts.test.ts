import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type OperationChange, type OperationClaim, OutboundStore } from "../../src/outbound/OutboundStore.ts"
import { makeReplyPorts } from "../../src/replies/replyPorts.ts"
import { layerInbox } from "@loopbox/testing/layers/inboxLayers"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { away } from "@loopbox/testing/fixtures/mediaFixtures"
import { makeItem } from "./replyWorld.ts"

const lease = Duration.seconds(15)

/** Ports over a store whose first answers come after the time-out of a call, and are that it is away. */
const makePorts = Effect.fnUntraced(function* (failures: number) {
  const { account } = yield* makeItem()
  const operation = yield* makeOperation(account, yield* DateTime.now)
  const written: Array<{ readonly at: DateTime.Utc; readonly change: OperationChange }> = []
  let calls = 0
  const slow = (store: OutboundStore["Service"]) =>
    OutboundStore.of({
      ...store,
      change: Effect.fnUntraced(function* (_claim, decide) {
        calls += 1
        if (calls <= failures) {
          yield* Effect.sleep("10 seconds")
          return yield* Effect.fail(away())
        }
        written.push({ at: yield* DateTime.now, change: decide(operation) })
        return operation
      })
    })
  const ports = yield* Effect.updateService(makeReplyPorts(lease), OutboundStore, slow)
  const claim: OperationClaim = { operation, token: "t" }
  const seen: Array<DateTime.Utc> = []
  const change = ports.change(
    claim,
    (current, now) => {
      seen.push(now)
      return current
    },
    () => true
  )
  return { change, seen, written, calls: () => calls }
})

describe("a change of a reply that its worker holds", () => {
  it.effect("is written with the times of its last try, not of its first (core 11)", () =>
    Effect.gen(function* () {
      const { change, seen, written } = yield* makePorts(1)
      const fiber = yield* Effect.forkChild(change)
      yield* TestClock.adjust("11 seconds")
      yield* Fiber.join(fiber)
      const [entry] = written
      const { at, change: stored } = entry ?? assert.fail("nothing was written")
      assert.deepStrictEqual(seen, [at])
      assert.deepInclude(stored.leaseUntil, { value: DateTime.addDuration(at, lease) })
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("is tried for about as long as a lease, however long each try takes (core 11)", () =>
    Effect.gen(function* () {
      const { calls, change } = yield* makePorts(100)
      const fiber = yield* Effect.forkChild(Effect.flip(change))
      yield* TestClock.adjust("31 seconds")
      assert.isDefined(fiber.pollUnsafe())
      assert.isAtMost(calls(), 3)
    }).pipe(Effect.provide(layerInbox))
  )
})
