import type { Vitest } from "@effect/vitest"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Claim, JobStore } from "@loopbox/core/jobs/JobStore"
import type { JobFailure } from "@loopbox/core/jobs/MediaJob"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import {
  epoch,
  makeOutput,
  makeWorkspace,
  openConnections,
  type StorePorts,
  type storeWorld
} from "../fixtures/storeFixtures.ts"
import { leaseContract } from "./leaseContract.ts"

type World = StorePorts | Layer.Success<ReturnType<typeof storeWorld>>

interface LeasedJobs<Task, Code extends string, E> {
  readonly what: LeaseLost["what"]
  readonly store: Effect.Effect<JobStore<Task, Code>, never, World>
  /** Submits one job. */
  readonly queue: (workspaceId: WorkspaceId, at: DateTime.Utc) => Effect.Effect<unknown, E, World>
  /** One way in which such a job fails. */
  readonly failure: JobFailure<Code>
}

/** The leases of media jobs, the same for each kind. */
export const jobLeaseContract = <Task, Code extends string, E>(
  it: Vitest.MethodsNonLive<World>,
  { failure, queue, store, what }: LeasedJobs<Task, Code, E>
) =>
  leaseContract<Claim<Task>, E | StoreUnavailable, World>(it, {
    what,
    add: Effect.fnUntraced(function* (count) {
      const now = yield* epoch
      const workspace = yield* makeWorkspace("team", now)
      yield* openConnections(workspace.id)
      for (let n = 0; n < count; n++) yield* queue(workspace.id, now)
      return now
    }),
    claim: Effect.fnUntraced(function* (request) {
      const outcome = yield* (yield* store).claim({ ...request, now: request.leaseNow, maxAttempts: 10 })
      return outcome._tag === "Claimed" ? [outcome.claim] : []
    }),
    idOf: ({ job }) => job.id,
    renew: (held, until) => Effect.flatMap(store, (jobs) => jobs.renew(held, until, 0.5)),
    release: (held, now) => Effect.flatMap(store, (jobs) => jobs.release(held, now)),
    settle: [
      Effect.fnUntraced(function* (held, at) {
        return yield* (yield* store).succeed(held, yield* makeOutput(held), at)
      }),
      (held, at) => Effect.flatMap(store, (jobs) => jobs.fail(held, failure, at))
    ]
  })
