import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { NetworkTable } from "@loopbox/core/networks/Networks"
import { type ThreadState, ThreadStatus, type WorkState } from "@loopbox/core/items/Thread"
import {
  type InboxThread,
  type ReadThread,
  threadIdOf,
  type ThreadOf,
  toInboxThread
} from "@loopbox/core/items/threading/InboxThread"
import { InboxItemId } from "@loopbox/core/kernel/Ids"
import { keptParticipants, type Spoken, type ThreadTally } from "@loopbox/core/threads/ThreadTally"
import { accountColumnsOf, makeToJudged, ShownRow, shownWithThread, toReadItem, toThread } from "./ItemRow.ts"
import { itsWorkspace } from "./inWorkspace.ts"
import { isNamedByKey } from "./oneByOne.ts"
import { plain, toOptionalMoment } from "./rows.ts"
import { storable } from "./text.ts"

/** How old an item may be, counted in items of its thread, to be found when participants are read from the items. */
const readForParticipants = 1_000

const stateFields = {
  thread_status: ThreadStatus,
  assignee: Schema.String,
  snoozed_until: Schema.NullOr(plain.moment)
}

/** The state of a thread `t`. */
export const workColumns = "t.status AS thread_status, t.assignee, t.snoozed_until"

export const toWork = (row: {
  readonly thread_status: ThreadState["status"]
  readonly assignee: string
  readonly snoozed_until: Date | null
}): WorkState => {
  const { assignedTo, status } = toThread(row)
  return { status, assignedTo, snoozedUntil: toOptionalMoment(row.snoozed_until) }
}

const SpokenJson = Schema.Struct({ by: Schema.String, at: Schema.DateTimeUtcFromString, itemId: InboxItemId })

/** What a thread `t` keeps of its items. */
export const tallyColumns = `t.is_kept, t.item_count, t.unread_count, t.last_item_at, t.last_item_id, t.last_inbound_at,
  t.participants, t.created_at`

export const tallyFields = {
  is_kept: Schema.Boolean,
  item_count: Schema.Int,
  unread_count: Schema.Int,
  last_item_at: Schema.NullOr(plain.moment),
  last_item_id: Schema.NullOr(InboxItemId),
  last_inbound_at: Schema.NullOr(plain.moment),
  participants: Schema.Array(SpokenJson),
  created_at: Schema.NullOr(plain.moment)
}

/** A locked thread. */
export const LockedRow = Schema.Struct({
  source: ShownRow.fields.source,
  thread_key: Schema.String,
  is_large: Schema.Boolean,
  ...stateFields,
  ...tallyFields
})

export const toTally = (row: typeof LockedRow.Type): ThreadTally => ({
  itemCount: row.item_count,
  unreadCount: row.unread_count,
  last:
    row.last_item_at === null || row.last_item_id === null
      ? Option.none()
      : Option.some({ receivedAt: DateTime.fromDateUnsafe(row.last_item_at), id: row.last_item_id }),
  lastInboundAt: toOptionalMoment(row.last_inbound_at),
  createdAt: toOptionalMoment(row.created_at),
  participants: row.participants
})

const iso = (moment: Option.Option<DateTime.Utc>) => Option.getOrNull(Option.map(moment, DateTime.formatIso))

const spokenJson = ({ at, by, itemId }: Spoken) => ({ by: storable(by), at: DateTime.formatIso(at), itemId })

/** The columns of a tally, by their names. */
export const toTallyColumns = (named: ThreadOf, tally: ThreadTally) => ({
  // Of the text as it is stored, so that a reader makes the same one of it.
  id: threadIdOf({ ...named, threadKey: storable(named.threadKey) }),
  item_count: tally.itemCount,
  unread_count: tally.unreadCount,
  last_item_at: iso(Option.map(tally.last, ({ receivedAt }) => receivedAt)),
  last_item_id: Option.getOrNull(Option.map(tally.last, ({ id }) => id)),
  last_inbound_at: iso(tally.lastInboundAt),
  participants: tally.participants.map(spokenJson),
  created_at: iso(tally.createdAt)
})

/** The live items of the thread that `n` names, in an account that `n` names, too. */
const ofThread = `FROM items i WHERE i.workspace_id = n.workspace_id AND i.kind = 'live'
  AND ${isNamedByKey("i", "n", ["account_id", "source", "thread_key"])}`

const newest = "ORDER BY i.received_at DESC, i.id DESC"

