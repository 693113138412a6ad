import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { IngestUnit } from "@loopbox/core/inbox/IngestStore"
import type { KnownPerson } from "@loopbox/core/items/decideName"
import type { ItemKey, ThreadName } from "@loopbox/core/items/StoredItem"
import { PostId } from "@loopbox/core/kernel/Ids"
import { Source } from "@loopbox/core/networks/Source"
import { anyOf, namedRows } from "../../rows/oneByOne.ts"
import { all, optional } from "../../rows/rows.ts"
import { byStoredId, storable } from "../../rows/text.ts"
import { itemOf } from "./itemLookUp.ts"

/** What a unit names: ids of people, keys of items, and ids that posts have at the network. */
interface UnitNames {
  readonly people: ReadonlyArray<string>
  readonly items: ReadonlyArray<ItemKey>
  readonly posts: ReadonlyArray<string>
}

const FoundRow = Schema.Union([
  Schema.Struct({
    what: Schema.Literal("person"),
    key: Schema.String,
    name: optional(Schema.String),
    avatar_url: optional(Schema.String)
  }),
  Schema.Struct({ what: Schema.Literal("thread"), key: Schema.String, name: Source }),
  Schema.Struct({ what: Schema.Literal("post"), key: Schema.String, name: PostId })
])

/**
 * Makes what reads the people, the threads of the items and our posts of these names, in one statement: three would be two
 * round trips more in every ingest.
 */
export const makeFindNamed = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rowsOf = all(FoundRow)

  /** A share lock: a profile look-up that ends now waits, and then fills this unit's items, too. */
  const people = ({ accountId, workspaceId }: IngestUnit, ids: ReadonlyArray<string>) => sql`
    SELECT 'person' AS what, p.person_id AS key, p.name, p.avatar_url FROM (
      SELECT person_id, name, avatar_url FROM author_profiles
      WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND person_id = ${anyOf(sql, ids.map(storable))}
      ORDER BY person_id FOR SHARE
    ) p`

  /** Without a lock. */
  const threads = (unit: IngestUnit, items: ReadonlyArray<ItemKey>) => sql`
    SELECT 'thread' AS what, coalesce(o.thread_key, i.thread_key) AS key, i.source AS name, NULL AS avatar_url
    FROM ${namedRows(sql, {
      source: items.map(({ source }) => source),
      external_id: items.map(({ externalId }) => storable(externalId))
    })} k
    CROSS JOIN LATERAL (${itemOf(sql, unit, "k.source", "k.external_id")}) i
    LEFT JOIN LATERAL (${itemOf(sql, unit, "i.source", "i.alias_of")}) o ON true
    WHERE coalesce(o.kind, i.kind) = 'live'`

  /** Under the account's lock no target of it is settled: what becomes known later finds this unit's items. */
  const posts = ({ accountId, workspaceId }: IngestUnit, ids: ReadonlyArray<string>) => sql`
    SELECT 'post' AS what, n.id AS key, t.post_id AS name, NULL AS avatar_url
    FROM post_targets t CROSS JOIN LATERAL jsonb_array_elements_text(t.post_ids) AS n (id)
    WHERE t.workspace_id = ${workspaceId} AND t.account_id = ${accountId} AND t.post_ids ?| ${ids.map(storable)}::text[]`

  /** In a transaction that holds the lock of the unit's account. */
  return Effect.fnUntraced(function* (unit: IngestUnit, names: UnitNames) {
    const parts = [
      ...(names.people.length === 0 ? [] : [people(unit, names.people)]),
      ...(names.items.length === 0 ? [] : [threads(unit, names.items)]),
      ...(names.posts.length === 0 ? [] : [posts(unit, names.posts)])
    ]
    const rows = parts.length === 0 ? [] : yield* rowsOf(sql`${sql.join(" UNION ALL ", false)(parts)}`)
    const persons = rows.filter((row) => row.what === "person")
    const own = rows.filter((row) => row.what === "post")
    return {
      people: byStoredId(
        names.people,
        persons,
        ({ key }) => key,
        (row): KnownPerson => ({ name: row.name, avatarUrl: row.avatar_url })
      ),
      threads: rows.flatMap((row): ReadonlyArray<ThreadName> =>
        row.what === "thread" ? [{ source: row.name, threadKey: row.key }] : []
      ),
      posts: byStoredId(
        names.posts,
        own,
        ({ key }) => key,
        ({ name }) => name
      )
    }
  })
})
