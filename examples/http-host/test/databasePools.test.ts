import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Environment } from "../src/environment.ts"
import { readHostConfig } from "../src/hostConfig.ts"

const read = (variables: Readonly<Record<string, string>>) => {
  const environment: Environment = new Map(
    Object.entries(variables).map(([name, text]) => [name, { text, source: "environment" }])
  )
  return readHostConfig(environment, { needsSecrets: false })
}

describe("the sizes of the database's pools", () => {
  it.effect("are 10 for requests and 10 for workers", () =>
    Effect.gen(function* () {
      const { databasePool, workerPool } = yield* read({})
      assert.deepStrictEqual([databasePool, workerPool], [10, 10])
    })
  )

  it.effect("are set one by one", () =>
    Effect.gen(function* () {
      const { databasePool, warnings, workerPool } = yield* read({ LOOPBOX_WORKER_POOL: "4" })
      assert.deepStrictEqual([databasePool, workerPool], [10, 4])
      assert.deepStrictEqual(warnings, [])
    })
  )

  it.effect("are half of the outdated setting each, which is warned about", () =>
    Effect.gen(function* () {
      const { databasePool, warnings, workerPool } = yield* read({
        LOOPBOX_DATABASE_CONNECTIONS: "40",
        LOOPBOX_DATABASE_POOL: "30"
      })
      assert.deepStrictEqual([databasePool, workerPool], [30, 20])
      assert.include(warnings.join(), "LOOPBOX_DATABASE_CONNECTIONS is outdated")
    })
  )

  it.effect("are refused where a worker could not get a second connection", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read({ LOOPBOX_WORKER_POOL: "1" }))
      assert.include(error.message, "LOOPBOX_WORKER_POOL must be an integer from 2 to 200")
    })
  )
})
