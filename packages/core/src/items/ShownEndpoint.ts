import * as Schema from "effect/Schema"
import { OutgoingEndpointId } from "../kernel/Ids.ts"

/** `failing`: since its last success a delivery has failed for good, or ten attempts in a row have failed. */
export const EndpointStatus = Schema.Literals(["enabled", "disabled", "failing"])
export type EndpointStatus = typeof EndpointStatus.Type

/** Why an endpoint is disabled: its answer 410, five days of nothing but failures, or a request. */
export const EndpointStatusReason = Schema.Literals(["gone", "failures", "requested"])
export type EndpointStatusReason = typeof EndpointStatusReason.Type

/** A webhook endpoint as its customer sees it (api-2.md §15). */
export const ShownEndpoint = Schema.Struct({
  id: OutgoingEndpointId,
  url: Schema.String,
  /** Types and wildcards; absent: all. */
  events: Schema.Option(Schema.Array(Schema.String)),
  /** Only events of accounts that this managed user owns when they are sent. */
  externalUserId: Schema.Option(Schema.String),
  description: Schema.Option(Schema.String),
  status: EndpointStatus,
  statusReason: Schema.Option(EndpointStatusReason),
  /** One delivery at a time, in order of the events. */
  isOrdered: Schema.Boolean,
  createdAt: Schema.DateTimeUtc,
  lastSuccessAt: Schema.Option(Schema.DateTimeUtc),
  lastFailureAt: Schema.Option(Schema.DateTimeUtc)
})
export type ShownEndpoint = typeof ShownEndpoint.Type
