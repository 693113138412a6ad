import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type { OutgoingEndpointId, WorkspaceId } from "../kernel/Ids.ts"
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

/** The queue of one endpoint, while one worker holds it. */
export interface OutgoingLane {
  readonly workspaceId: WorkspaceId
  readonly endpointId: OutgoingEndpointId
  readonly token: string
  /** As of the claim. What comes next waits until the answer before is written, so no such write may wait for others'. */
  readonly isOrdered: boolean
}

/** What is due of a lane, with what it needs to be sent. */
export interface LaneBatch {
  readonly endpoint: OutgoingEndpoint
  /** The newest first; all of them sign. */
  readonly secrets: ReadonlyArray<KeptSecret>
  /** In the order in which they are sent. */
  readonly deliveries: ReadonlyArray<OutgoingDelivery>
  /** Whether more may be due. */
  readonly isFull: boolean
}

/** A lane that a worker was given, with the first that is due of it. */
export interface OutgoingClaim extends LaneBatch {
  readonly lane: OutgoingLane
}

/** A delivery of a lane, and what came of the attempt. */
export interface EndedAttempt {
  readonly delivery: OutgoingDelivery
  readonly attempt: AttemptRecord
}

/** Where a reader of a lane is: behind this delivery. */
export type LanePlace = Pick<OutgoingDelivery, "id" | "nextAttemptAt">

/** Deliveries of one endpoint that are sent at a time; of an ordered one, one. */
export const atOnceOfEndpoint = 8

/** Port: deliveries on their way from the event log to their endpoints. */
export class OutgoingQueue extends Context.Service<
  OutgoingQueue,
  {
    /** Workspaces with endpoints and newer events, at most `limit`: of these, or of all, which looks at each that has endpoints. */
    readonly lagging: (
      limit: number,
      among: Option.Option<ReadonlyArray<WorkspaceId>>
    ) => Effect.Effect<ReadonlyArray<LaggingWorkspace>, StoreUnavailable>
    /** Those of a workspace that are not disabled. */
    readonly listening: (workspaceId: WorkspaceId) => Effect.Effect<ReadonlyArray<ListeningEndpoint>, StoreUnavailable>
    /**
     * Writes the deliveries of the events after `from.position` up to `to`, in one transaction with the position. A
     * delivery of the same endpoint and event is there already: it stays. One of an endpoint that is gone or disabled, or was
     * enabled after the event, or of an account or a managed user who is erased by now, is left out. Returns `false`, and writes nothing, if another process has moved the position.
     */
    readonly append: (
      from: LaggingWorkspace,
      to: number,
      deliveries: ReadonlyArray<OutgoingDelivery>
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Queues deliveries of events again; those that are there already begin anew. Returns how many are queued. */
    readonly replay: (deliveries: ReadonlyArray<OutgoingDelivery>) => Effect.Effect<number, StoreUnavailable>
    /**
     * Gives at most `limit` lanes of which something is due to one worker, with at most `perLane` deliveries of each, and one
     * of an ordered endpoint. Nobody else sends to these endpoints until the lane is released or its lease ends: so places are
     * counted by the worker, and no delivery has a lease of its own to write.
     */
    readonly claim: (
      request: LeaseRequest & { readonly now: DateTime.Utc; readonly perLane: number }
    ) => Effect.Effect<ReadonlyArray<OutgoingClaim>, StoreUnavailable>
    /**
     * At most `limit` that are due behind a place, or from the beginning: then also what was added, or asked for again, with
     * an earlier time. What the worker has and has not settled is due, and is among them. Of an ordered endpoint always from
     * the oldest that has not ended, by their events, up to one that is not due: of these the worker sends each only when the
     * one before has ended.
     */
    readonly next: (
      lane: OutgoingLane,
      request: { readonly after: Option.Option<LanePlace>; readonly limit: number; readonly now: DateTime.Utc }
    ) => Effect.Effect<LaneBatch, LeaseLost | StoreUnavailable>
    readonly renew: (lane: OutgoingLane, leaseUntil: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Gives a lane back; what is due of it can be claimed at once, and is told of by `additions`. */
    readonly release: (lane: OutgoingLane, now: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /**
     * Ends attempts of a lane by what `judge` says of the endpoint as it is then, one after the other, in one transaction
     * with the endpoint, its events and, if it is disabled, the end of all that waits for it. An attempt that is settled
     * already, or whose delivery was erased, is left out: who did not hear the answer may ask again.
     */
    readonly settle: (
      lane: OutgoingLane,
      ended: ReadonlyArray<EndedAttempt>,
      judge: (endpoint: OutgoingEndpoint, ended: EndedAttempt) => JudgedAttempt,
      at: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Ends deliveries as delivered; one result each, in the same order. May be asked again, as `settle`. */
    readonly succeed: (
      ended: ReadonlyArray<EndedAttempt & { readonly lane: OutgoingLane }>,
      at: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Result.Result<void, LeaseLost>>, StoreUnavailable>
    /** Ends a delivery without an attempt: its account is another user's by now. */
    readonly cancel: (
      lane: OutgoingLane,
      delivery: OutgoingDelivery
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Deletes at most `limit` deliveries that were made before this time and have ended. Returns how many. */
    readonly removeOlder: (before: DateTime.Utc, limit: number) => Effect.Effect<number, StoreUnavailable>
    readonly depth: Effect.Effect<QueueDepth<"pending">, StoreUnavailable>
    /** Wake-up hints that deliveries can be claimed: added, or left in a lane that was given back. They may be lost; workers also poll. */
    readonly additions: Stream.Stream<void>
  }
>()("@loopbox/core/outgoing/OutgoingQueue") {}
