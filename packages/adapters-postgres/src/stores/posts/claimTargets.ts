import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { isSqlError } from "effect/sql/SqlError"
import * as DateTime from "effect/DateTime"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { LeaseRequest } from "@loopbox/core/kernel/lease/claimLoop"
import type { Network } from "@loopbox/core/networks/Source"
import type { TargetClaim } from "@loopbox/core/posts/PostStore"
import { anyOf } from "../../rows/oneByOne.ts"
import { makeClaimByWorkspace } from "../../rows/claimReadable.ts"
import { ClaimedRow } from "../../rows/PostRow.ts"
import { type Among, anywhere, makeOverAll } from "../../connection/allWorkspaces.ts"
import { all, at, claimLimit } from "../../rows/rows.ts"

/** A publication that began and was left alone for so long is in nobody's hands: its outcome is decided before. */
const longestBusy = Duration.minutes(30)

const DueRow = Schema.Struct({ workspace_id: WorkspaceId, id: Schema.String })

/** Another worker took a target of the same account at the same moment: the index lets only one of them. */
export const isBeaten = (error: unknown): boolean => isSqlError(error) && error.reason._tag === "UniqueViolation"

/**
 * Makes the claim of due targets.
 *
 * One that begins is taken only as the first of its account that is due, and while no other is busy; from then on it is
 * busy itself. One that cannot be read was put back for a while, without a token: it is passed over until then, and one that
 * was busy keeps others of its account waiting for as long as it may be in the hands of a version that can read it.
 */
export const makeClaimTargets = Effect.gen(function* () {
  const sql = yield* SqlClient
  const few = yield* claimLimit
  const overAll = yield* makeOverAll
  const claimByWorkspace = makeClaimByWorkspace()

  return Effect.fnUntraced(
    function* ({
      leaseNow,
      leaseUntil,
      limit,
      networks,
      now,
      token
    }: LeaseRequest & { readonly networks: ReadonlyArray<Network>; readonly now: DateTime.Utc }) {
      const isTurnIn = (workspaceId: Fragment, within: Among) => sql`NOT EXISTS (SELECT 1 FROM post_targets b
          WHERE b.workspace_id = ${workspaceId} AND b.account_id = t.account_id AND b.is_busy AND b.id <> t.id
            ${within("b.workspace_id")})
        AND NOT EXISTS (SELECT 1 FROM post_targets e
          WHERE e.workspace_id = ${workspaceId} AND e.account_id = t.account_id AND e.is_beginning
            AND e.due_at <= ${at(now)} AND (e.due_at, e.id) < (t.due_at, t.id)
            AND NOT (e.lease_token IS NULL AND e.lease_until IS NOT NULL AND e.lease_until > ${at(leaseNow)})
            ${within("e.workspace_id")})`
      const isDueIn = (
        workspaceId: Fragment,
        within: Among
      ) => sql`t.due_at <= ${at(now)} AND t.network = ANY(${networks}::text[])
        AND (t.lease_until IS NULL OR t.lease_until <= ${at(leaseNow)}) AND (NOT t.is_beginning OR (${isTurnIn(workspaceId, within)}))`
      const rows = yield* claimByWorkspace({
        queue: "post_targets",
        part: networks.join(),
        limit,
        leaseNow,
        schema: ClaimedRow,
        look: (count) =>
          overAll("targets.claim", (among, within) =>
            all(DueRow)(sql`SELECT t.workspace_id, t.id FROM post_targets t
              WHERE ${isDueIn(sql.literal("t.workspace_id"), within)} ${among("t.workspace_id")} ORDER BY t.due_at, t.workspace_id, t.id ${few(count)}`)
          ),
        take: (workspaceId, keys, count) => sql`
          WITH due AS MATERIALIZED (
            SELECT t.id, t.due_at FROM post_targets t
            WHERE t.workspace_id = ${workspaceId} AND t.id = ${anyOf(
              sql,
              keys.map(({ id }) => id)
            )} AND ${isDueIn(sql`${workspaceId}`, anywhere(sql))}
            ORDER BY t.due_at, t.id ${few(count)} FOR NO KEY UPDATE OF t SKIP LOCKED
          ), taken AS (
            UPDATE post_targets o SET lease_until = ${at(leaseUntil)}, lease_token = ${token},
              is_busy = o.is_busy OR o.is_beginning
            FROM due WHERE o.workspace_id = ${workspaceId} AND o.id = due.id
            RETURNING o.post_id, o.target, due.due_at, o.id
          )
          SELECT p.post, k.target FROM taken k
          JOIN posts p ON p.workspace_id = ${workspaceId} AND p.id = k.post_id ORDER BY k.due_at, k.id`,
        putBack: (workspaceId, read, until) => sql`UPDATE post_targets
          SET lease_until = ${at(until)}, lease_token = NULL, is_busy = is_busy AND NOT is_beginning AND due_at > ${at(DateTime.subtractDuration(now, longestBusy))}
          WHERE workspace_id = ${workspaceId} AND due_at <= ${at(now)} AND lease_token = ${token}
            AND id <> ALL (${read.map(({ target }) => target.id)}::text[])`
      })
      return rows.map(({ post, target }): TargetClaim => ({ post, target, token }))
    },
    Effect.catchIf(isBeaten, () => Effect.succeed<ReadonlyArray<TargetClaim>>([]))
  )
})
