import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { Source } from "@loopbox/core/networks/Source"
import { AuthorProfiles, type ProfileClaim } from "@loopbox/core/inbox/AuthorProfiles"
import { decideName, type KnownPerson } from "@loopbox/core/items/decideName"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { EventLog } from "./EventLog.ts"
import { Networks } from "@loopbox/core/networks/Networks"
import { accountColumnsOf, newestInboundOf, ShownRow, shownWithThread, makeToShown } from "../../rows/ItemRow.ts"
import { areWordsOf, itemsNamed, threadOfItem } from "./itemLookUp.ts"
import { makeHoldThreads } from "./holdThreads.ts"
import { namedRecords, namedRows } from "../../rows/oneByOne.ts"
import { makeClaimByWorkspace } from "../../rows/claimReadable.ts"
import { all, at, claimLimit } from "../../rows/rows.ts"
import { toVector } from "./wordVectors.ts"
import { type Among, anywhere, byWorkspace, makeOverAll, unlessAway } from "../../connection/allWorkspaces.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { storableOrNull } from "../../rows/text.ts"
import { inWorkspace } from "../../rows/inWorkspace.ts"

/** Items per transaction: each one is written to an event with all of its fields. */
const filledAtOnce = 200

/**
 * Authors of accounts that are not connected would stay due, and each claim would pass over them. Once a minute a process
 * puts off those that have become due, in batches. New credentials make them due again (`accountWrites`); the day is for
 * accounts that a version before connected.
 */
const putOffEvery = Duration.minutes(1)
const putOffFor = Duration.days(1)
const putOffAtOnce = 1_000

const itemKey = { account_id: "text", source: "text", external_id: "text" }

const NamelessRow = Schema.Struct({ source: Source, external_id: Schema.String, thread_key: Schema.String })

const DueRow = Schema.Struct({ workspace_id: WorkspaceId, account_id: SocialAccountId, person_id: Schema.String })

const ClaimRow = Schema.Struct({
  workspace_id: WorkspaceId,
  account_id: SocialAccountId,
  person_id: Schema.String,
  source: Source,
  attempts: Schema.Int
})

