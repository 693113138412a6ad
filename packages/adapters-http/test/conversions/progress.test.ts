import { assert, describe, layer } from "@effect/vitest"
import * as ConversionWorker from "@loopbox/core/conversions/ConversionWorker"
import { gifLimits } from "@loopbox/core/media/gif/GifLimits"
import * as FakeEncoder from "@loopbox/testing/fakes/FakeEncoder"
import { Effect, Layer } from "effect"
import { call, makeWorkspace, server, uploadGif } from "../support.ts"

/** An encoder that gets on a little and then never ends. */
const stuck = FakeEncoder.layer({ script: () => ({ kind: "succeed", progress: [1 / 3], gate: Effect.never }) })
const worker = ConversionWorker.layer({ drain: 0, maxOutputBytes: gifLimits.output_bytes })
const working = worker.pipe(Layer.provide(stuck), Layer.provideMerge(server))

describe("a worker behind the API (api.md §6, §9)", () => {
  layer(working, { excludeTestServices: true })((it) => {
    it.effect("shows its counters before they count", () =>
      Effect.gen(function* () {
        const { text } = yield* call("GET", "/metrics")
        assert.match(text, /^loopbox_conversion_claims_total\S* \d/m)
        assert.match(text, /^loopbox_conversion_leases_lost_total\S* \d/m)
      })
    )
    it.effect("shows progress with no more digits than a bar can show, also of a canceled job", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const json = { gif_media_id: yield* uploadGif(key) }
        const submitted = yield* call("POST", "/v1/media/gif-conversions", { key, json })
        const job = `/v1/media/gif-conversions/${String(submitted.body["data"]?.["id"])}`
        const shown = yield* call("GET", job, { key }).pipe(
          Effect.map(({ body }) => String(body["data"]?.["progress"])),
          Effect.delay("50 millis"),
          Effect.repeat({ until: (progress) => Number(progress) > 0 }),
          // It is told before the worker's first beat, which must not take it for told already.
          Effect.timeout("60 seconds")
        )
        assert.strictEqual(shown, "0.34")
        const canceled = yield* call("DELETE", job, { key })
        assert.deepEqual<unknown>({ ...canceled.body["data"] }["progress"], 0.34)
      })
    )
  })
})
