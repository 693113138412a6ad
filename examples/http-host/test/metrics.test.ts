import { Pools } from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { layerProcessGauges } from "../src/processMetrics.ts"

const root = join(import.meta.dirname, "../../..")

const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(root, folder, name))

const sources = [
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`),
  "examples/http-host/src"
].flatMap(filesUnder)

/** The names of the metrics in a text. */
const namesIn = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern), ([, name = ""]) => name)

describe("docs/operations/metrics.md", () => {
  it("lists every metric that the program has, and no other", () => {
    const made = sources.flatMap((file) =>
      namesIn(readFileSync(file, "utf8"), /Metric\.(?:counter|gauge|histogram|timer|summary|frequency)\(\s*"(\w+)"/g)
    )
    const listed = namesIn(readFileSync(join(root, "docs/operations/metrics.md"), "utf8"), /^\| `(\w+)` \|/gm)
    assert.isAbove(made.length, 40)
    assert.deepStrictEqual(listed.toSorted(), made.toSorted())
  })

  it("has made every metric that other pages of operations name", () => {
    const listed = readFileSync(join(root, "docs/operations/metrics.md"), "utf8")
    const named = namesIn(
      readFileSync(join(root, "docs/operations/README.md"), "utf8"),
      /`((?:loopbox|http|websockets)_\w+)/g
    )
    assert.deepStrictEqual(
      named.filter((name) => name !== "loopbox_migrations" && !listed.includes(`\`${name}\``)),
      []
    )
  })
})

const valueOf = Effect.fnUntraced(function* (id: string, attributes: Readonly<Record<string, string>> = {}) {
  const found = (yield* Metric.snapshot).find(
    (one) =>
      one.id === id && Object.entries(attributes).every(([name, value]) => (one.attributes ?? {})[name] === value)
  )
  return found?.type === "Gauge" ? Number(found.state.value) : undefined
})

describe("the metrics of a process", () => {
  it.effect("tell what runs, its memory, the event loop's lag and the use of its pools", () =>
    Effect.gen(function* () {
      const use = { requests: { size: 10, inUse: 4, waiting: 2 }, workers: { size: 5, inUse: 5, waiting: 0 } }
      const pools = Layer.mock(Pools.Pools)({ use: () => use })
      yield* Layer.build(layerProcessGauges.pipe(Layer.provide(pools)))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* valueOf("loopbox_build_info"), 1)
      assert.isAbove((yield* valueOf("loopbox_resident_memory_bytes")) ?? 0, 1e6)
      assert.isAbove((yield* valueOf("loopbox_heap_used_bytes")) ?? 0, 1e6)
      assert.isAtLeast((yield* valueOf("loopbox_event_loop_lag_seconds")) ?? -1, 0)
      const ofPool = (pool: string, state: string) => valueOf("loopbox_database_pool_connections", { pool, state })
      const told = yield* Effect.forEach(["size", "in_use", "waiting"], (state) => ofPool("requests", state))
      assert.deepStrictEqual(told, [10, 4, 2])
    })
  )
})
