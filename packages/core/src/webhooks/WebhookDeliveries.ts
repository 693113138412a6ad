import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { LeaseRequest } from "../kernel/lease/claimLoop.ts"
import type { AccountName } from "../accounts/SocialAccounts.ts"
import type { WebhookEndpoint } from "../networks/Source.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { QueueDepth } from "../kernel/QueueDepth.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** The body of a webhook as it was received, after its signature was verified. Its id is a UUIDv7. */
export interface WebhookDelivery {
  readonly id: string
  readonly endpoint: WebhookEndpoint
  readonly body: Uint8Array
  readonly arrivedAt: DateTime.Utc
}

/** A delivery leased to one worker. */
export interface DeliveryClaim {
  readonly delivery: WebhookDelivery
  /** Earlier claims. */
  readonly attempts: number
  readonly token: string
}

/** How a claim ends. `Waiting` retries the delivery at a time on the lease clock. */
export type DeliveryOutcome =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Failed"; readonly reason: string }
  | { readonly _tag: "Waiting"; readonly until: DateTime.Utc }

/** A delivery that was not ingested completely; its body is kept for a replay. */
export interface FailedDelivery {
  readonly id: string
  readonly endpoint: WebhookEndpoint
  readonly createdAt: DateTime.Utc
  readonly failedAt: DateTime.Utc
  readonly reason: string
}

/**
 * Port: the queue of webhook deliveries, from their 200 to their ingest.
 *
 * `IngestStore.ingest` records which units of a delivery are done, in the transaction of the unit. Erasing an account, a
 * managed user or a workspace also redacts its data in deliveries. Data of others stays, and an empty delivery is
 * deleted.
 */
export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /**
     * Durable when it returns: only then may the network get its 200.
     *
     * The delivery waits among those of the workspaces that have connected the accounts of these names. One without names,
     * or of accounts that nobody has connected, waits among all such.
     */
    readonly store: (
      delivery: WebhookDelivery,
      leaseNow: DateTime.Utc,
      names?: ReadonlyArray<AccountName>
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Claims at most `limit` deliveries, the longest waiting first. If more than that wait, workspaces take turns, so that
     * the first of one does not wait for the backlog of another; those of one workspace keep their order. With `endpoints`,
     * deliveries of any other endpoint stay pending for a process that knows it, and no attempt is counted.
     */
    readonly claim: (
      request: LeaseRequest & { readonly endpoints?: ReadonlySet<WebhookEndpoint> }
    ) => Effect.Effect<ReadonlyArray<DeliveryClaim>, StoreUnavailable>
    /** Renews the lease of a claim. */
    readonly renew: (
      claim: DeliveryClaim,
      leaseUntil: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    readonly settle: (
      claim: DeliveryClaim,
      outcome: DeliveryOutcome,
      at: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Settles claims as done, in one transaction; one result per claim, in the same order. */
    readonly complete: (
      claims: ReadonlyArray<DeliveryClaim>,
      at: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Result.Result<void, LeaseLost>>, StoreUnavailable>
    /** Releases the claim unchanged: another worker may claim it at once, and no attempt is counted. */
    readonly release: (
      claim: DeliveryClaim,
      leaseNow: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Newest first, by arrival. */
    readonly listFailed: (page: PageRequest) => Effect.Effect<Page<FailedDelivery>, StoreUnavailable>
    /**
     * Queues one or all failed deliveries again. All of their units are repeated, because they may now be parsed more
     * completely; stored items do not change. Returns how many.
     */
    readonly replay: (id: Option.Option<string>, leaseNow: DateTime.Utc) => Effect.Effect<number, StoreUnavailable>
    /** Deletes at most `limit` done and failed deliveries that ended before the given times. Returns how many. */
    readonly removeOlder: (
      before: { readonly done: DateTime.Utc; readonly failed: DateTime.Utc },
      limit: number
    ) => Effect.Effect<number, StoreUnavailable>
    /** `pending`: waiting or being ingested. `failed`: kept for a replay. The oldest is that of `pending`. */
    readonly depth: Effect.Effect<QueueDepth<"pending" | "failed">, StoreUnavailable>
    /** Lossy wake-up hints; workers also poll. */
    readonly arrivals: Stream.Stream<void>
  }
>()("@loopbox/core/webhooks/WebhookDeliveries") {}