/** Joins that read from its items who and what is newest in each thread `n`. */
export const newestJoins = `
  LEFT JOIN LATERAL (SELECT i.received_at, i.id ${ofThread} ${newest} LIMIT 1) l ON true
  LEFT JOIN LATERAL (SELECT i.received_at ${ofThread} AND NOT i.is_own ${newest} LIMIT 1) o ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(jsonb_build_object('by', d.speaker, 'at', d.received_at, 'itemId', d.id)
      ORDER BY d.received_at DESC, d.id DESC), '[]'::jsonb) AS participants
    FROM (
      SELECT s.* FROM (
        SELECT DISTINCT ON (r.speaker) r.* FROM (
          SELECT CASE WHEN i.author_id IS NOT NULL THEN 'id:' || i.author_id ELSE 'name:' || i.author_name END AS speaker,
            i.received_at, i.id
          ${ofThread} AND NOT i.is_own AND (i.author_id IS NOT NULL OR i.author_name IS NOT NULL)
          ${newest} LIMIT ${readForParticipants}
        ) r ORDER BY r.speaker, r.received_at DESC, r.id DESC
      ) s ORDER BY s.received_at DESC, s.id DESC LIMIT ${keptParticipants}
    ) d
  ) p`

/** A join that counts the items of each thread `n`. */
export const countJoin = `
  CROSS JOIN LATERAL (SELECT count(*)::int AS items, (count(*) FILTER (WHERE NOT i.is_read AND NOT i.is_own))::int AS unread,
    min(i.created_at) AS created_at ${ofThread}) c`

const PersonJson = Schema.Struct({
  authorId: plain.text,
  authorName: plain.text,
  authorAvatarUrl: plain.text
})

/** A thread with its last item and its account. */
export const ShownThreadRow = Schema.Struct({
  ...ShownRow.fields,
  snoozed_until: Schema.NullOr(plain.moment),
  labels: Schema.Array(Schema.String),
  item_count: Schema.Int,
  unread_count: Schema.Int,
  thread_created_at: plain.moment,
  people: Schema.Array(PersonJson)
})

/** One item of the workspace of a thread `t`: a query of its own, so that it is looked up (see itemLookUp.ts). */
const itemById = (id: string) => `SELECT * FROM items WHERE workspace_id = ${itsWorkspace} AND id = ${id}
  AND kind = 'live' OFFSET 0`

/** What readers see of a thread `t` with the last item `i` and the account `a`. */
export const shownThreadColumns = `${shownWithThread("i")}, t.last_inbound_at AS newest_inbound_at,
  ${accountColumnsOf("a")}, t.snoozed_until, t.labels, t.item_count, t.unread_count,
  t.created_at AS thread_created_at, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('authorId', w.author_id, 'authorName', w.author_name,
      'authorAvatarUrl', w.author_avatar_url) ORDER BY s.place), '[]'::jsonb)
    FROM jsonb_array_elements(t.participants) WITH ORDINALITY AS s (spoken, place)
    CROSS JOIN LATERAL (${itemById("s.spoken ->> 'itemId'")}) w
  ) AS people`

/** The last item and the account of threads `t`. */
export const shownThreadJoins = `
  CROSS JOIN LATERAL (${itemById("t.last_item_id")}) i
  JOIN social_accounts a ON a.workspace_id = ${itsWorkspace} AND a.id = t.account_id`

/** Threads as readers see them now. */
export const makeToShownThread = (networks: NetworkTable, now: DateTime.Utc) => {
  const toJudged = makeToJudged(networks)
  return (row: typeof ShownThreadRow.Type): InboxThread => {
    const { account, judged } = toJudged(row)
    const read: ReadThread = {
      state: toWork(row),
      labels: row.labels,
      unreadCount: row.unread_count,
      itemCount: row.item_count,
      lastItem: toReadItem(row),
      lastInboundAt: toOptionalMoment(row.newest_inbound_at),
      participants: row.people.map((person) => ({
        authorId: Option.fromNullOr(person.authorId),
        authorName: Option.fromNullOr(person.authorName),
        authorAvatarUrl: Option.fromNullOr(person.authorAvatarUrl)
      })),
      createdAt: DateTime.fromDateUnsafe(row.thread_created_at)
    }
    return toInboxThread(networks, read, account, now, judged)
  }
}

/** A thread as readers see it now. */
export const toShownThread = (
  networks: NetworkTable,
  row: typeof ShownThreadRow.Type,
  now: DateTime.Utc
): InboxThread => makeToShownThread(networks, now)(row)
