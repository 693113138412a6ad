import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { CredentialsUnreadable } from "@loopbox/core/accounts/AccountErrors"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { OutgoingEndpointId, SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { LeaseClock } from "@loopbox/core/kernel/lease/LeaseClock"
import { storeCallWithin } from "../connection/storeFailure.ts"
import { all, at } from "../rows/rows.ts"

/**
 * An account whose credentials, or a webhook endpoint whose secret can't be opened: no key that is given has sealed it, or
 * it was altered.
 */
export interface Unopened {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId | OutgoingEndpointId
  readonly reason: CredentialsUnreadable["reason"]
}

export interface ResealReport {
  /** Credentials of accounts and secrets of webhook endpoints that are sealed by the wanted key now, and were not before. */
  readonly resealed: number
  readonly unopened: ReadonlyArray<Unopened>
  /** Those that something else kept changing: the next run takes them. */
  readonly left: number
}

export interface ResealOptions {
  /** How often what was in use is looked at again, and the pause before each. */
  readonly passes?: number | undefined
  readonly pause?: Duration.Input | undefined
}

/** Texts of one transaction; a run that is cut off loses no more than this. */
const batch = 100

/**
 * After the lease of a renewal: its process may still be storing what the network gave, and that is refused once the
 * credentials are others. X gives it once.
 */
const margin = Duration.minutes(3)

/** Credentials have the number 0, secrets of endpoints begin with 1. */
const Row = Schema.Struct({
  workspace_id: WorkspaceId,
  owner_id: Schema.Union([SocialAccountId, OutgoingEndpointId]),
  number: Schema.Int,
  sealed: Schema.String
})
type Row = typeof Row.Type

const start = { workspace_id: "", owner_id: "", number: 0 }

const storeCall = storeCallWithin(Duration.seconds(30))

/**
 * Seals the credentials of all accounts and the secrets of all webhook endpoints anew by the key of this name, with which the vault seals, so that the others can
 * be taken away. Safe while hosts run: credentials that were replaced since they were read, or that are being renewed
 * just now, are left alone and looked at again. Repeating it does what is left.
 */
export const reseal = Effect.fn("resealing.reseal")(function* (keyId: string, options: ResealOptions = {}) {
  const { passes = 60, pause = "5 seconds" } = options
  const onePass = yield* makePass(keyId)
  let report: ResealReport = yield* onePass
  for (let pass = 1; pass < passes && report.left > 0; pass++) {
    yield* Effect.sleep(pause)
    const next = yield* onePass
    report = { ...next, resealed: report.resealed + next.resealed }
  }
  return report
})

const makePass = Effect.fnUntraced(function* (keyId: string) {
  const sql = yield* SqlClient
  const vault = yield* CredentialVault
  const leaseNow = yield* LeaseClock

  /** What another key has sealed, after this text. */
  const read = (after: Pick<Row, "number"> & { readonly workspace_id: string; readonly owner_id: string }) => {
    const isNext = (number: string, owner: string) =>
      sql`split_part(sealed, ':', 2) <> ${keyId} AND (workspace_id, ${sql.literal(owner)}, ${sql.literal(number)})
        > (${after.workspace_id}, ${after.owner_id}, ${after.number})`
    return all(Row)(sql`SELECT * FROM (
        SELECT workspace_id, account_id AS owner_id, 0 AS number, sealed FROM account_credentials
        WHERE ${isNext("0", "account_id")}
        UNION ALL
        SELECT workspace_id, endpoint_id, number, sealed FROM outgoing_secrets WHERE ${isNext("number", "endpoint_id")}
      ) s ORDER BY workspace_id, owner_id, number LIMIT ${batch}`).pipe(storeCall("credentials.listSealed", "no"))
  }

  const sealAnew = ({ owner_id: accountId, sealed, workspace_id: workspaceId }: Row) =>
    Effect.flatMap(vault.open({ workspaceId, accountId }, sealed), (credentials) =>
      vault.seal({ workspaceId, accountId }, credentials)
    )

  /** Replaces each text by the other, where it is still that one and nobody renews it; answers how many. */
  const replace = Effect.fnUntraced(
    function* (rows: ReadonlyArray<readonly [Row, string]>) {
      const free = DateTime.subtractDuration(yield* leaseNow, margin)
      const given = sql`unnest(${rows.map(([row]) => row.workspace_id)}::text[],
          ${rows.map(([row]) => row.owner_id)}::text[], ${rows.map(([row]) => row.number)}::int[],
          ${rows.map(([row]) => row.sealed)}::text[], ${rows.map(([, fresh]) => fresh)}::text[])
          AS r (workspace_id, owner_id, number, old, fresh)`
      const credentials = yield* sql`UPDATE account_credentials c SET sealed = r.fresh FROM ${given}
        WHERE c.workspace_id = r.workspace_id AND c.account_id = r.owner_id AND r.number = 0 AND c.sealed = r.old
          AND (c.renewer_until IS NULL OR c.renewer_until <= ${at(free)})
        RETURNING 1`
      const secrets = yield* sql`UPDATE outgoing_secrets s SET sealed = r.fresh FROM ${given}
        WHERE s.workspace_id = r.workspace_id AND s.endpoint_id = r.owner_id AND s.number = r.number AND s.sealed = r.old
        RETURNING 1`
      return credentials.length + secrets.length
    },
    storeCall("credentials.reseal", "unknown")
  )

  return Effect.gen(function* () {
    const unopened: Array<Unopened> = []
    let resealed = 0
    let left = 0
    let rows: ReadonlyArray<Row> = yield* read(start)
    while (rows.length > 0) {
      const anew: Array<readonly [Row, string]> = []
      for (const row of rows) {
        const fresh = yield* Effect.result(sealAnew(row))
        if (fresh._tag === "Success") anew.push([row, fresh.success])
        else {
          unopened.push({ workspaceId: row.workspace_id, accountId: row.owner_id, reason: fresh.failure.reason })
        }
      }
      const replaced = anew.length === 0 ? 0 : yield* replace(anew)
      resealed += replaced
      left += anew.length - replaced
      const last = rows.at(-1)
      rows = rows.length < batch || last === undefined ? [] : yield* read(last)
    }
    const report: ResealReport = { resealed, unopened, left }
    return report
  })
})
