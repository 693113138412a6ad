import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { jobKindNames } from "@loopbox/core/jobs/JobKind"
import { type JobSignal, JobSignals } from "@loopbox/core/jobs/JobSignals"
import { ConversionJobId } from "@loopbox/core/kernel/Ids"
import { reconnected, Signals } from "../../connection/Signals.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { traced } from "@loopbox/core/kernel/traced"

const isJobId = Schema.is(ConversionJobId)
const submitted = "conversion.submitted"
const canceled = "conversion.canceled "

const toPayload = (signal: JobSignal): string => {
  if (signal._tag === "Canceled") return `${canceled}${signal.jobId}`
  return signal.kind === undefined ? submitted : `${submitted} ${signal.kind}`
}

/** `none` for payloads of other versions or of other parts of the product. */
const fromPayload = (payload: string): ReadonlyArray<JobSignal> => {
  if (payload === submitted || payload === reconnected) return [{ _tag: "Submitted" }]
  const kind = jobKindNames.find((name) => payload === `${submitted} ${name}`)
  if (kind !== undefined) return [{ _tag: "Submitted", kind }]
  const jobId = payload.startsWith(canceled) ? payload.slice(canceled.length) : ""
  return isJobId(jobId) ? [{ _tag: "Canceled", jobId }] : []
}

/**
 * Signals over the bus that all parts of the product share.
 *
 * A signal that is sent while the bus is down is lost. After each reconnect `Submitted` is emitted, so that
 * workers poll.
 */
export const layer: Layer.Layer<JobSignals, never, Signals> = Layer.effect(
  JobSignals,
  Effect.gen(function* () {
    const { heard, tellJob } = yield* Signals
    const storeCall = yield* makeStoreCall
    return JobSignals.of({
      tell: flow(
        (signal: JobSignal) => tellJob(toPayload(signal)),
        storeCall("signals.tell", "unknown"),
        Effect.catchTag("StoreUnavailable", (error) => Effect.logWarning("a signal was not told", error)),
        traced("PgJobSignals.tell")
      ),
      signals: Stream.flatMap(heard, (payload) => Stream.fromIterable(fromPayload(payload)))
    })
  })
)
