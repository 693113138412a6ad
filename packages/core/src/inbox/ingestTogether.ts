import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import type { InboundActivity } from "../connectors/InboundActivity.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Ingest, IngestReport } from "./Ingest.ts"
import { makeLanes } from "./lanes.ts"
import { laneOf } from "./routeActivities.ts"

/** What one delivery says. */
export interface Told {
  readonly deliveryId: string
  readonly activities: ReadonlyArray<InboundActivity>
  /** Whether it was tried before; then it is ingested by itself, so that what is wrong with it is its own. */
  readonly isRetry: boolean
  readonly isLastTry: boolean
}

type Outcome = Pick<IngestReport, "waiting" | "failures">

/**
 * Batches of one account that are ingested at once. Their transactions wait for each other at the workspace's number:
 * while one commits, the next is prepared, and more would only hold connections that others need.
 */
const inLane = 2

/** Activities that are ingested together, unless one delivery has more. */
const activitiesTogether = 1_000

const nothingLeft: Outcome = { waiting: 0, failures: [] }

/**
 * Ingests deliveries, those of one account at most two at a time, and what waits meanwhile together: a transaction
 * costs much the same for one comment as for fifty. So an account that is told more than its transactions can take one
 * by one keeps up, and holds up no other.
 */
export const makeIngestTogether = Effect.fnUntraced(function* ({ ingest }: Ingest["Service"], ingestsAtOnce: number) {
  const ingesting = Semaphore.makeUnsafe(ingestsAtOnce)
  const alone = ({ activities, deliveryId, isLastTry }: Told) =>
    ingest({ activities, deliveryIds: [deliveryId], isLastTry })

  const eachAlone = (pieces: ReadonlyArray<Told>) => Effect.forEach(pieces, (told) => Effect.exit(alone(told)))

  const together = Effect.fnUntraced(function* (pieces: ReadonlyArray<Told>) {
    const exit: Exit.Exit<Outcome, StoreUnavailable> = yield* Effect.exit(
      ingest({
        activities: pieces.flatMap(({ activities }) => activities),
        deliveryIds: pieces.map(({ deliveryId }) => deliveryId),
        isLastTry: false
      })
    )
    if (Exit.isFailure(exit)) return pieces.map(() => exit)
    const { failures, waiting } = exit.value
    // Which of them it was is found by ingesting each: what is stored of the others changes nothing.
    return waiting > 0 || failures.length > 0 ? yield* eachAlone(pieces) : pieces.map(() => Exit.succeed(nothingLeft))
  })

  const join = yield* makeLanes<Told, Outcome, StoreUnavailable>({
    inLane,
    batchWeight: activitiesTogether,
    weightOf: ({ activities }) => Math.max(1, activities.length),
    run: (pieces: Arr.NonEmptyReadonlyArray<Told>) =>
      ingesting.withPermits(1)(pieces.length === 1 ? eachAlone(pieces) : together(pieces))
  })

  return (told: Told) => {
    const own = `delivery ${told.deliveryId}`
    return join(told.isRetry || told.isLastTry ? own : Option.getOrElse(laneOf(told.activities), () => own), told)
  }
})
