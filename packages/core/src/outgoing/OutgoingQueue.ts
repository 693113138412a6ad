import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { LeaseRequest } from "../kernel/lease/claimLoop.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { QueueDepth } from "../kernel/QueueDepth.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { JudgedAttempt } from "./judgeAttempt.ts"
import type { AttemptRecord, OutgoingDelivery } from "./OutgoingDelivery.ts"
import type { OutgoingEndpoint } from "./OutgoingEndpoint.ts"
import type { KeptSecret } from "./OutgoingEndpointStore.ts"

/** A workspace whose newest events are not deliveries yet. */
export interface LaggingWorkspace {
  readonly workspaceId: WorkspaceId
  /** Number of the last event whose deliveries are written. */
  readonly position: number
}

/** An endpoint that gets events, and the number of the last event that was before it. */
export interface ListeningEndpoint {
  readonly endpoint: OutgoingEndpoint
  readonly since: number
}

/** A delivery that one worker holds, with what it needs to send it. */
export interface OutgoingClaim {
  readonly delivery: OutgoingDelivery
  readonly endpoint: OutgoingEndpoint
  /** The newest first; all of them sign. */
  readonly secrets: ReadonlyArray<KeptSecret>
  readonly token: string
}

/** Deliveries of one endpoint that are sent at a time; of an ordered one, one. */
export const atOnceOfEndpoint = 8

/** Port: deliveries on their way from the event log to their endpoints. */
export class OutgoingQueue extends Context.Service<
  OutgoingQueue,
  {
    /** Workspaces with endpoints and newer events, at most `limit`. */
    readonly lagging: (limit: number) => Effect.Effect<ReadonlyArray<LaggingWorkspace>, StoreUnavailable>
    /** Those of a workspace that are not disabled. */
    readonly listening: (workspaceId: WorkspaceId) => Effect.Effect<ReadonlyArray<ListeningEndpoint>, StoreUnavailable>
    /**
     * Writes the deliveries of the events after `from.position` up to `to`, in one transaction with the position. A
     * delivery of the same endpoint and event is there already: it stays. One of an endpoint that is gone or disabled by
     * now is left out. Returns `false`, and writes nothing, if another process has moved the position.
     */
    readonly append: (
      from: LaggingWorkspace,
      to: number,
      deliveries: ReadonlyArray<OutgoingDelivery>
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Queues deliveries of events again; those that are there already begin anew. Returns how many are queued. */
    readonly replay: (deliveries: ReadonlyArray<OutgoingDelivery>) => Effect.Effect<number, StoreUnavailable>
    /**
     * Claims at most `limit` due deliveries: of each endpoint as many as it has places (`atOnceOfEndpoint`, less those that
     * are claimed already), so that nobody's backlog takes the places of others; of an ordered one only its oldest
     * that has not ended, and only when that is due.
     */
    readonly claim: (
      request: LeaseRequest & { readonly now: DateTime.Utc }
    ) => Effect.Effect<ReadonlyArray<OutgoingClaim>, StoreUnavailable>
    readonly renew: (
      claim: OutgoingClaim,
      leaseUntil: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    readonly release: (
      claim: OutgoingClaim,
      leaseNow: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /**
     * Ends a claim by what `judge` says of the endpoint as it is now, in one transaction with the endpoint, its event and, if
     * it is disabled, the end of its other pending deliveries.
     */
    readonly settle: (
      claim: OutgoingClaim,
      attempt: AttemptRecord,
      judge: (endpoint: OutgoingEndpoint) => JudgedAttempt,
      at: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Ends claims as delivered, in one transaction; one result per claim, in the same order. */
    readonly succeed: (
      ended: ReadonlyArray<{ readonly claim: OutgoingClaim; readonly attempt: AttemptRecord }>,
      at: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Result.Result<void, LeaseLost>>, StoreUnavailable>
    /** Ends a claim without an attempt: its account is another user's by now. */
    readonly cancel: (claim: OutgoingClaim, at: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Deletes at most `limit` deliveries that were made before this time and have ended. Returns how many. */
    readonly removeOlder: (before: DateTime.Utc, limit: number) => Effect.Effect<number, StoreUnavailable>
    readonly depth: Effect.Effect<QueueDepth<"pending">, StoreUnavailable>
    /** Wake-up hints that deliveries were added. They may be lost; workers also poll. */
    readonly additions: Stream.Stream<void>
  }
>()("@loopbox/core/outgoing/OutgoingQueue") {}
