import type { DeliveryDetail } from "@loopbox/core/outgoing/EndpointDeliveries"
import type { AttemptRecord, OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"
import { toIsoText } from "../isoText.ts"

export const deliveryStatuses = ["pending", "delivered", "failed", "canceled"] as const

const delivery = {
  id: Schema.String,
  endpoint_id: Schema.String,
  event_type: Schema.String,
  event_seq: Schema.NullOr(Schema.Int).annotate({ description: "The event's `seq`; null for an example." }),
  status: Schema.Literals(deliveryStatuses).annotate({
    description:
      "`failed`: the last try of the schedule failed too. `canceled`: the endpoint was disabled meanwhile, or the account is " +
      "another user's by now."
  }),
  attempts: Schema.Int,
  next_attempt_at: Schema.NullOr(Time),
  created_at: Time
}

const deliveryExample = {
  id: "whd_01k9j8n3q5s7u9w1y3a5c7e9g1",
  endpoint_id: "whe_01k9j8m2x4v6q8s0t2w4y6z8ab",
  event_type: "inbox.new_item",
  event_seq: 42,
  status: "delivered",
  attempts: 1,
  next_attempt_at: null,
  created_at: "2026-11-21T07:00:00.000Z"
} as const

/** An event on its way to an endpoint, or there. Kept for 30 days. */
export const DeliveryBody = Schema.Struct(delivery).annotate({
  identifier: "WebhookDelivery",
  examples: [deliveryExample]
})

const Attempt = Schema.Struct({
  at: Time,
  status: Schema.NullOr(Schema.Int).annotate({ description: "Of the answer; null if none came." }),
  duration_ms: Schema.Int,
  response: Schema.NullOr(Schema.String).annotate({
    description: "The first 4 KiB of the answer; what is not UTF-8 is U+FFFD."
  }),
  error: Schema.NullOr(Schema.String).annotate({
    description:
      "Why no answer came: `address_refused`, `address_unresolved`, `connection_refused`, `connection_failed`, `tls_failed`, " +
      "`answer_invalid` or `timeout`."
  })
})

/** A delivery with what is sent, and what came of each attempt. */
export const DeliveryDetailBody = Schema.Struct({
  ...delivery,
  request: Schema.Struct({
    url: Schema.String,
    headers: Schema.Record(Schema.String, Schema.String).annotate({
      description: "Without the signature, which each attempt makes anew."
    }),
    body: Schema.String
  }),
  attempt_log: Schema.Array(Attempt).annotate({ description: "Oldest first." })
}).annotate({
  identifier: "WebhookDeliveryDetail",
  examples: [
    {
      ...deliveryExample,
      request: {
        url: "https://app.example/hooks/loopbox",
        headers: {
          "content-type": "application/json",
          "user-agent": "Loopbox",
          "webhook-id": "whe_01k9j8m2x4v6q8s0t2w4y6z8ab.42",
          "webhook-timestamp": "1795244400"
        },
        body: '{"type":"inbox.new_item","timestamp":"2026-11-21T07:00:00.000Z","data":{"seq":42}}'
      },
      attempt_log: [{ at: "2026-11-21T07:00:00.000Z", status: 204, duration_ms: 31, response: "", error: null }]
    }
  ]
})

export const toDeliveryBody = (of: OutgoingDelivery): typeof DeliveryBody.Type => ({
  id: of.id,
  endpoint_id: of.endpointId,
  event_type: of.eventType,
  event_seq: Option.getOrNull(of.eventSeq),
  status: of.status,
  attempts: of.attempts,
  next_attempt_at: Option.getOrNull(Option.map(of.nextAttemptAt, toIsoText)),
  created_at: toIsoText(of.createdAt)
})

const toAttempt = ({ at, duration_ms, error, response, status }: AttemptRecord) => ({
  at: toIsoText(at),
  status: Option.getOrNull(status),
  duration_ms: Math.round(duration_ms),
  response: Option.getOrNull(response),
  error: Option.getOrNull(error)
})

export const toDeliveryDetailBody = ({
  delivery: of,
  log,
  request
}: DeliveryDetail): typeof DeliveryDetailBody.Type => ({
  ...toDeliveryBody(of),
  request,
  attempt_log: log.map(toAttempt)
})
