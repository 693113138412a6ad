import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { one, optional } from "./rows/rows.ts"
import { storeCallWithin } from "./connection/storeFailure.ts"

const storeCall = storeCallWithin(Duration.seconds(10))

const IdRow = Schema.Struct({ id: optional(Schema.String) })
const SealedRow = Schema.Struct({ sealed_check: optional(Schema.String) })

/** The id of this database's installation. The first call creates it; concurrent first calls get the same id. */
export const id: Effect.Effect<string, StoreUnavailable, SqlClient | SecureRandom> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const random = yield* SecureRandom
  const read = one(IdRow)(sql`SELECT id FROM installation WHERE is_only`)
  const found = (yield* read).id
  if (Option.isSome(found)) return found.value
  yield* sql`UPDATE installation SET id = ${yield* random.uuidV7()} WHERE is_only AND id IS NULL`
  return yield* Effect.fromOption((yield* read).id).pipe(Effect.orDie)
}).pipe(storeCall("installation.id", "unknown"))

/** The id, if it was made already. */
export const findId: Effect.Effect<Option.Option<string>, StoreUnavailable, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  return (yield* one(IdRow)(sql`SELECT id FROM installation WHERE is_only`)).id
}).pipe(storeCall("installation.findId", "no"))

/** A value sealed by the host's secret keys. At the start the host opens it to check that it still has the keys. */
export const sealedCheck: Effect.Effect<Option.Option<string>, StoreUnavailable, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  return (yield* one(SealedRow)(sql`SELECT sealed_check FROM installation WHERE is_only`)).sealed_check
}).pipe(storeCall("installation.sealedCheck", "no"))

/** Stores the sealed value if there is none yet. Returns the stored one: another process may have been first. */
export const sealCheck = (sealed: string): Effect.Effect<string, StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`UPDATE installation SET sealed_check = ${sealed} WHERE is_only AND sealed_check IS NULL`
    const row = yield* one(SealedRow)(sql`SELECT sealed_check FROM installation WHERE is_only`)
    return yield* Effect.fromOption(row.sealed_check).pipe(Effect.orDie)
  }).pipe(storeCall("installation.sealCheck", "unknown"))

/** Replaces the sealed value when the first key changes. The host has opened the old one before. */
export const resealCheck = (sealed: string): Effect.Effect<void, StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`UPDATE installation SET sealed_check = ${sealed} WHERE is_only`
  }).pipe(storeCall("installation.resealCheck", "unknown"))
