import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Ingest, IngestReport, IngestRequest } from "../inbox/Ingest.ts"
import { makeLanes } from "./lanes.ts"
import { laneOf } from "../inbox/routeActivities.ts"

/** What one delivery says. */
export interface DeliveryRequest extends Omit<IngestRequest, "deliveryIds"> {
  readonly deliveryId: string
  /** Whether it was tried before. A retry is ingested alone, so that its failure does not affect others. */
  readonly isRetry: boolean
}

type Outcome = Pick<IngestReport, "waiting" | "failures">

/**
 * Concurrent batches of one account. Their transactions wait for each other at the workspace's event number: while one
 * commits, the next is prepared. More would only occupy connections.
 */
const inLane = 2

/** Activities per batch, unless one delivery has more. */
const activitiesTogether = 1_000

const nothingLeft: Outcome = { waiting: 0, failures: [] }

/**
 * Ingests deliveries, at most two batches of one account at a time. Deliveries that wait meanwhile become one batch,
 * because a transaction costs about the same for one comment as for fifty. So a busy account keeps up and does not
 * block others.
 */
export const makeIngestTogether = Effect.fnUntraced(function* ({ ingest }: Ingest["Service"], ingestsAtOnce: number) {
  const ingesting = Semaphore.makeUnsafe(ingestsAtOnce)
  const alone = ({ activities, deliveryId, isLastTry }: DeliveryRequest) =>
    ingest({ activities, deliveryIds: [deliveryId], isLastTry })

  const eachAlone = (pieces: ReadonlyArray<DeliveryRequest>) => Effect.forEach(pieces, (one) => Effect.exit(alone(one)))

  const together = Effect.fnUntraced(function* (pieces: ReadonlyArray<DeliveryRequest>) {
    const exit: Exit.Exit<Outcome, StoreUnavailable> = yield* Effect.exit(
      ingest({
        activities: pieces.flatMap(({ activities }) => activities),
        deliveryIds: pieces.map(({ deliveryId }) => deliveryId),
        isLastTry: false
      })
    )
    if (Exit.isFailure(exit)) return pieces.map(() => exit)
    const { failures, waiting } = exit.value
    // To find which delivery failed, each is ingested alone; storing the others again changes nothing.
    return waiting > 0 || failures.length > 0 ? yield* eachAlone(pieces) : pieces.map(() => Exit.succeed(nothingLeft))
  })

  const join = yield* makeLanes<DeliveryRequest, Outcome, StoreUnavailable>({
    inLane,
    batchWeight: activitiesTogether,
    weightOf: ({ activities }) => Math.max(1, activities.length),
    run: (pieces: Arr.NonEmptyReadonlyArray<DeliveryRequest>) =>
      ingesting.withPermits(1)(pieces.length === 1 ? eachAlone(pieces) : together(pieces))
  })

  return (request: DeliveryRequest) => {
    const own = `delivery ${request.deliveryId}`
    const isAlone = request.isRetry || request.isLastTry
    return join(isAlone ? own : Option.getOrElse(laneOf(request.activities), () => own), request)
  }
})
