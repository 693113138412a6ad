import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { makeClaimByWorkspace } from "../../src/rows/claimReadable.ts"
import { LooksBehind, makeTurns } from "../../src/rows/fairTurns.ts"
import { makeKeptKeys } from "../../src/rows/keptKeys.ts"

const Row = Schema.Struct({ id: Schema.Int })
const workspace_id = WorkspaceId.make("ws_00000000000000000000000001")
const now = DateTime.makeUnsafe("2026-06-01T00:00:00.000Z")

interface Key {
  readonly workspace_id: WorkspaceId
  readonly id: number
}

/** A backlog in memory whose looks are counted, each of which says that the next one behind it is far away. */
const backlogOf = (length: number) => {
  const left = new Set(Array.from({ length }, (_, id): Key => ({ workspace_id, id })))
  const kept = makeKeptKeys<Key, typeof Row.Type>((key, row) => key.id === row.id)
  const claimByWorkspace = makeClaimByWorkspace()
  let looks = 0
  const claimAt = (leaseNow: DateTime.Utc) =>
    claimByWorkspace({
      queue: "test",
      limit: 1,
      leaseNow,
      schema: Row,
      kept,
      look: (count) =>
        Effect.sync(() => {
          looks += 1
          return Array.from(left).slice(0, count)
        }),
      take: (_, keys: ReadonlyArray<Key>, count) =>
        Effect.sync(() => {
          const taken = keys.filter((key) => left.has(key)).slice(0, count)
          for (const key of taken) left.delete(key)
          return taken.map(({ id }) => ({ id }))
        }),
      putBack: () => Effect.void
    }).pipe(
      Effect.map((rows) => rows.map(({ id }) => id)),
      Effect.provideService(LooksBehind, 1e-9)
    )
  return { claimAt, kept, left, looks: () => looks }
}

describe("What a look at a backlog has found beyond its claim", () => {
  it.effect("is claimed next without another look, each once and in its order", () =>
    Effect.gen(function* () {
      const { claimAt, looks } = backlogOf(40)
      // A look, and one behind it.
      assert.deepStrictEqual(yield* claimAt(now), [0])
      assert.strictEqual(looks(), 2)
      for (let id = 1; id < 16; id++) assert.deepStrictEqual(yield* claimAt(now), [id])
      assert.strictEqual(looks(), 2)
      assert.deepStrictEqual(yield* claimAt(now), [16])
      assert.strictEqual(looks(), 3)
    })
  )

  it.effect("is looked for again when others have taken it", () =>
    Effect.gen(function* () {
      const { claimAt, left } = backlogOf(40)
      yield* claimAt(now)
      for (const key of left) if (key.id < 20) left.delete(key)
      assert.deepStrictEqual(yield* claimAt(now), [20])
    })
  )

  it.effect("is looked for again after 20 ms, where the clock stepped back, and after something was handed back", () =>
    Effect.gen(function* () {
      const { claimAt, kept, looks } = backlogOf(40)
      yield* claimAt(now)
      yield* claimAt(DateTime.add(now, { milliseconds: 19 }))
      assert.strictEqual(looks(), 2)
      yield* claimAt(DateTime.add(now, { milliseconds: 20 }))
      assert.strictEqual(looks(), 3)
      yield* claimAt(DateTime.add(now, { milliseconds: 19 }))
      assert.strictEqual(looks(), 4)
      kept.drop()
      yield* claimAt(DateTime.add(now, { milliseconds: 19 }))
      assert.strictEqual(looks(), 5)
    })
  )

  it.effect("is looked for behind each store's backlog, whatever others of the process have looked behind", () =>
    Effect.gen(function* () {
      const [one, other] = [backlogOf(40), backlogOf(40)]
      yield* one.claimAt(now)
      yield* other.claimAt(now)
      assert.deepStrictEqual([one.looks(), other.looks()], [2, 2])
    })
  )

  it.effect("is looked for with each claim that may look behind the backlog", () =>
    Effect.sync(() => {
      const { kept } = backlogOf(0)
      const turns = makeTurns()
      assert.deepStrictEqual(kept.take(turns, now), [])
      kept.keep([{ workspace_id, id: 1 }], [])
      assert.deepStrictEqual(kept.take(turns, now), [])
    })
  )
})
