import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import { MigrationRefused } from "../Migrations.ts"
import { type FindOptions, findTarget } from "./Primary.ts"
import type { Target } from "./Target.ts"

/** What a pooler may not take at the start of a session, and a server always does. */
const setting = { statement_timeout: "5000" }

const connectTimeout = "5 seconds"

/** The same on a primary and its standbys, and on no other cluster; the name as the server has it, not as a pooler does. */
const identity = `SELECT system_identifier || ' ' || current_database() AS identity, current_database() AS name
  FROM pg_control_system()`

interface Identity {
  readonly identity: unknown
  readonly name: unknown
}

/** None where the server does not tell its roles which it is. */
const identify = (
  target: Target,
  startupParameters: Record<string, string>,
  options: FindOptions
): Effect.Effect<Option.Option<Identity>, SqlError> =>
  Effect.gen(function* () {
    const primary = yield* findTarget(target, options)
    const connection = yield* PgConnection.make({ ...primary, connectTimeout, startupParameters, prepare: false })
    const { rows } = yield* connection.query(identity, [], false)
    return Option.map(Option.fromNullishOr(rows[0]), (row) => ({ identity: row["identity"], name: row["name"] }))
  }).pipe(
    Effect.scoped,
    Effect.catchIf(
      ({ reason }) => reason._tag === "AuthorizationError",
      () => Effect.succeedNone
    )
  )

const refuse = (message: string) => new MigrationRefused({ reason: "OtherDatabase", message })

const refusesSettings = (error: SqlError): boolean => {
  let cause: unknown = error
  while (cause instanceof Error) {
    if (/unsupported startup parameter/i.test(cause.message)) return true
    cause = cause.cause
  }
  return false
}

/**
 * Fails unless the address behind a pooler leads to a server, and to the database that the pooler lends: of another one nothing
 * would be heard, and it would be the one that is migrated and exported.
 */
export const checkBehindPooler = (
  pooler: Target,
  behind: Target,
  options: FindOptions = {}
): Effect.Effect<void, MigrationRefused | SqlError> =>
  Effect.gen(function* () {
    const itself = yield* Effect.catchIf(identify(behind, setting, options), refusesSettings, () =>
      Effect.fail(
        refuse(
          "The address of the database itself (LOOPBOX_LISTENER_URL, listenerUrl) is a pooler, too. It must lead past all poolers."
        )
      )
    )
    const lent = yield* identify(pooler, {}, options)
    if (Option.isNone(itself) || Option.isNone(lent)) return
    if (itself.value.identity === lent.value.identity) return
    return yield* refuse(
      `The pooler lends the database "${lent.value.name}", and the address of the database itself (LOOPBOX_LISTENER_URL, ` +
        `listenerUrl) leads to another one, "${itself.value.name}". Both must be the same.`
    )
  })
