import * as Schema from "effect/Schema"
import { onOneLine } from "./inboxText.ts"
import { toTable } from "./output.ts"

const text = Schema.NullOr(Schema.String)

/** What commands show of an endpoint; the rest is left as it came. */
export const Endpoint = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  events: Schema.NullOr(Schema.Array(Schema.String)),
  external_user_id: text,
  status: Schema.String,
  status_reason: text,
  is_ordered: Schema.Boolean,
  last_success_at: text,
  last_failure_at: text
})
type Endpoint = typeof Endpoint.Type

const delivery = {
  id: Schema.String,
  event_type: Schema.String,
  event_seq: Schema.NullOr(Schema.Int),
  status: Schema.String,
  attempts: Schema.Int,
  next_attempt_at: text,
  created_at: Schema.String
}

export const Delivery = Schema.Struct(delivery)
type Delivery = typeof Delivery.Type

/** A delivery with what is sent, and what came of each attempt. */
export const DeliveryDetail = Schema.Struct({
  ...delivery,
  request: Schema.Struct({
    url: Schema.String,
    headers: Schema.Record(Schema.String, Schema.String),
    body: Schema.String
  }),
  attempt_log: Schema.Array(
    Schema.Struct({
      at: Schema.String,
      status: Schema.NullOr(Schema.Int),
      duration_ms: Schema.Int,
      response: text,
      error: text
    })
  )
})
type DeliveryDetail = typeof DeliveryDetail.Type

const stateOf = ({ is_ordered, status, status_reason }: Endpoint): string =>
  [status_reason === null ? status : `${status}: ${status_reason}`, ...(is_ordered ? ["ordered"] : [])].join(", ")

/** Endpoints as a table. */
export const endpointTable = (endpoints: ReadonlyArray<Endpoint>): string =>
  toTable(
    ["ID", "STATUS", "EVENTS", "OWNER", "LAST SUCCESS", "LAST FAILURE", "URL"],
    endpoints.map((endpoint) => [
      endpoint.id,
      stateOf(endpoint),
      endpoint.events === null ? "all" : endpoint.events.join(","),
      endpoint.external_user_id === null ? "-" : onOneLine(endpoint.external_user_id),
      endpoint.last_success_at ?? "-",
      endpoint.last_failure_at ?? "-",
      onOneLine(endpoint.url)
    ])
  )

/** Deliveries as a table. */
export const deliveryTable = (deliveries: ReadonlyArray<Delivery>): string =>
  toTable(
    ["ID", "STATUS", "EVENT", "SEQ", "ATTEMPTS", "CREATED", "NEXT"],
    deliveries.map(({ attempts, created_at, event_seq, event_type, id, next_attempt_at, status }) => [
      id,
      status,
      event_type,
      event_seq === null ? "-" : String(event_seq),
      String(attempts),
      created_at,
      next_attempt_at ?? "-"
    ])
  )

/** One delivery with its request and its attempts; the receiver wrote the answers. */
export const deliveryLines = ({ attempt_log, request, ...of }: DeliveryDetail): string =>
  [
    deliveryTable([of]),
    "",
    `POST ${onOneLine(request.url)}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${onOneLine(value)}`),
    "",
    onOneLine(request.body),
    "",
    toTable(
      ["AT", "ANSWER", "MS", "TEXT"],
      attempt_log.map(({ at, duration_ms, error, response, status }) => [
        at,
        status === null ? (error ?? "-") : String(status),
        String(duration_ms),
        onOneLine(response ?? "") || "-"
      ])
    )
  ].join("\n")
