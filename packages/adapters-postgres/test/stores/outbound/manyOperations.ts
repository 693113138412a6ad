import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { PgAdapters } from "@loopbox/adapters-postgres"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { accepted, begin, completed, uncertain } from "@loopbox/core/outbound/transitions"
import { posted } from "@loopbox/testing/fixtures/activities"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { DateTime, Effect, Layer, Option, Result } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { busy, loud } from "../inbox/manyItems.ts"
import { runAll, withoutIndexes } from "../withoutIndexes.ts"

const rows = 1_000_000

/** One operation as a store keeps it, in the state that `next` makes of it. */
const makeOne = Effect.fnUntraced(function* (
  account: SocialAccount,
  at: DateTime.Utc,
  next: (operation: OutboundOperation) => OutboundOperation
) {
  const store = yield* OutboundStore
  const operation = yield* makeOperation(account, at, { key: "k" })
  yield* store.submit(operation, () => Result.succeed(operation))
  const leaseUntil = DateTime.add(at, { seconds: 15 })
  const [claim] = yield* store.claim({
    sources: [operation.source],
    limit: 1,
    token: operation.id,
    now: at,
    leaseNow: at,
    leaseUntil
  })
  if (claim === undefined) return yield* Effect.die(new Error("nothing to claim"))
  yield* store.change(claim, (found) => ({ operation: next(found), leaseUntil: Option.none() }))
  return operation
})

/** Copies of an operation, over the workspace's 12,000 accounts, one every `seconds` from its own time on. */
const copies = (of: OutboundOperation, from: number, count: number, seconds: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (
      sql
    ) => sql`INSERT INTO outbound_operations (workspace_id, id, account_id, item_id, source, idempotency_key, status,
        response_external_id, operation, due_at, ended_at)
      SELECT workspace_id, c.id, c.account_id, 'itm_' || n, source, 'key-' || n, status,
        response_external_id || n, operation || jsonb_build_object('id', c.id, 'accountId', c.account_id),
        due_at + later, ended_at + later
      FROM outbound_operations o, generate_series(${from}::int, ${from + count - 1}::int) n,
        LATERAL (SELECT make_interval(secs => (n - ${from}) * ${seconds}::float8) AS later,
          'op_0' || lpad(to_hex(n), 25, '0') AS id, 'acc_0' || lpad(to_hex(1 + n % 12000), 25, '0') AS account_id) c
      WHERE o.workspace_id = ${of.workspaceId} AND o.id = ${of.id}`
  )

/**
 * A million replies of 100 days, the last ones of which end at `now`; beside them 2,000 are looked for, 300 of which
 * now, and 200 are to be sent.
 */
export const fillOperations = (target: PgAdapters.Target, now: DateTime.Utc) =>
  Effect.gen(function* () {
    const account = Option.getOrThrow(yield* (yield* SocialAccounts).find(busy, loud))
    const past = DateTime.subtract(now, { days: 100 })
    const answer = posted({ externalId: "r", isOwn: true, receivedAt: past })
    const done = { externalId: "r", itemId: Option.none() }
    const ended = yield* makeOne(account, past, (found) =>
      completed(accepted(begin(found, past), answer, past), done, past)
    )
    const tried = DateTime.subtract(now, { minutes: 5 })
    const unknown = yield* makeOne(account, tried, (found) => uncertain(begin(found, tried), tried))
    const waiting = yield* makeOne(account, now, (found) => found)
    const fill = Effect.gen(function* () {
      yield* copies(ended, 1, rows, (100 * 86_400) / rows)
      yield* copies(unknown, rows + 1, 2_000, 1)
      yield* copies(waiting, rows + 2_001, 200, 0)
    })
    yield* PgAdapters.withLongRunningClient(
      target,
      {},
      Effect.andThen(withoutIndexes("outbound_operations", fill), runAll(["ANALYZE outbound_operations"]))
    )
    return { account, unknown }
  }).pipe(
    Effect.provide([
      PgAdapters.layerTarget(target, { migrate: false }).pipe(Layer.provideMerge(layerNetworks)),
      SecureRandom.layerWebCrypto
    ])
  )
