import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { type JobSignal, JobSignals } from "@loopbox/core/jobs/JobSignals"
import { nextConversionJobId } from "@loopbox/core/kernel/Ids"
import { type StorePorts, storeWorld } from "../fixtures/storeFixtures.ts"

/**
 * Repeats the signal until all subscribers have received it, because a test can't see when a subscription is active.
 */
const tellUntilHeard = Effect.fnUntraced(function* (signal: JobSignal, listeners: number) {
  const signals = yield* JobSignals
  const heard = Stream.runHead(Stream.filter(signals.signals, (found) => found._tag === signal._tag))
  const fibers = yield* Effect.forEach(Array.from({ length: listeners }), () => Effect.forkChild(heard))
  const tell = Effect.forever(Effect.andThen(signals.tell(signal), Effect.yieldNow))
  return yield* Effect.raceFirst(Effect.forEach(fibers, Fiber.join), tell)
})

/** What every adapter of the port JobSignals does. */
export const jobSignalsContract = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) =>
  layer(storeWorld(stores))(`JobSignals: ${adapter}`, (it) => {
    it.effect("brings what is told to every subscriber", () =>
      Effect.gen(function* () {
        const heard = yield* tellUntilHeard({ _tag: "Submitted" }, 3)
        assert.deepStrictEqual(
          heard.flatMap((signal) => (signal._tag === "Some" ? [signal.value._tag] : [])),
          ["Submitted", "Submitted", "Submitted"]
        )
      })
    )

    it.effect("names the job that was canceled", () =>
      Effect.gen(function* () {
        const jobId = yield* nextConversionJobId(yield* SecureRandom.SecureRandom)
        const [heard] = yield* tellUntilHeard({ _tag: "Canceled", jobId }, 1)
        assert.deepStrictEqual(heard?._tag === "Some" && heard.value, { _tag: "Canceled", jobId })
      })
    )

    it.effect("names the kind of job that was submitted, if it is told", () =>
      Effect.gen(function* () {
        const { signals, tell } = yield* JobSignals
        const kinds = ["gif_to_mp4", "audio_overlay"] as const
        for (const kind of kinds) {
          const told = Effect.forever(Effect.andThen(tell({ _tag: "Submitted", kind }), Effect.yieldNow))
          const heard = signals.pipe(
            Stream.filter((signal) => signal._tag === "Submitted" && signal.kind === kind),
            Stream.runHead
          )
          const expected: JobSignal = { _tag: "Submitted", kind }
          assert.deepStrictEqual(yield* Effect.raceFirst(heard, told), Option.some(expected))
        }
      })
    )

    it.effect("tells without a subscriber", () =>
      Effect.gen(function* () {
        yield* (yield* JobSignals).tell({ _tag: "Submitted" })
      })
    )
  })
