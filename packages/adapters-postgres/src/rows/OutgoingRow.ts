import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { OutgoingDeliveryId, OutgoingEndpointId, SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { AttemptRecord, OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import { EndpointStatus, EndpointStatusReason, OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { at, Instant, optional, plain } from "./rows.ts"
import { storable, storableOrNull, toJson } from "./text.ts"

export const EndpointRow = Schema.Struct({
  workspace_id: WorkspaceId,
  id: OutgoingEndpointId,
  external_user_id: optional(Schema.String),
  url: Schema.String,
  events: optional(Schema.Array(Schema.String)),
  description: optional(Schema.String),
  status: EndpointStatus,
  status_reason: optional(EndpointStatusReason),
  is_ordered: Schema.Boolean,
  created_at: Instant,
  last_success_at: optional(Instant),
  last_failure_at: optional(Instant),
  failing_since: optional(Instant),
  failures_in_row: Schema.Int
})

const endpointNames = Object.keys(EndpointRow.fields)

export const endpointColumns = endpointNames.join(", ")
export const endpointColumnsOf = (table: string): string => endpointNames.map((name) => `${table}.${name}`).join(", ")

export const toEndpoint = (row: typeof EndpointRow.Type): OutgoingEndpoint =>
  new OutgoingEndpoint({
    id: row.id,
    workspaceId: row.workspace_id,
    url: row.url,
    events: row.events,
    externalUserId: row.external_user_id,
    description: row.description,
    status: row.status,
    statusReason: row.status_reason,
    isOrdered: row.is_ordered,
    createdAt: row.created_at,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    failingSince: row.failing_since,
    failuresInRow: row.failures_in_row
  })

const atOrNull = (moment: Option.Option<DateTime.Utc>): Date | null => Option.getOrNull(Option.map(moment, at))

/** What of an endpoint's row may change. */
export const toEndpointColumns = (endpoint: OutgoingEndpoint) => ({
  external_user_id: storableOrNull(endpoint.externalUserId),
  url: storable(endpoint.url),
  events: Option.getOrNull(Option.map(endpoint.events, (events) => events.map(storable))),
  description: storableOrNull(endpoint.description),
  status: endpoint.status,
  status_reason: Option.getOrNull(endpoint.statusReason),
  is_ordered: endpoint.isOrdered,
  last_success_at: atOrNull(endpoint.lastSuccessAt),
  last_failure_at: atOrNull(endpoint.lastFailureAt),
  failing_since: atOrNull(endpoint.failingSince),
  failures_in_row: endpoint.failuresInRow
})

export const SecretRow = Schema.Struct({ sealed: Schema.String, valid_until: optional(Instant) })

/** Numbers of events come as float8, which is exact up to 2^53. */
export const DeliveryRow = Schema.Struct({
  workspace_id: WorkspaceId,
  id: OutgoingDeliveryId,
  endpoint_id: OutgoingEndpointId,
  message_id: Schema.String,
  event_type: Schema.String,
  event_seq: Schema.NullOr(Schema.Int),
  account_id: Schema.NullOr(SocialAccountId),
  external_user_id: plain.text,
  body: Schema.String,
  status: Schema.Literals(["pending", "delivered", "failed", "canceled"]),
  attempts: Schema.Int,
  attempts_in_schedule: Schema.Int,
  due_at: Schema.NullOr(plain.moment),
  created_at: plain.moment
})

const columnOf = (table: string, name: string): string =>
  name === "event_seq" ? `${table}.event_seq::float8 AS event_seq` : `${table}.${name}`

/** Columns of deliveries of which none but pending ones are read. */
export const deliveryColumnsOf = (table: string): string =>
  Object.keys(DeliveryRow.fields)
    .map((name) => columnOf(table, name))
    .join(", ")

/** Columns of any delivery. One of an earlier epoch is canceled, whether or not its row says so yet. */
export const shownDeliveryColumns = (table: string, epoch: string): string => {
  const isPending = `${table}.due_at IS NOT NULL AND ${table}.epoch = ${epoch}`
  return Object.keys(DeliveryRow.fields)
    .map((name) => {
      if (name === "due_at") return `CASE WHEN ${isPending} THEN ${table}.due_at END AS due_at`
      if (name !== "status") return columnOf(table, name)
      return `CASE WHEN ${table}.due_at IS NULL OR (${isPending}) THEN ${table}.status ELSE 'canceled' END AS status`
    })
    .join(", ")
}

export const toDelivery = (row: typeof DeliveryRow.Type): OutgoingDelivery => ({
  id: row.id,
  workspaceId: row.workspace_id,
  endpointId: row.endpoint_id,
  messageId: row.message_id,
  eventType: row.event_type,
  eventSeq: Option.fromNullOr(row.event_seq),
  accountId: Option.fromNullOr(row.account_id),
  externalUserId: Option.fromNullOr(row.external_user_id),
  body: row.body,
  status: row.status,
  attempts: row.attempts,
  attemptsInSchedule: row.attempts_in_schedule,
  nextAttemptAt: Option.map(Option.fromNullOr(row.due_at), DateTime.fromDateUnsafe),
  createdAt: DateTime.fromDateUnsafe(row.created_at)
})

/** A delivery as one statement takes many of them, by `jsonb_to_recordset`; its body stands elsewhere, at this place. */
export const toDeliveryRecord = (delivery: OutgoingDelivery, bodyPlace: number) => ({
  id: delivery.id,
  endpoint_id: delivery.endpointId,
  message_id: delivery.messageId,
  event_type: delivery.eventType,
  event_seq: Option.getOrNull(delivery.eventSeq),
  account_id: Option.getOrNull(delivery.accountId),
  external_user_id: Option.getOrNull(delivery.externalUserId),
  body_place: bodyPlace,
  status: delivery.status,
  attempts: delivery.attempts,
  attempts_in_schedule: delivery.attemptsInSchedule,
  due_at: Option.getOrNull(Option.map(delivery.nextAttemptAt, DateTime.formatIso)),
  created_at: DateTime.formatIso(delivery.createdAt)
})

export const deliveryRecord = `id text, endpoint_id text, message_id text, event_type text, event_seq bigint, account_id text,
  external_user_id text, body_place bigint, status text, attempts integer, attempts_in_schedule integer,
  due_at timestamptz, created_at timestamptz`

/** Columns of such a record `d`, with its body out of `b`. */
export const insertedColumns = `d.id, d.endpoint_id, d.message_id, d.event_type, d.event_seq, d.account_id, d.external_user_id,
  b.body, d.status, d.attempts, d.attempts_in_schedule, d.due_at, d.created_at`

const LoggedAttempt = Schema.Struct({
  at: Schema.Int,
  status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Finite,
  response: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String)
})

export const LogRow = Schema.Struct({ ...DeliveryRow.fields, log: Schema.Array(LoggedAttempt) })

export const toLog = ({ log }: typeof LogRow.Type): ReadonlyArray<AttemptRecord> =>
  log.map((attempt) => ({
    at: DateTime.makeUnsafe(attempt.at),
    status: Option.fromNullOr(attempt.status),
    duration_ms: attempt.duration_ms,
    response: Option.fromNullOr(attempt.response),
    error: Option.fromNullOr(attempt.error)
  }))

export const toLogged = (attempt: AttemptRecord): string =>
  toJson({
    at: attempt.at.epochMilliseconds,
    status: Option.getOrNull(attempt.status),
    duration_ms: attempt.duration_ms,
    response: Option.getOrNull(attempt.response),
    error: Option.getOrNull(attempt.error)
  } satisfies typeof LoggedAttempt.Type)
