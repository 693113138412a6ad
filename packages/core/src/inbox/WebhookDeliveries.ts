import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { WebhookEndpoint } from "../connectors/Source.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { DeliveryLeaseLost } from "./InboxErrors.ts"

/** A webhook's body as it was received, its signature verified; a UUIDv7 names it. */
export interface WebhookDelivery {
  readonly id: string
  readonly endpoint: WebhookEndpoint
  readonly body: Uint8Array
  readonly arrivedAt: DateTime.Utc
}

/** A delivery in the hands of one worker until its lease ends. */
export interface DeliveryClaim {
  readonly delivery: WebhookDelivery
  /** Claims before this one. */
  readonly attempts: number
  readonly token: string
}

/** How a claim ends. `Waiting` gives the delivery back until a moment on the lease clock. */
export type DeliveryOutcome =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Failed"; readonly reason: string }
  | { readonly _tag: "Waiting"; readonly until: DateTime.Utc }

/** A delivery that could not be ingested whole; its body is kept for a replay. */
export interface FailedDelivery {
  readonly id: string
  readonly endpoint: WebhookEndpoint
  readonly createdAt: DateTime.Utc
  readonly failedAt: DateTime.Utc
  readonly reason: string
}

/**
 * Port: webhook deliveries between their 200 and their ingest.
 *
 * Which of a delivery's units are done is noted by `InboxStore.ingest`, in the unit's own transaction. Erasing an
 * account, a managed user or a workspace also redacts what deliveries say to them; their neighbours stay, and a delivery
 * of which nothing is left goes.
 */
export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /** Durable when it answers: only then may the network be told 200. */
    readonly store: (delivery: WebhookDelivery, leaseNow: DateTime.Utc) => Effect.Effect<void, StoreUnavailable>
    /** Takes the deliveries that have waited longest, at most `limit`, each for one worker until `leaseUntil`. */
    readonly claim: (request: {
      readonly limit: number
      readonly token: string
      readonly leaseNow: DateTime.Utc
      readonly leaseUntil: DateTime.Utc
    }) => Effect.Effect<ReadonlyArray<DeliveryClaim>, StoreUnavailable>
    /** Prolongs the lease of a claim that is still worked on. */
    readonly renew: (
      claim: DeliveryClaim,
      leaseUntil: DateTime.Utc
    ) => Effect.Effect<void, DeliveryLeaseLost | StoreUnavailable>
    readonly settle: (
      claim: DeliveryClaim,
      outcome: DeliveryOutcome,
      at: DateTime.Utc
    ) => Effect.Effect<void, DeliveryLeaseLost | StoreUnavailable>
    /** Settles claims as done, all in one transaction; answers the deliveries whose leases were lost. */
    readonly complete: (
      claims: ReadonlyArray<DeliveryClaim>,
      at: DateTime.Utc
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** Newest first, by arrival. */
    readonly listFailed: (page: PageRequest) => Effect.Effect<Page<FailedDelivery>, StoreUnavailable>
    /**
     * Makes failed deliveries claimable again: one, or all; their units are done again, for they may now be read as
     * more, and what is stored already changes nothing. Answers how many.
     */
    readonly replay: (id: Option.Option<string>, leaseNow: DateTime.Utc) => Effect.Effect<number, StoreUnavailable>
    /** Removes at most `limit` that ended before: done ones, and failed ones. Answers how many. */
    readonly removeOlder: (
      before: { readonly done: DateTime.Utc; readonly failed: DateTime.Utc },
      limit: number
    ) => Effect.Effect<number, StoreUnavailable>
    /** Deliveries that wait for their ingest or are in it, and since when the oldest does; and failed ones. For metrics. */
    readonly depth: Effect.Effect<
      { readonly pending: number; readonly oldestPendingAt: Option.Option<DateTime.Utc>; readonly failed: number },
      StoreUnavailable
    >
    /** Told when a delivery was stored or replayed; saves waiting, and nothing depends on it. */
    readonly arrivals: Stream.Stream<void>
  }
>()("@loopbox/core/inbox/WebhookDeliveries") {}
