import type { ShownEndpoint } from "@loopbox/core/items/ShownEndpoint"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"

/** What the document shows of one. */
export const endpointExample = {
  id: "whe_01k9j8m2x4v6q8s0t2w4y6z8ab",
  url: "https://app.example/hooks/loopbox",
  events: ["inbox.*", "post.failed"],
  external_user_id: null,
  description: null,
  status: "enabled",
  status_reason: null,
  is_ordered: false,
  created_at: "2026-11-21T07:00:00.000Z",
  last_success_at: null,
  last_failure_at: null
} as const

/** A webhook endpoint on the wire (api-2.md §15). Its secret is in the answers that make one only. */
export const EndpointBody = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  events: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description:
      "Types and wildcards such as `inbox.*`. Null: all but `media.gif_conversion_ended` and `media.audio_overlay_ended`, " +
      "which are sent where they are named, and by no wildcard."
  }),
  external_user_id: Schema.NullOr(Schema.String).annotate({
    description: "Only events of accounts that this managed user owns when they are sent."
  }),
  description: Schema.NullOr(Schema.String),
  status: Schema.Literals(["enabled", "disabled", "failing"]).annotate({
    description:
      "`failing`: since the last success a delivery has failed for good, or ten attempts in a row have failed; events are sent all the same."
  }),
  status_reason: Schema.NullOr(Schema.Literals(["gone", "failures", "requested"])).annotate({
    description: "Why it is disabled: it answered 410, five days of nothing but failures, or a request."
  }),
  is_ordered: Schema.Boolean.annotate({
    description: "One delivery at a time, in order of `seq`; the next only after the first is delivered or failed."
  }),
  created_at: Time,
  last_success_at: Schema.NullOr(Time),
  last_failure_at: Schema.NullOr(Time)
}).annotate({
  identifier: "WebhookEndpoint",
  examples: [endpointExample]
})
export type EndpointBody = typeof EndpointBody.Type

const timeOrNull = (at: Option.Option<DateTime.Utc>) => Option.getOrNull(Option.map(at, DateTime.formatIso))

export const toEndpointBody = (endpoint: ShownEndpoint): EndpointBody => ({
  id: endpoint.id,
  url: endpoint.url,
  events: Option.getOrNull(endpoint.events),
  external_user_id: Option.getOrNull(endpoint.externalUserId),
  description: Option.getOrNull(endpoint.description),
  status: endpoint.status,
  status_reason: Option.getOrNull(endpoint.statusReason),
  is_ordered: endpoint.isOrdered,
  created_at: DateTime.formatIso(endpoint.createdAt),
  last_success_at: timeOrNull(endpoint.lastSuccessAt),
  last_failure_at: timeOrNull(endpoint.lastFailureAt)
})
