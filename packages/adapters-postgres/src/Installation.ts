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

/** The id of this database's installation, made at the first call; of several first calls at once one wins. */
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

/** What a host stored sealed by its secret keys, to find out at start whether it still has them. */
export const sealedCheck: Effect.Effect<Option.Option<string>, StoreUnavailable, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  return (yield* one(SealedRow)(sql`SELECT sealed_check FROM installation WHERE is_only`)).sealed_check
}).pipe(storeCall("installation.sealedCheck", "no"))

/** Stores the first sealed value and answers the one that holds: another process may have been first. */
export const sealCheck = (sealed: string): Effect.Effect<string, StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`UPDATE installation SET sealed_check = ${sealed} WHERE is_only AND sealed_check IS NULL`
    const row = yield* one(SealedRow)(sql`SELECT sealed_check FROM installation WHERE is_only`)
    return yield* Effect.fromOption(row.sealed_check).pipe(Effect.orDie)
  }).pipe(storeCall("installation.sealCheck", "unknown"))

/** Replaces the sealed value, after its host has opened the old one, when the first key changes. */
export const resealCheck = (sealed: string): Effect.Effect<void, StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`UPDATE installation SET sealed_check = ${sealed} WHERE is_only`
  }).pipe(storeCall("installation.resealCheck", "unknown"))
