import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { admit, makeScripted, workers, world } from "./checkedWorld.ts"

describe("an account that is connected for some features", () => {
  it.effect("has no polls and no subscription if it is not for the inbox, until it is connected for it", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { feeds, problems, view, workspaceId } = yield* world({ features: ["publish"] })
      yield* TestClock.adjust("7 hours")
      assert.deepStrictEqual(network.calls, ["inspect", "inspect"])
      assert.deepStrictEqual(feeds.requests, [])
      assert.deepStrictEqual(yield* problems, [])
      assert.deepStrictEqual((yield* view).capabilities, ["publish"])
      yield* admit(workspaceId, { features: ["inbox"] })
      yield* TestClock.adjust("2 minutes")
      assert.isTrue(network.isSubscribed)
      assert.isAbove(feeds.requests.length, 0)
      assert.include((yield* view).capabilities, "reply")
    }).pipe(Effect.provide(workers(network)))
  })
})

describe("what its network calls an account", () => {
  it.effect("is stored by a check, without an event; a name that an operator gave stays", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const connected = yield* world()
      network.name = "Renamed"
      assert.strictEqual((yield* connected.check).name, "Renamed")
      assert.strictEqual((yield* connected.view).name, "Renamed")
      assert.deepStrictEqual(yield* connected.told, ["AccountConnected"])
      const given = yield* world({ login: Option.none() })
      assert.strictEqual((yield* given.check).name, "The Page")
    }).pipe(Effect.provide(workers(network)))
  })
})

describe("a permission that an app has, and no network tells of a token (api-2-decided.md A6)", () => {
  it.effect("stays with an account through its checks", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const connected = yield* world({ permissions: ["read", "human_agent", "manage"] })
      network.permissions = ["read"]
      assert.deepStrictEqual((yield* connected.check).permissions, ["read", "human_agent"])
    }).pipe(Effect.provide(workers(network)))
  })
})