export const layer: Layer.Layer<AuthorProfiles, never, EventLog | SqlClient> = Layer.effect(
  AuthorProfiles,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const networks = yield* Networks
    const few = yield* claimLimit
    const overAll = yield* makeOverAll
    const log = yield* EventLog
    const storeCall = yield* makeStoreCall
    const holdThreads = yield* makeHoldThreads

    const held = ({ accountId, personId, token, workspaceId }: ProfileClaim) => sql`
      workspace_id = ${workspaceId} AND account_id = ${accountId} AND person_id = ${personId}
        AND lease_token = ${token}`

    const change = Effect.fnUntraced(function* (claim: ProfileClaim, columns: Fragment) {
      const changed = yield* sql`UPDATE author_profiles SET ${columns} WHERE ${held(claim)} RETURNING 1`
      if (changed.length === 0) return yield* new LeaseLost({ what: "profile", id: claim.personId })
    })

    /** Locks the row of the look-up until the end of the transaction. */
    const hold = Effect.fnUntraced(function* (claim: ProfileClaim) {
      const rows = yield* sql`SELECT 1 FROM author_profiles WHERE ${held(claim)} FOR NO KEY UPDATE`
      if (rows.length === 0) return yield* new LeaseLost({ what: "profile", id: claim.personId })
    })

    const nameless = (claim: ProfileClaim) => sql`i.workspace_id = ${claim.workspaceId}
      AND i.account_id = ${claim.accountId} AND i.author_id = ${claim.personId} AND i.kind = 'live'
      AND i.author_name IS NULL AND NOT i.is_own`

    const shownColumns = inWorkspace(
      sql,
      `${shownWithThread("i")}, ${newestInboundOf(networks, "i")}, ${accountColumnsOf("a")}`
    )

    /** Gives the name to some of the author's items. */
    const fill = Effect.fnUntraced(function* (
      claim: ProfileClaim,
      items: ReadonlyArray<typeof NamelessRow.Type>,
      person: KnownPerson,
      moment: DateTime.Utc
    ) {
      const { accountId, personId, workspaceId } = claim
      // The threads stay as they are told in the events until those have their numbers.
      yield* holdThreads(claim, items)
      // Locked before they are read, so that a transaction that waited here reads what the other one wrote.
      yield* sql`SELECT 1 FROM ${itemsNamed(sql, claim, items)} WHERE ${nameless(claim)} FOR NO KEY UPDATE OF i`
      const rows = yield* all(ShownRow)(sql`
        SELECT ${shownColumns(workspaceId)} FROM ${itemsNamed(sql, claim, items)}
        CROSS JOIN LATERAL (${threadOfItem(sql, workspaceId)}) t
        JOIN social_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
        WHERE ${nameless(claim)}`)
      const change = decideName(personId, person, rows.map(makeToShown(networks, moment)))
      const named = change.items.map(({ authorAvatarUrl, authorName, externalId, source }) => ({
        account_id: accountId,
        source,
        external_id: externalId,
        name: storableOrNull(authorName),
        avatar_url: storableOrNull(authorAvatarUrl),
        words: toVector(workspaceId, Option.toArray(authorName))
      }))
      yield* sql`
        WITH words AS (
          UPDATE item_words w SET words = w.words || n.words
          FROM ${namedRecords(sql, { ...itemKey, words: "tsvector" }, named)} n
          WHERE w.workspace_id = ${workspaceId} AND ${sql.literal(areWordsOf)}
        )
        UPDATE items i SET author_name = n.name, author_avatar_url = n.avatar_url, worded = i.worded + 1
        FROM ${namedRecords(sql, { ...itemKey, name: "text", avatar_url: "text" }, named)} n
        WHERE i.workspace_id = ${workspaceId} AND i.account_id = n.account_id AND i.source = n.source
          AND i.external_id = n.external_id`
      return change.events
    })

    /**
     * One batch, with its events. The last one ends the claim: units of ingest that read the author as unknown wait for
     * it, or come before it and are filled by it; if it never comes, the next claim goes on.
     */
    const fillBatch = (claim: ProfileClaim, person: KnownPerson, moment: DateTime.Utc) =>
      log
        .transaction(
          claim.workspaceId,
          Effect.fnUntraced(function* (append) {
            yield* hold(claim)
            const { avatarUrl, name } = person
            const items = Option.isNone(name)
              ? []
              : yield* all(NamelessRow)(sql`SELECT i.source, i.external_id, i.thread_key FROM items i
                  WHERE ${nameless(claim)} LIMIT ${sql.literal(`${filledAtOnce}`)}`)
            const isLast = items.length < filledAtOnce
            if (isLast) {
              yield* change(
                claim,
                sql`attempts = attempts + 1, claimable_at = NULL, lease_token = NULL, name = ${storableOrNull(name)},
                  avatar_url = ${storableOrNull(avatarUrl)}`
              )
            }
            const events = items.length === 0 ? [] : yield* fill(claim, items, person, moment)
            yield* append(events, moment)
            return { isLast, filled: events.length }
          })
        )
        .pipe(storeCall("profiles.settle", "unknown"))

    // Not a join: however few accounts the planner believes to be connected, each is looked up by its key. Whether, and not what
    // it is: of a comparison with that the planner would believe that next to none passes, and sort all that are due.
    const isConnectedIn = (
      workspaceId: Fragment,
      within: Among
    ) => sql`(SELECT a.status = 'connected' FROM social_accounts a
      WHERE a.workspace_id = ${workspaceId} AND a.id = p.account_id ${within("a.workspace_id")})`

    const look = (
      name: "profiles.claim" | "profiles.idle",
      isMeant: "IS TRUE" | "IS NOT TRUE",
      leaseNow: DateTime.Utc,
      count: number
    ) =>
      overAll(name, (among, within) =>
        all(DueRow)(sql`SELECT p.workspace_id, p.account_id, p.person_id FROM author_profiles p
          WHERE p.claimable_at <= ${at(leaseNow)} AND ${isConnectedIn(sql.literal("p.workspace_id"), within)} ${sql.literal(isMeant)} ${among("p.workspace_id")}
          ORDER BY p.claimable_at, p.workspace_id, p.account_id, p.person_id ${few(count)}`)
      )

    const these = (workspaceId: WorkspaceId, keys: ReadonlyArray<typeof DueRow.Type>) =>
      sql`p.workspace_id = ${workspaceId} AND (p.account_id, p.person_id) IN (SELECT account_id, person_id FROM ${namedRows(
        sql,
        {
          account_id: keys.map((key) => key.account_id),
          person_id: keys.map((key) => key.person_id)
        }
      )} k)`

    let lastPutOff: DateTime.Utc | undefined
    const putOffIdle = Effect.fnUntraced(function* (leaseNow: DateTime.Utc) {
      const isRecent =
        lastPutOff !== undefined &&
        Duration.isLessThan(Duration.abs(DateTime.distance(lastPutOff, leaseNow)), putOffEvery)
      if (isRecent) return
      lastPutOff = leaseNow
      for (let count = putOffAtOnce; count === putOffAtOnce;) {
        const idle = yield* look("profiles.idle", "IS NOT TRUE", leaseNow, putOffAtOnce)
        count = 0
        for (const [workspaceId, keys] of byWorkspace(idle)) {
          const rows = yield* sql`
            WITH idle AS MATERIALIZED (
              SELECT p.account_id, p.person_id FROM author_profiles p
              WHERE ${these(workspaceId, keys)} AND p.claimable_at <= ${at(leaseNow)}
                AND ${isConnectedIn(sql`${workspaceId}`, anywhere(sql))} IS NOT TRUE FOR NO KEY UPDATE OF p SKIP LOCKED
            )
            UPDATE author_profiles p
            SET claimable_at = ${at(DateTime.addDuration(leaseNow, putOffFor))}, lease_token = NULL
            FROM idle i
            WHERE p.workspace_id = ${workspaceId} AND p.account_id = i.account_id AND p.person_id = i.person_id
            RETURNING 1`.pipe(unlessAway([]))
          count += rows.length
        }
      }
    })

    const claimByWorkspace = makeClaimByWorkspace()

    return AuthorProfiles.of({
      claim: Effect.fn("PgAuthorProfiles.claim")(
        function* ({ leaseNow, leaseUntil, limit, token }) {
          yield* putOffIdle(leaseNow)
          const rows = yield* claimByWorkspace({
            queue: "author_profiles",
            limit,
            leaseNow,
            schema: ClaimRow,
            look: (count) => look("profiles.claim", "IS TRUE", leaseNow, count),
            take: (workspaceId, keys, count) => sql`
              WITH due AS MATERIALIZED (
                SELECT p.account_id, p.person_id FROM author_profiles p
                WHERE ${these(workspaceId, keys)} AND p.claimable_at <= ${at(leaseNow)}
                  AND ${isConnectedIn(sql`${workspaceId}`, anywhere(sql))}
                ORDER BY p.claimable_at, p.account_id, p.person_id ${few(count)} FOR NO KEY UPDATE OF p SKIP LOCKED
              )
              UPDATE author_profiles p SET claimable_at = ${at(leaseUntil)}, lease_token = ${token}
              FROM due d
              WHERE p.workspace_id = ${workspaceId} AND p.account_id = d.account_id AND p.person_id = d.person_id
              RETURNING p.workspace_id, p.account_id, p.person_id, p.source, p.attempts`,
            putBack: (workspaceId, read, until) => sql`UPDATE author_profiles p
              SET claimable_at = ${at(until)}, lease_token = NULL
              WHERE p.workspace_id = ${workspaceId} AND p.claimable_at = ${at(leaseUntil)} AND p.lease_token = ${token}
                AND (p.account_id, p.person_id) NOT IN (SELECT a, n FROM unnest(
                  ${read.map((row) => row.account_id)}::text[], ${read.map((row) => row.person_id)}::text[])
                  AS r (a, n))`
          })
          return rows.map((row) => ({
            workspaceId: row.workspace_id,
            accountId: row.account_id,
            personId: row.person_id,
            source: row.source,
            attempts: row.attempts,
            token
          }))
        },
        storeCall("profiles.claim", "unknown")
      ),

      renew: Effect.fn("PgAuthorProfiles.renew")(
        (claim, leaseUntil) => change(claim, sql`claimable_at = ${at(leaseUntil)}`),
        storeCall("profiles.renew", "unknown")
      ),

      release: Effect.fn("PgAuthorProfiles.release")(
        (claim, leaseNow) => change(claim, sql`claimable_at = ${at(leaseNow)}, lease_token = NULL`),
        storeCall("profiles.release", "unknown")
      ),

      settle: Effect.fn("PgAuthorProfiles.settle")(function* (claim, outcome, moment) {
        if (outcome._tag === "Later") {
          yield* change(claim, sql`attempts = attempts + 1, claimable_at = ${at(outcome.at)}, lease_token = NULL`).pipe(
            storeCall("profiles.settle", "unknown")
          )
          return 0
        }
        let filled = 0
        for (let isLast = false; !isLast;) {
          const batch = yield* fillBatch(claim, outcome.person, moment)
          filled += batch.filled
          isLast = batch.isLast
        }
        return filled
      })
    })
  })
)
