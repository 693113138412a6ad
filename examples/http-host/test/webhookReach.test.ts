import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric, Option } from "effect"
import { layerReachGauge, reachCheck } from "../src/webhookReach.ts"

const gauge = Effect.map(Metric.snapshot, (all) => {
  const found = all.find(({ id }) => id === "loopbox_webhooks_private")
  return found?.type === "Gauge" ? Number(found.state.value) : undefined
})

const none: Option.Option<"on" | "off"> = Option.none()

const cases = [
  { networks: "sandbox", given: none, value: 1, says: "LOOPBOX_WEBHOOKS_PRIVATE is on" },
  { networks: "sandbox", given: Option.some<"on" | "off">("off"), value: 0, says: "LOOPBOX_WEBHOOKS_PRIVATE is off" },
  { networks: "live", given: none, value: 0, says: "LOOPBOX_WEBHOOKS_PRIVATE is off" },
  { networks: "live", given: Option.some<"on" | "off">("on"), value: 1, says: "LOOPBOX_WEBHOOKS_PRIVATE is on" }
] as const

describe("whom webhook endpoints may name", () => {
  it.effect("is told by doctor, /readyz and a gauge, whatever decided it", () =>
    Effect.gen(function* () {
      for (const { given, networks, says, value } of cases) {
        const settings = { networks, edge: { webhooksPrivate: given } }
        assert.include(yield* reachCheck(settings).run, says)
        yield* Effect.scoped(Layer.build(layerReachGauge(settings)))
        assert.strictEqual(yield* gauge, value)
      }
    })
  )
})
