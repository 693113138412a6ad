import { assert, describe, it } from "@effect/vitest"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { EngineMissing } from "@loopbox/core/encoding/Engine"
import * as FakeEncoder from "../../src/fakes/FakeEncoder.ts"
import { encodeWorkOf, gifEncoderContract } from "../../src/conformance/GifEncoderContract.ts"
import { animatedGif } from "../../src/fakes/gifSamples.ts"
import { Effect } from "effect"

gifEncoderContract("fake", FakeEncoder.layer())

describe("FakeEncoder", () => {
  it.effect("fails as its script says", () =>
    Effect.gen(function* () {
      const work = yield* encodeWorkOf(animatedGif([10]), "scripted")
      const error = yield* Effect.flip((yield* GifEncoder).encode(work))
      assert.strictEqual(error.reason, "MachineFailed")
    }).pipe(Effect.provide(FakeEncoder.layer({ script: () => ({ kind: "fail", reason: "MachineFailed" }) })))
  )

  it.effect("can be without an engine", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip((yield* GifEncoder).health)
      assert.strictEqual(error.detail, "none")
    }).pipe(Effect.provide(FakeEncoder.layer({ missing: new EngineMissing({ detail: "none" }) })))
  )
})
