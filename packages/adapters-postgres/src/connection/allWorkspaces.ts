import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"

/**
 * The statements that read rows of all workspaces at once, with the reason. Every other one names its workspace, so that a
 * distributed database asks one node. None of these takes a lock.
 */
export const overAll = {
  "jobs.claim": "which jobs are due",
  "polls.claim": "which accounts are due",
  "replies.claim": "which replies are due",
  "targets.claim": "which posts are due",
  "profiles.claim": "which authors are to be looked up",
  "profiles.idle": "which look-ups are of accounts that are not connected",
  "health.claim": "which accounts are to be checked",
  "retention.expire": "which files are kept no longer",
  "retention.removable": "which files' bytes are to be removed",
  "retention.purge": "which rows are kept no longer",
  "webhooks.units": "to whom deliveries that go said something",
  "outgoing.claim": "which endpoints have deliveries that are due",
  "outgoing.canceled": "of which endpoints canceled deliveries are left to be marked",
  "outgoing.removed": "of which endpoints deliveries are left to be removed",
  "outgoing.old": "which deliveries are kept no longer",
  "outgoing.lagging": "which workspaces have events of which deliveries are not written yet",
  "outgoing.depth": "a metric",
  "jobs.depth": "a metric",
  "replies.depth": "a metric",
  "posts.depth": "a metric",
  "workspaces.list": "the operator's list of all workspaces",
  "workspaces.compare": "counters are compared workspace by workspace, and these are all",
  "media.linked": "a link to a file names the file alone",
  "events.last": "the numbers of the workspaces that sockets of a process follow",
  "accounts.person": "a network asks to forget a person, whoever has connected it",
  "health.person": "whether a person's token is used elsewhere",
  "health.subscription": "whether a subscription is used elsewhere",
  "threads.snoozed": "which threads are to come back",
  "threads.uncounted": "which threads an earlier version has not counted",
  "threads.noted": "which threads an earlier version has changed since",
  "erasures.list": "which accounts are to be erased",
  "erasures.left": "of which users and workspaces something is left",
  "events.old": "which workspace has the oldest event",
  "syncs.old": "which runs are kept no longer",
  "confirmations.old": "which confirmations are kept no longer",
  "words.missing": "which items have no words yet",
  "words.threads": "which words lack their thread",
  "words.notes": "which notes have no words yet",
  "words.folded": "which words of items an earlier version has folded less",
  "words.foldedNotes": "which words of notes an earlier version has folded less"
} as const

type Looked = keyof typeof overAll

/** A comment by which such a statement is known. */
export const ofAllWorkspaces = (name: Looked): string => `/* all workspaces: ${name} */`

const ReachableRow = Schema.Struct({ ids: Schema.String })
const Ids = Schema.fromJsonString(Schema.Array(Schema.String))

/**
 * A node of a distributed database does not answer the one that was asked. Where the server itself is away, nobody sends
 * such an answer.
 */
const isNodeAway = (error: unknown): error is SqlError => {
  if (!isSqlError(error)) return false
  const { cause } = error.reason
  return (
    typeof cause === "object" &&
    cause !== null &&
    "severity" in cause &&
    "code" in cause &&
    typeof cause.code === "string" &&
    cause.code.startsWith("08")
  )
}

/**
 * Restricts a statement to the workspaces that can be reached, and to those that are wanted where not all are: Citus goes by
 * one list alone. For most of the time it says nothing but the name.
 */
export type Among = (workspaceColumn: string, wanted?: ReadonlyArray<string>) => Fragment

/** What a part of a statement is restricted to that names its workspace by itself. */
export const anywhere = (sql: SqlClient): Among => {
  const nothing = sql.literal("")
  return () => nothing
}

/** Workspaces that a statement over all of them leaves out. */
export const Without = Context.Reference<ReadonlyArray<WorkspaceId>>(
  "@loopbox/adapters-postgres/connection/allWorkspaces/Without",
  { defaultValue: () => [] }
)

