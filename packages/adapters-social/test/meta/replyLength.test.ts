import { connectorTo } from "@loopbox/core/networks/Connectors"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connected } from "../loopback.ts"

describe("how long a text is", () => {
  it.live("counts characters, and bytes for Instagram's messages", () =>
    Effect.gen(function* () {
      const { connectors } = yield* connected(() => ({}))
      const facebook = connectorTo(connectors, "facebook")
      const instagram = connectorTo(connectors, "instagram")
      assert.deepStrictEqual(instagram.measure("ig_comment", "a🚀ü"), { length: 3, limit: 2_200 })
      assert.deepStrictEqual(instagram.measure("ig_dm", "a🚀ü"), { length: 7, limit: 1_000 })
      assert.deepStrictEqual(facebook.measure("fb_comment", "a🚀ü"), { length: 3, limit: 8_000 })
      assert.deepStrictEqual(facebook.measure("fb_dm", "a🚀ü"), { length: 3, limit: 2_000 })
    })
  )
})
