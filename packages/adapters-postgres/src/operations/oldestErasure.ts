import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { makeOverAll } from "../connection/allWorkspaces.ts"
import { makeStoreCall } from "../connection/storeFailure.ts"
import { all, at, Instant } from "../rows/rows.ts"

const SinceRow = Schema.Struct({ since: Instant })

/**
 * Since when the oldest erasure has been due that is not finished: from when an account was hidden, or a user or workspace
 * was erased. A disconnected account that is not hidden yet was due `revivable_ms` after it was disconnected.
 */
export const oldestErasure = Effect.fn("oldestErasure")(function* (now: DateTime.Utc, revivable_ms: number) {
  const sql = yield* SqlClient
  const overAll = yield* makeOverAll
  const storeCall = yield* makeStoreCall
  const sinceOf = all(SinceRow)
  const read = Effect.gen(function* () {
    const hidden = yield* overAll("erasures.list", (among) =>
      sinceOf(sql`SELECT erased_at AS since FROM social_accounts WHERE erased_at IS NOT NULL ${among("workspace_id")}
        ORDER BY erased_at LIMIT 1`)
    )
    const before = DateTime.subtract(now, { milliseconds: revivable_ms })
    const disconnected = yield* overAll("erasures.list", (among) =>
      sinceOf(sql`SELECT disconnected_at AS since FROM social_accounts
        WHERE disconnected_at < ${at(before)} AND erased_at IS NULL ${among("workspace_id")}
        ORDER BY disconnected_at LIMIT 1`)
    )
    const left = yield* overAll("erasures.left", (among) =>
      sinceOf(sql`SELECT asked_at AS since FROM erasures WHERE true ${among("workspace_id")} ORDER BY asked_at LIMIT 1`)
    )
    const due = disconnected.map(({ since }) => DateTime.add(since, { milliseconds: revivable_ms }))
    const [oldest] = [...due, ...[...hidden, ...left].map(({ since }) => since)].sort(DateTime.Order)
    return Option.fromUndefinedOr(oldest)
  })
  return yield* read.pipe(storeCall("erasures.oldest", "no"))
})