/**
 * Makes what reads over all workspaces, each statement under its name.
 *
 * Where a node is away, the statement is sent again for the workspaces of the others, so that only who lies there waits.
 * The database asks the node all the same for any table that is not restricted: `among` is for the table that is looked
 * over, `within` for each that is looked up beside it.
 */
export const makeOverAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  // Of each shard by itself; one that is away says so in its own line.
  const reachable = yield* sql`SELECT result AS ids
    FROM run_command_on_shards('workspaces', 'SELECT coalesce(json_agg(id), ''[]'') FROM %s') WHERE success`.pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(ReachableRow))),
    Effect.flatMap((rows) => Effect.forEach(rows, ({ ids }) => Schema.decodeEffect(Ids)(ids))),
    Effect.map((shards) => shards.flat()),
    Effect.tap((ids) => Effect.logDebug("a node of the database is away", { reachableWorkspaces: ids.length })),
    // Every queue asks, again and again.
    Effect.cachedWithTTL("5 seconds")
  )

  return <A, E, R>(name: Looked, statement: (among: Among, within: Among) => Effect.Effect<A, E, R>) => {
    const comment = sql.literal(ofAllWorkspaces(name))
    return Effect.flatMap(Without, (without) => {
      const among = (column: string, ids: ReadonlyArray<string> | undefined) =>
        ids === undefined ? sql.literal("") : sql`AND ${sql.literal(column)} = ANY(${ids}::text[])`
      const others = (column: string) =>
        without.length === 0 ? sql.literal("") : sql`AND ${sql.literal(column)} <> ALL(${without}::text[])`
      return Effect.catchIf(
        statement((column, wanted) => sql`${among(column, wanted)} ${others(column)} ${comment}`, anywhere(sql)),
        isNodeAway,
        () =>
          Effect.flatMap(reachable, (ids) => {
            const known = new Set(ids)
            return statement(
              (column, wanted = ids) =>
                sql`${among(
                  column,
                  wanted.filter((id) => known.has(id))
                )} ${others(column)} ${comment}`,
              (column) => among(column, ids)
            )
          })
      )
    })
  }
})

/** Goes on without a workspace whose node is away. */
export const unlessAway =
  <B>(otherwise: B) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A | B, E, R> =>
    Effect.catchIf(self, isNodeAway, () => Effect.succeed(otherwise))

/**
 * Makes what reads over all workspaces and says whether it could read them all: `away` is how the node failed of which the
 * workspaces were left out.
 */
export const makePartlyOverAll = Effect.map(
  makeOverAll,
  (overAll) =>
    <A, E, R>(name: Looked, statement: (among: Among, within: Among) => Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        let away = Option.none<E>()
        const noted = (among: Among, within: Among) =>
          Effect.tapError(statement(among, within), (error) =>
            Effect.sync(() => {
              if (isNodeAway(error)) away = Option.some(error)
            })
          )
        return Effect.map(overAll(name, noted), (found) => ({ found, away }))
      })
)

/**
 * Makes what finds one thing among all workspaces. What none of the nodes has that can be reached may lie on the one that is
 * away: then it fails.
 */
export const makeFindOverAll = Effect.map(
  makePartlyOverAll,
  (overAll) =>
    <A, E, R>(name: Looked, statement: (among: Among) => Effect.Effect<Option.Option<A>, E, R>) =>
      Effect.flatMap(overAll(name, statement), ({ away, found }) =>
        Option.isSome(found) || Option.isNone(away) ? Effect.succeed(found) : Effect.fail(away.value)
      )
)

/** Rows by their workspace, in the order in which the workspaces come first. */
export const byWorkspace = <K extends { readonly workspace_id: WorkspaceId }>(
  rows: ReadonlyArray<K>
): ReadonlyArray<readonly [WorkspaceId, ReadonlyArray<K>]> => Array.from(Map.groupBy(rows, (row) => row.workspace_id))
