import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import type { OutgoingDeliveryId, OutgoingEndpointId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"

/** `canceled`: the endpoint was disabled or deleted meanwhile, or the account is another user's by now. */
export type DeliveryStatus = "pending" | "delivered" | "failed" | "canceled"

/** Why nothing came back, as it is shown to who owns the endpoint. */
export const noAnswerReasons = [
  /** The URL leads to an address that may not be connected to. */
  "address_refused",
  /** Its name has no address. */
  "address_unresolved",
  "connection_refused",
  /** The connection broke, or was never made. */
  "connection_failed",
  /** TLS was not agreed, or the certificate is not the name's. */
  "tls_failed",
  /** What came back is no HTTP, or has more headers than 16 KiB. */
  "answer_invalid",
  /** No status and headers within 15 seconds. */
  "timeout"
] as const
export type NoAnswerReason = (typeof noAnswerReasons)[number]

/** What came of one attempt. */
export interface AttemptRecord {
  /** When it began. */
  readonly at: DateTime.Utc
  /** Of the answer; absent if none came. */
  readonly status: Option.Option<number>
  readonly duration_ms: number
  /** First 4 KiB of the answer. */
  readonly response: Option.Option<string>
  /** Why no answer came. */
  readonly error: Option.Option<string>
}

/** An event on its way to one endpoint. */
export interface OutgoingDelivery {
  readonly id: OutgoingDeliveryId
  readonly workspaceId: WorkspaceId
  readonly endpointId: OutgoingEndpointId
  /** `webhook-id`: one for the endpoint and the event, whatever is repeated. */
  readonly messageId: string
  readonly eventType: string
  /** Absent for an example that was asked for. */
  readonly eventSeq: Option.Option<number>
  /** Whose event it is: the delivery is erased with the account. Absent for events of none. */
  readonly accountId: Option.Option<SocialAccountId>
  /** Whom the body names as owner: the delivery is erased with the managed user. */
  readonly externalUserId: Option.Option<string>
  /** As it is sent, every time. */
  readonly body: string
  readonly status: DeliveryStatus
  /** All that were made; a delivery that is asked for again goes on counting. */
  readonly attempts: number
  /** Failed ones since the schedule began. */
  readonly attemptsInSchedule: number
  readonly nextAttemptAt: Option.Option<DateTime.Utc>
  readonly createdAt: DateTime.Utc
}
