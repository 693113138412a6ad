import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Source } from "@loopbox/core/connectors/Source"
import { AuthorProfiles, type ProfileClaim } from "@loopbox/core/inbox/AuthorProfiles"
import type { KnownPerson } from "@loopbox/core/inbox/decideIngest"
import type { InboxEvent } from "@loopbox/core/inbox/InboxEvent"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { EventLog } from "./internal/EventLog.ts"
import { accountColumnsOf, isThreadOf, ShownRow, shownWithThread, toShown } from "./internal/ItemRow.ts"
import { all, at, claimLimit } from "./internal/rows.ts"
import { makeStoreCall } from "./internal/storeFailure.ts"
import { storable } from "./internal/text.ts"

const ClaimRow = Schema.Struct({
  workspace_id: WorkspaceId,
  account_id: SocialAccountId,
  person_id: Schema.String,
  source: Source,
  attempts: Schema.Int
})

const textOf = (text: Option.Option<string>) => Option.getOrNull(Option.map(text, storable))

export const layer: Layer.Layer<AuthorProfiles, never, EventLog | SqlClient> = Layer.effect(
  AuthorProfiles,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const few = yield* claimLimit
    const log = yield* EventLog
    const storeCall = yield* makeStoreCall

    const held = ({ accountId, personId, token, workspaceId }: ProfileClaim) => sql`
      workspace_id = ${workspaceId} AND account_id = ${accountId} AND person_id = ${personId}
        AND lease_token = ${token}`

    const putOff = (claim: ProfileClaim, until: DateTime.Utc) =>
      Effect.map(
        sql`UPDATE author_profiles SET attempts = attempts + 1, claimable_at = ${at(until)}, lease_token = NULL
          WHERE ${held(claim)} RETURNING 1`,
        (rows) => (rows.length === 0 ? Option.none<number>() : Option.some(0))
      )

    /** Fills the author's items that have no name. Units of ingest that read the author as unknown have waited. */
    const fill = Effect.fnUntraced(function* (claim: ProfileClaim, { avatarUrl, name }: KnownPerson) {
      if (Option.isNone(name)) return []
      const nameless = sql`i.workspace_id = ${claim.workspaceId} AND i.account_id = ${claim.accountId}
        AND i.author_id = ${claim.personId} AND i.kind = 'live' AND i.author_name IS NULL AND NOT i.is_own`
      // The threads stay as they are told in the events until those have their numbers.
      yield* sql`SELECT 1 FROM threads t WHERE t.workspace_id = ${claim.workspaceId}
          AND t.account_id = ${claim.accountId}
          AND (t.source, t.thread_key) IN (SELECT i.source, i.thread_key FROM items i WHERE ${nameless})
        ORDER BY t.source, t.thread_key FOR SHARE`
      const rows = yield* all(ShownRow)(sql`
        WITH locked AS MATERIALIZED (
          SELECT i.source, i.external_id FROM items i WHERE ${nameless} ORDER BY i.source, i.external_id
          FOR NO KEY UPDATE
        )
        UPDATE items i SET author_name = ${storable(name.value)},
          author_avatar_url = coalesce(i.author_avatar_url, ${textOf(avatarUrl)}::text)
        FROM locked l, threads t, social_accounts a
        WHERE i.workspace_id = ${claim.workspaceId} AND i.account_id = ${claim.accountId} AND i.source = l.source
          AND i.external_id = l.external_id AND a.workspace_id = ${claim.workspaceId} AND a.id = ${claim.accountId}
          AND ${sql.literal(isThreadOf("i"))}
        RETURNING ${sql.literal(`${shownWithThread("i")}, ${accountColumnsOf("a")}`)}`)
      return rows.map((row): InboxEvent => {
        const item = toShown(row)
        return { _tag: "ItemUpdated", accountId: item.accountId, source: item.source, item }
      })
    })

    return AuthorProfiles.of({
      claim: Effect.fn("PgAuthorProfiles.claim")(
        function* ({ leaseNow, leaseUntil, limit, token }) {
          const rows = yield* all(ClaimRow)(sql`
            WITH due AS MATERIALIZED (
              SELECT p.workspace_id, p.account_id, p.person_id FROM author_profiles p
              WHERE p.claimable_at <= ${at(leaseNow)} AND EXISTS (SELECT 1 FROM social_accounts a
                WHERE a.workspace_id = p.workspace_id AND a.id = p.account_id AND a.status = 'connected')
              ORDER BY p.claimable_at, p.workspace_id, p.account_id, p.person_id
              ${few(limit)} FOR NO KEY UPDATE OF p SKIP LOCKED
            )
            UPDATE author_profiles p SET claimable_at = ${at(leaseUntil)}, lease_token = ${token}
            FROM due d
            WHERE p.workspace_id = d.workspace_id AND p.account_id = d.account_id AND p.person_id = d.person_id
            RETURNING p.workspace_id, p.account_id, p.person_id, p.source, p.attempts`)
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

      settle: Effect.fn("PgAuthorProfiles.settle")(
        (claim, outcome, moment) =>
          log.transaction(
            claim.workspaceId,
            Effect.fnUntraced(function* (append) {
              if (outcome._tag === "Later") return yield* putOff(claim, outcome.at)
              const { avatarUrl, name } = outcome.person
              const known = yield* sql`UPDATE author_profiles SET attempts = attempts + 1, claimable_at = NULL,
                lease_token = NULL, name = ${textOf(name)}, avatar_url = ${textOf(avatarUrl)}
                WHERE ${held(claim)} RETURNING 1`
              if (known.length === 0) return Option.none()
              const events = yield* fill(claim, outcome.person)
              yield* append(events, moment)
              return Option.some(events.length)
            })
          ),
        storeCall("profiles.settle", "unknown")
      )
    })
  })
)
