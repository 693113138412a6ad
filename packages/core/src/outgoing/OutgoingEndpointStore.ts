import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { SealedCredentials } from "../accounts/CredentialVault.ts"
import type { OutgoingDeliveryId, OutgoingEndpointId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AttemptRecord, DeliveryStatus, OutgoingDelivery } from "./OutgoingDelivery.ts"
import type { OutgoingEndpoint } from "./OutgoingEndpoint.ts"

/** A secret of an endpoint as it is stored: `whsec_…`, sealed for the endpoint. */
export interface KeptSecret {
  readonly sealed: SealedCredentials
  /** Until when it signs beside the newest one; absent: it is the newest. */
  readonly until: Option.Option<DateTime.Utc>
}

/** A delivery with all of its attempts, oldest first. */
export interface DeliveryWithLog {
  readonly delivery: OutgoingDelivery
  readonly log: ReadonlyArray<AttemptRecord>
}

/** Port: webhook endpoints and what was sent to them, as their workspace sees them (api-2.md §15). */
export class OutgoingEndpointStore extends Context.Service<
  OutgoingEndpointStore,
  {
    /** Events from now on are for it. Returns `false`, and stores nothing, if the workspace does not exist. */
    readonly create: (endpoint: OutgoingEndpoint, secret: SealedCredentials) => Effect.Effect<boolean, StoreUnavailable>
    readonly find: (
      workspaceId: WorkspaceId,
      id: OutgoingEndpointId
    ) => Effect.Effect<Option.Option<OutgoingEndpoint>, StoreUnavailable>
    /** Newest first. */
    readonly list: (
      workspaceId: WorkspaceId,
      page: PageRequest
    ) => Effect.Effect<Page<OutgoingEndpoint>, StoreUnavailable>
    /**
     * Changes an endpoint, in one transaction; what changes nothing is not audited. One that becomes disabled has its
     * pending deliveries canceled; one that is enabled again gets the events from now on.
     */
    readonly update: (
      workspaceId: WorkspaceId,
      id: OutgoingEndpointId,
      change: (endpoint: OutgoingEndpoint) => OutgoingEndpoint,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<OutgoingEndpoint>, StoreUnavailable>
    /** Deletes it with its secrets and deliveries. Returns whether it was there. */
    readonly remove: (workspaceId: WorkspaceId, id: OutgoingEndpointId) => Effect.Effect<boolean, StoreUnavailable>
    /** The newest first; those whose time is over are left out. Empty if there is no such endpoint. */
    readonly secrets: (
      workspaceId: WorkspaceId,
      id: OutgoingEndpointId,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<KeptSecret>, StoreUnavailable>
    /** Adds a secret; the one that was the newest signs until `oldUntil`. Returns whether the endpoint is there. */
    readonly rotate: (
      workspaceId: WorkspaceId,
      id: OutgoingEndpointId,
      secret: SealedCredentials,
      oldUntil: DateTime.Utc
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Newest first. */
    readonly deliveries: (
      workspaceId: WorkspaceId,
      id: OutgoingEndpointId,
      status: Option.Option<DeliveryStatus>,
      page: PageRequest
    ) => Effect.Effect<Page<OutgoingDelivery>, StoreUnavailable>
    readonly findDelivery: (
      workspaceId: WorkspaceId,
      id: OutgoingEndpointId,
      deliveryId: OutgoingDeliveryId
    ) => Effect.Effect<Option.Option<DeliveryWithLog>, StoreUnavailable>
    /**
     * Begins the schedule of a delivery anew, at once, whatever its status. One that is being sent is left as it is, and one
     * of an endpoint that is disabled.
     */
    readonly redeliver: (
      workspaceId: WorkspaceId,
      id: OutgoingEndpointId,
      deliveryId: OutgoingDeliveryId,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<OutgoingDelivery>, StoreUnavailable>
    /** Stores an example with its one attempt; it does not change the endpoint. */
    readonly addExample: (delivery: OutgoingDelivery, attempt: AttemptRecord) => Effect.Effect<void, StoreUnavailable>
  }
>()("@loopbox/core/outgoing/OutgoingEndpointStore") {}
