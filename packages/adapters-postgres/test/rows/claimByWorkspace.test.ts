import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Schema } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { makeClaimByWorkspace } from "../../src/rows/claimReadable.ts"

const [one, two] = [
  WorkspaceId.make("ws_00000000000000000000000001"),
  WorkspaceId.make("ws_00000000000000000000000002")
]
const Row = Schema.Struct({ id: Schema.String })
const now = DateTime.makeUnsafe("2026-06-01T00:00:00.000Z")

interface Key {
  readonly workspace_id: WorkspaceId
  readonly id: string
}

/** A queue in memory, whose rows go when they are taken; `take` stands in front of it. */
const queueOf = (
  rows: ReadonlyArray<Key>,
  before: (workspaceId: WorkspaceId) => Effect.Effect<void, SqlError | string> = () => Effect.void
) => {
  const left = new Set(rows)
  const asked: Array<WorkspaceId> = []
  const claimByWorkspace = makeClaimByWorkspace()
  const claim = (limit: number) =>
    claimByWorkspace({
      queue: "test",
      limit,
      leaseNow: now,
      schema: Row,
      look: (count) => Effect.sync(() => Array.from(left).slice(0, count)),
      take: (workspaceId, keys: ReadonlyArray<Key>, count) =>
        Effect.gen(function* () {
          asked.push(workspaceId)
          yield* before(workspaceId)
          const taken = keys.filter((key) => left.has(key)).slice(0, count)
          for (const key of taken) left.delete(key)
          return taken.map(({ id }) => ({ id }))
        }),
      putBack: () => Effect.void
    }).pipe(Effect.map((taken) => taken.map(({ id }) => id)))
  return { claim, asked }
}

const nodeAway = new SqlError({
  reason: new ConnectionError({
    cause: Object.assign(new Error("connection to the remote node failed"), { severity: "ERROR", code: "08006" }),
    message: "connection to the remote node failed",
    operation: "query"
  })
})

const rows: ReadonlyArray<Key> = [
  { workspace_id: one, id: "a" },
  { workspace_id: two, id: "b" },
  { workspace_id: one, id: "c" }
]

describe("A claim over workspaces", () => {
  it.effect("takes what is due first, of each workspace by itself", () =>
    Effect.gen(function* () {
      const { asked, claim } = queueOf(rows)
      assert.deepStrictEqual(yield* claim(2), ["a", "b"])
      assert.deepStrictEqual(asked, [one, two])
    })
  )

  it.effect("passes over a workspace whose node is away", () =>
    Effect.gen(function* () {
      const { claim } = queueOf(rows, (id) => (id === one ? Effect.fail(nodeAway) : Effect.void))
      assert.deepStrictEqual(yield* claim(1), ["b"])
    })
  )

  it.effect("gives what it has taken before another workspace's statement failed, and fails where it has nothing", () =>
    Effect.gen(function* () {
      const failing = (which: WorkspaceId) =>
        queueOf(rows, (id) => (id === which ? Effect.fail("out of order") : Effect.void)).claim(2)
      assert.deepStrictEqual(yield* failing(two), ["a"])
      assert.isTrue(Exit.isFailure(yield* Effect.exit(failing(one))))
    })
  )
})
