import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { CredentialsUnreadable } from "@loopbox/core/accounts/AccountErrors"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { LeaseClock } from "@loopbox/core/kernel/lease/LeaseClock"
import { storeCallWithin } from "../connection/storeFailure.ts"
import { all, at } from "../rows/rows.ts"

/** An account whose credentials can't be opened: no key that is given has sealed them, or they were altered. */
export interface Unopened {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly reason: CredentialsUnreadable["reason"]
}

export interface ResealReport {
  /** Accounts whose credentials are sealed by the wanted key now, and were not before. */
  readonly resealed: number
  readonly unopened: ReadonlyArray<Unopened>
  /** Accounts that something else kept changing: the next run takes them. */
  readonly left: number
}

export interface ResealOptions {
  /** How often what was in use is looked at again, and the pause before each. */
  readonly passes?: number | undefined
  readonly pause?: Duration.Input | undefined
}

/** Accounts of one transaction; a run that is cut off loses no more than this. */
const batch = 100

/**
 * After the lease of a renewal: its process may still be storing what the network gave, and that is refused once the
 * credentials are others. X gives it once.
 */
const margin = Duration.minutes(3)

const Row = Schema.Struct({ workspace_id: WorkspaceId, account_id: SocialAccountId, sealed: Schema.String })
type Row = typeof Row.Type

const storeCall = storeCallWithin(Duration.seconds(30))

/**
 * Seals the credentials of all accounts anew by the key of this name, with which the vault seals, so that the others can
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

  /** What another key has sealed, after this account. */
  const read = (after: { readonly workspace_id: string; readonly account_id: string }) =>
    all(Row)(sql`SELECT workspace_id, account_id, sealed FROM account_credentials
      WHERE split_part(sealed, ':', 2) <> ${keyId}
        AND (workspace_id, account_id) > (${after.workspace_id}, ${after.account_id})
      ORDER BY workspace_id, account_id LIMIT ${batch}`).pipe(storeCall("credentials.listSealed", "no"))

  const sealAnew = ({ account_id: accountId, sealed, workspace_id: workspaceId }: Row) =>
    Effect.flatMap(vault.open({ workspaceId, accountId }, sealed), (credentials) =>
      vault.seal({ workspaceId, accountId }, credentials)
    )

  /** Replaces each text by the other, where it is still that one and nobody renews it; answers how many. */
  const replace = Effect.fnUntraced(
    function* (rows: ReadonlyArray<readonly [Row, string]>) {
      const free = DateTime.subtractDuration(yield* leaseNow, margin)
      const replaced = yield* sql`UPDATE account_credentials c SET sealed = r.fresh
        FROM unnest(${rows.map(([row]) => row.workspace_id)}::text[], ${rows.map(([row]) => row.account_id)}::text[],
          ${rows.map(([row]) => row.sealed)}::text[], ${rows.map(([, fresh]) => fresh)}::text[])
          AS r (workspace_id, account_id, old, fresh)
        WHERE c.workspace_id = r.workspace_id AND c.account_id = r.account_id AND c.sealed = r.old
          AND (c.renewer_until IS NULL OR c.renewer_until <= ${at(free)})
        RETURNING 1`
      return replaced.length
    },
    storeCall("credentials.reseal", "unknown")
  )

  return Effect.gen(function* () {
    const unopened: Array<Unopened> = []
    let resealed = 0
    let left = 0
    let rows: ReadonlyArray<Row> = yield* read({ workspace_id: "", account_id: "" })
    while (rows.length > 0) {
      const anew: Array<readonly [Row, string]> = []
      for (const row of rows) {
        const fresh = yield* Effect.result(sealAnew(row))
        if (fresh._tag === "Success") anew.push([row, fresh.success])
        else {
          unopened.push({ workspaceId: row.workspace_id, accountId: row.account_id, reason: fresh.failure.reason })
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
