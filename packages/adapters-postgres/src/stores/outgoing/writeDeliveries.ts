import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { OutgoingEndpointId, SocialAccountId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import type { LaggingWorkspace } from "@loopbox/core/outgoing/OutgoingQueue"
import { deliveryRecord, insertedColumns, toDeliveryRecord } from "../../rows/OutgoingRow.ts"
import { all } from "../../rows/rows.ts"
import { toJson } from "../../rows/text.ts"
import { makeHoldOwner } from "../access/holdOwner.ts"
import { type Added, makeLanes } from "./lanes.ts"

/** Deliveries of one statement. */
const batch = 2_000

/** Tells that an account has ended, after it was hidden. */
const movedType = "inbox.account_moved"

const AccountRow = Schema.Struct({ id: SocialAccountId })
const EndpointRow = Schema.Struct({ id: OutgoingEndpointId, since: Schema.Int })
const AddedRow = Schema.Struct({ endpoint_id: Schema.String, due_at: Schema.Date, event_seq: Schema.Int })

/** What becomes of a delivery that is there already. */
interface Known {
  /** Leaves some as they are. */
  readonly except: Fragment
  readonly onConflict: Fragment
}

const distinct = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => Array.from(new Set(values))

/** Deliveries without their bodies, and each body once: of an event, most endpoints get the same. */
const apart = (given: ReadonlyArray<OutgoingDelivery>) => {
  const places = new Map<string, number>()
  const records = given.map((delivery) => {
    const place = places.get(delivery.body) ?? places.size + 1
    places.set(delivery.body, place)
    return toDeliveryRecord(delivery, place)
  })
  return { bodies: Array.from(places.keys()), records }
}

/** Writes deliveries of events, in transactions of their own. */
export const makeWriteDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  const lanes = yield* makeLanes
  const { holdUsers } = yield* makeHoldOwner

  /** Those that name no managed user, or one who is there: held before the position, as who adds an endpoint has both. */
  const ofUsers = Effect.fnUntraced(function* (workspaceId: WorkspaceId, given: ReadonlyArray<OutgoingDelivery>) {
    const users = distinct(given.flatMap(({ externalUserId }) => Option.toArray(externalUserId)))
    const there = yield* holdUsers(workspaceId, users)
    return given.filter(({ externalUserId }) => Option.isNone(externalUserId) || there.has(externalUserId.value))
  })

  /**
   * Those whose account is not erased and whose endpoint is there and not disabled. Both are held: an erasure waits, and
   * then finds what was written; so does whoever disables the endpoint.
   */
  const wanted = Effect.fnUntraced(function* (workspaceId: WorkspaceId, given: ReadonlyArray<OutgoingDelivery>) {
    const accountIds = distinct(given.flatMap(({ accountId }) => Option.toArray(accountId)))
    const accounts = yield* all(AccountRow)(sql`SELECT id FROM social_accounts
      WHERE workspace_id = ${workspaceId} AND id = ANY(${accountIds}::text[]) AND erased_at IS NULL
      ORDER BY id FOR SHARE`)
    const endpoints = yield* all(EndpointRow)(sql`SELECT id, since_seq::float8 AS since FROM outgoing_endpoints
      WHERE workspace_id = ${workspaceId} AND id = ANY(${distinct(given.map(({ endpointId }) => endpointId))}::text[])
        AND status <> 'disabled' AND removed_at IS NULL ORDER BY id FOR KEY SHARE`)
    const kept = new Set(accounts.map(({ id }) => id))
    return {
      since: new Map(endpoints.map(({ id, since }) => [id, since])),
      given: given.filter(
        ({ accountId, eventType }) => eventType === movedType || Option.isNone(accountId) || kept.has(accountId.value)
      )
    }
  })

  /** Of the log no more than what came since the endpoint was there, or enabled again: that may have been while these were made. */
  const newOf = ({ given, since }: Effect.Success<ReturnType<typeof wanted>>) =>
    given.filter(({ endpointId, eventSeq }) =>
      Option.exists(eventSeq, (seq) => seq > (since.get(endpointId) ?? Number.POSITIVE_INFINITY))
    )

  const insert = (workspaceId: WorkspaceId, given: ReadonlyArray<OutgoingDelivery>, { except, onConflict }: Known) => {
    const { bodies, records } = apart(given)
    return all(AddedRow)(sql`
      INSERT INTO outgoing_deliveries (workspace_id, id, endpoint_id, message_id, event_type, event_seq, account_id,
        external_user_id, body, status, attempts, attempts_in_schedule, due_at, created_at, epoch)
      SELECT l.workspace_id, ${sql.literal(insertedColumns)}, l.epoch
      FROM jsonb_to_recordset(${toJson(records)}::jsonb) AS d (${sql.literal(deliveryRecord)})
      JOIN jsonb_array_elements_text(${toJson(bodies)}::jsonb) WITH ORDINALITY AS b (body, place) ON b.place = d.body_place
      JOIN outgoing_lanes l ON l.workspace_id = ${workspaceId} AND l.endpoint_id = d.endpoint_id COLLATE "C" ${except}
      ON CONFLICT (workspace_id, endpoint_id, event_seq) WHERE event_seq IS NOT NULL ${onConflict}
      RETURNING endpoint_id, due_at, event_seq::float8 AS event_seq`)
  }

  const write = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    given: ReadonlyArray<OutgoingDelivery>,
    whenKnown: Known
  ) {
    const firsts = new Map<string, Added>()
    let count = 0
    for (let from = 0; from < given.length; from += batch) {
      const rows = yield* insert(workspaceId, given.slice(from, from + batch), whenKnown)
      for (const row of rows) {
        const known = firsts.get(row.endpoint_id) ?? row
        firsts.set(row.endpoint_id, {
          endpoint_id: row.endpoint_id,
          due_at: known.due_at < row.due_at ? known.due_at : row.due_at,
          event_seq: Math.min(known.event_seq, row.event_seq)
        })
      }
      count += rows.length
    }
    if (count > 0) yield* lanes.add(workspaceId, Array.from(firsts.values()))
    return count
  })

  const append = Effect.fnUntraced(function* (
    { position, workspaceId }: LaggingWorkspace,
    to: number,
    given: ReadonlyArray<OutgoingDelivery>
  ) {
    const ofThere = yield* ofUsers(workspaceId, given)
    const moved = yield* sql`UPDATE outgoing_positions SET position = ${to}::bigint
      WHERE workspace_id = ${workspaceId} AND position = ${position}::bigint RETURNING 1`
    if (moved.length === 0) return Option.none<number>()
    if (ofThere.length === 0) return Option.some(0)
    const kept = newOf(yield* wanted(workspaceId, ofThere))
    return Option.some(yield* write(workspaceId, kept, { except: sql``, onConflict: sql`DO NOTHING` }))
  }, sql.withTransaction)

  /** Never beside an append: both may write the same event, and wait for each other. */
  const replay = Effect.fnUntraced(function* (workspaceId: WorkspaceId, given: ReadonlyArray<OutgoingDelivery>) {
    const ofThere = yield* ofUsers(workspaceId, given)
    yield* sql`SELECT 1 FROM outgoing_positions WHERE workspace_id = ${workspaceId} FOR NO KEY UPDATE`
    const { given: known, since } = yield* wanted(workspaceId, ofThere)
    const kept = known.filter(({ endpointId }) => since.has(endpointId))
    yield* lanes.lock(workspaceId, distinct(kept.map(({ endpointId }) => endpointId)))
    // Read apart, for a distributed database updates by the row itself alone. The locks keep it true.
    const inHand = sql`WHERE NOT EXISTS (SELECT 1 FROM outgoing_deliveries o
      WHERE o.workspace_id = ${workspaceId} AND o.endpoint_id = l.endpoint_id AND o.event_seq = d.event_seq
        AND l.held <> '{}' AND o.status = 'pending' AND o.due_at <= d.due_at)`
    return yield* write(workspaceId, kept, {
      except: inHand,
      onConflict: sql`DO UPDATE SET status = 'pending', attempts_in_schedule = 0, due_at = excluded.due_at,
          epoch = excluded.epoch
        WHERE outgoing_deliveries.lease_token IS NULL`
    })
  }, sql.withTransaction)

  return { append, replay }
})
