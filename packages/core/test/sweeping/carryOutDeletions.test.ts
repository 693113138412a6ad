import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { Erasures } from "../../src/accounts/Erasures.ts"
import { carryOutDeletions } from "../../src/sweeping/carryOutDeletions.ts"
import { DeletionRequests } from "../../src/connecting/DeletionRequests.ts"
import { SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import { layerInboxPorts } from "@loopbox/testing/layers/inboxLayers"

const workspaceId = WorkspaceId.make("ws_00000000000000000000000001")
const accountOf = (n: number) => SocialAccountId.make(`acc_${String(n).padStart(26, "0")}`)
const unavailable = new StoreUnavailable({ operation: "test", committed: "no", cause: new Error("away") })

/** Requests for one account each, of which some can't be erased, or not as a whole. */
const asked = (count: number, how: { readonly failing: ReadonlyArray<number>; readonly large: number }) =>
  Effect.gen(function* () {
    const deletions = yield* DeletionRequests
    const now = yield* DateTime.now
    for (let n = 0; n < count; n++) {
      const accounts = [{ workspaceId, accountId: accountOf(n) }]
      const createdAt = DateTime.add(now, { seconds: n })
      yield* deletions.put({ code: `code${n}`, accounts, createdAt, completedAt: Option.none() }, `digest${n}`)
    }
    const turns = new Map<string, number>()
    const erasures = Layer.effect(
      Erasures,
      Effect.map(Erasures, (others) => ({
        ...others,
        erase: ({ accountId }) => {
          turns.set(accountId, (turns.get(accountId) ?? 0) + 1)
          return how.failing.some((n) => accountOf(n) === accountId) ? Effect.fail(unavailable) : Effect.void
        },
        isLeft: ({ accountId }) => Effect.succeed(accountId === accountOf(how.large))
      }))
    )
    yield* Effect.provide(carryOutDeletions, erasures)
    return { turns, open: (yield* deletions.listOpen(1_000)).map(({ code }) => code) }
  }).pipe(Effect.provide(layerInboxPorts))

describe("carryOutDeletions", () => {
  it.effect("goes on behind a request that can't be carried out, each of them once", () =>
    Effect.gen(function* () {
      const { open, turns } = yield* asked(5, { failing: [0], large: 2 })
      assert.deepStrictEqual(open, ["code0", "code2"])
      assert.deepStrictEqual(Array.from(turns.values()), [1, 1, 1, 1, 1])
    })
  )

  it.effect("erases the other accounts of a request of which one can't be reached", () =>
    Effect.gen(function* () {
      const deletions = yield* DeletionRequests
      const accounts = [0, 1].map((n) => ({ workspaceId, accountId: accountOf(n) }))
      const createdAt = yield* DateTime.now
      yield* deletions.put({ code: "both", accounts, createdAt, completedAt: Option.none() }, "digest")
      const erased: Array<SocialAccountId> = []
      const erasures = Layer.effect(
        Erasures,
        Effect.map(Erasures, (others) => ({
          ...others,
          erase: ({ accountId }) =>
            accountId === accountOf(0) ? Effect.fail(unavailable) : Effect.sync(() => erased.push(accountId))
        }))
      )
      yield* Effect.provide(carryOutDeletions, erasures)
      assert.deepStrictEqual(erased, [accountOf(1)])
      assert.deepStrictEqual(
        (yield* deletions.listOpen(10)).map(({ code }) => code),
        ["both"]
      )
    }).pipe(Effect.provide(layerInboxPorts))
  )

  it.effect("goes on behind as many as are read at a time", () =>
    Effect.gen(function* () {
      const failing = Array.from({ length: 120 }, (_, n) => n)
      const { open } = yield* asked(250, { failing, large: 130 })
      assert.deepStrictEqual(open, [...failing.map((n) => `code${n}`), "code130"])
    })
  )
})
