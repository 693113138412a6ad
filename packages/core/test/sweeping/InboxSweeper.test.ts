import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Metric, Option } from "effect"
import { TestClock } from "effect/testing"
import { eraseDue } from "../../src/accounts/eraseDue.ts"
import { type Erasure, Erasures } from "../../src/accounts/Erasures.ts"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import { InboxEvents } from "../../src/feed/InboxEvents.ts"
import { type CounterDrift, UnreadCounters } from "../../src/inbox/UnreadCounters.ts"
import { SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import { SyncStore } from "../../src/sync/SyncStore.ts"
import * as InboxSweeper from "../../src/sweeping/InboxSweeper.ts"
import { connect, makeInboxWorkspace, redactNames } from "@loopbox/testing/fixtures/inboxFixtures"
import { layerInboxPorts } from "@loopbox/testing/layers/inboxLayers"

const unavailable = new StoreUnavailable({ operation: "test", committed: "no", cause: new Error("away") })

/** Where events and syncs can't be swept, one of them because of a bug. */
const troubled = Layer.mergeAll(
  Layer.effect(
    InboxEvents,
    Effect.map(InboxEvents, (events) => ({ ...events, removeOlder: () => Effect.fail(unavailable) }))
  ),
  Layer.effect(
    SyncStore,
    Effect.map(SyncStore, (syncs) => ({ ...syncs, removeOlder: () => Effect.die(new Error("a bug")) }))
  )
)

describe("InboxSweeper", () => {
  it.effect("sweeps every part, also after others failed (M5)", () =>
    Effect.gen(function* () {
      const accounts = yield* SocialAccounts
      const now = yield* DateTime.now
      const { id } = yield* makeInboxWorkspace()
      const account = yield* connect(id, { at: DateTime.subtract(now, { days: 9 }) })
      yield* accounts.disconnect(id, account.id, DateTime.subtract(now, { days: 8 }))
      yield* Layer.build(InboxSweeper.layer({ every: "10 minutes" }).pipe(Layer.provide(troubled)))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* accounts.list(id, { limit: 10, after: Option.none() })).items, [])
      const parts = (yield* Metric.snapshot).flatMap(({ attributes, id }) =>
        id === "loopbox_sweep_last_success_timestamp_seconds" ? [attributes?.["part"]] : []
      )
      assert.deepStrictEqual(parts.toSorted(), [
        "connecting",
        "deletions",
        "deliveries",
        "erasures",
        "oldDeletions",
        "outgoing",
        "words"
      ])
    }).pipe(Effect.provide(layerInboxPorts), Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("tells that counters are right again soon after they were repaired, whichever process compares next", () =>
    Effect.gen(function* () {
      const workspaceId = WorkspaceId.make("ws_00000000000000000000000001")
      const accountId = SocialAccountId.make("acc_00000000000000000000000001")
      const wrong: CounterDrift = { workspaceId, accountId, source: "ig_comment", counted: 4, actual: 1 }
      let drifts: ReadonlyArray<CounterDrift> = [wrong]
      let isDue = true
      const counters = Layer.succeed(UnreadCounters, {
        compare: ({ workspaceIds }) =>
          Effect.sync(() => drifts.filter((one) => workspaceIds?.includes(one.workspaceId) ?? true)),
        // From the second time on another process has compared.
        compareDue: () =>
          Effect.sync(() => {
            const compared = isDue ? Option.some(drifts) : Option.none()
            isDue = false
            return compared
          })
      })
      yield* Layer.build(InboxSweeper.layer({ every: "10 minutes" }).pipe(Layer.provide(counters)))
      const told = Effect.map(Metric.snapshot, (metrics) =>
        metrics.flatMap((metric) =>
          metric.id === "loopbox_inbox_counter_drift" && metric.type === "Gauge" ? [metric.state.value] : []
        )
      )
      yield* TestClock.adjust("11 minutes")
      assert.deepStrictEqual(yield* told, [1])
      drifts = []
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* told, [0])
    }).pipe(Effect.provide(layerInboxPorts), Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("erases in turns, and continues with the others when one fails or is busy (H2)", () =>
    Effect.gen(function* () {
      const workspaceId = WorkspaceId.make("ws_00000000000000000000000001")
      const accountOf = (n: number) => SocialAccountId.make(`acc_0000000000000000000000000${n}`)
      const turns = new Map<string, number>()
      const left = new Map([1, 2, 3, 4].map((n) => [accountOf(n), n === 1 ? 3 : 1]))
      const erasures = Erasures.of({
        erase: () => Effect.void,
        isLeft: () => Effect.succeed(false),
        list: (_, limit) =>
          Effect.sync(() =>
            Array.from(left.keys())
              .slice(0, limit)
              .map((accountId): Erasure => ({ _tag: "Account", workspaceId, accountId }))
          ),
        advance: (erasure) =>
          Effect.suspend(() => {
            const accountId = erasure._tag === "Account" ? erasure.accountId : accountOf(0)
            turns.set(accountId, (turns.get(accountId) ?? 0) + 1)
            if (accountId === accountOf(2)) return Effect.fail(unavailable)
            if (accountId === accountOf(3)) return Effect.succeed("Busy")
            const rest = (left.get(accountId) ?? 0) - 1
            if (rest > 0) left.set(accountId, rest)
            else left.delete(accountId)
            return Effect.succeed(rest > 0 ? "More" : "Done")
          })
      })
      yield* Effect.provideService(eraseDue(DateTime.makeUnsafe(0), redactNames), Erasures, erasures)
      assert.deepStrictEqual(Array.from(left.keys()), [accountOf(2), accountOf(3)])
      assert.deepStrictEqual(
        [1, 2, 3, 4].map((n) => turns.get(accountOf(n))),
        [3, 1, 1, 1]
      )
    })
  )
})
