import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { type Redact, redactAll, type RedactedAccount, redactedAccounts } from "@loopbox/core/kernel/Redact"
import { Networks } from "@loopbox/core/networks/Networks"
import { Network, WebhookEndpoint } from "@loopbox/core/networks/Source"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { batchWait, limitBatch } from "./erasingBatches.ts"
import { all, at, first, Instant, optional } from "../rows/rows.ts"
import { makeWebhookUnits, type WebhookUnit } from "../stores/sync/webhookUnits.ts"
import { makeStoreCall } from "../connection/storeFailure.ts"

/** An account that is hidden, by each of its ids: one at least, all of one network. */
interface HiddenAccount {
  readonly network: Network
  readonly names: ReadonlyArray<RedactedAccount>
  /** Since when no worker finds it any more. */
  readonly hiddenAt: DateTime.Utc
}

interface AccountKey {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
}

const RouteRow = Schema.Struct({
  network: Network,
  network_account_id: Schema.String,
  other_account_id: optional(Schema.String),
  username: optional(Schema.String),
  erased_at: Instant
})

const SizedRow = Schema.Struct({ id: Schema.String, size: Schema.Int })
const IdRow = Schema.Struct({ id: Schema.String })
const DeliveryRow = Schema.Struct({ id: Schema.String, endpoint: WebhookEndpoint, body: Schema.Uint8Array })

/** Deliveries of one transaction: bodies may be 4 MiB. */
const batch = 50

/** Deliveries of which one statement reads the bodies, and bytes of these unless one has more: most have a few hundred. */
const readAtOnce = 1_000
const readAtOnce_bytes = 16 * 1024 * 1024

/** Ids in the order of the rows, of so many that one statement may read their bodies. */
export const inReads = (rows: ReadonlyArray<typeof SizedRow.Type>): ReadonlyArray<ReadonlyArray<string>> => {
  const reads: Array<Array<string>> = []
  let room_bytes = 0
  for (const { id, size } of rows) {
    const last = reads.at(-1)
    if (last === undefined || last.length === readAtOnce || size > room_bytes) {
      reads.push([id])
      room_bytes = readAtOnce_bytes
    } else last.push(id)
    room_bytes -= size
  }
  return reads
}

/** How far the clocks of two processes may differ. */
const clocksApart = Duration.minutes(1)

/** Redacting what deliveries say to accounts that are hidden, in transactions of its own. */
export const makeRedacting = Effect.gen(function* () {
  const sql = yield* SqlClient
  const networks = yield* Networks
  const units = yield* makeWebhookUnits
  const storeCall = yield* makeStoreCall
  const call = storeCall("accounts.redact", "unknown", batchWait)

  const findRoute = ({ accountId, workspaceId }: AccountKey) =>
    first(RouteRow)(sql`
      SELECT a.network, a.network_account_id, a.other_account_id, a.username, a.erased_at
      FROM social_accounts a WHERE a.workspace_id = ${workspaceId} AND a.id = ${accountId} AND a.erased_at IS NOT NULL`)

  const redactThese = Effect.fnUntraced(
    function* (
      { accountId, workspaceId }: AccountKey,
      ids: ReadonlyArray<string>,
      { names }: HiddenAccount,
      redact: Redact,
      known: { readonly whole: ReadonlyArray<string>; readonly units: ReadonlyArray<WebhookUnit> }
    ) {
      yield* limitBatch(sql)
      yield* sql`DELETE FROM webhook_deliveries WHERE id = ANY(${known.whole}::text[]) AND state = 'done'`
      const rows = yield* all(DeliveryRow)(sql`SELECT id, endpoint, body FROM webhook_deliveries
      WHERE id = ANY(${ids}::text[]) ORDER BY id FOR UPDATE`)
      for (const row of rows) {
        const body = redactAll(redact, row, names)
        if (Option.isSome(body)) {
          yield* sql`UPDATE webhook_deliveries SET body = ${body.value}, lane = '' WHERE id = ${row.id}`
        } else {
          // A note that is not known, as of a node that is away, goes with its account.
          yield* units.remove(known.units.filter((unit) => unit.delivery_id === row.id))
          yield* sql`DELETE FROM webhook_deliveries WHERE id = ${row.id}`
        }
      }
      yield* sql`DELETE FROM webhook_units WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
      AND delivery_id = ANY(${ids}::text[])`
    },
    sql.withTransaction,
    call
  )

  /** Of these deliveries: what is done and said nothing to others goes as a whole, the others are redacted. */
  const redactBatch = Effect.fnUntraced(function* (
    key: AccountKey,
    ids: ReadonlyArray<string>,
    account: HiddenAccount,
    redact: Redact
  ) {
    const done = yield* all(IdRow)(sql`SELECT id FROM webhook_deliveries
      WHERE id = ANY(${ids}::text[]) AND state = 'done'`).pipe(call)
    // Before the transaction, which would end with a node that is away. What is done has all of its notes.
    const { away, found } = yield* call(units.find(ids))
    const others = new Set(
      found
        .filter((unit) => unit.workspace_id !== key.workspaceId || unit.account_id !== key.accountId)
        .map((unit) => unit.delivery_id)
    )
    // What a node has that is away is not known: then each may say something to others.
    const whole = Option.isSome(away) ? [] : done.flatMap(({ id }) => (others.has(id) ? [] : [id]))
    yield* redactThese(key, ids, account, redact, { whole, units: found })
  })

  /**
   * Deliveries that are not done, or were done when the account was hidden: a unit of it may never have been, and then only
   * the bodies tell whom they are about.
   */
  const listUnnoted = Effect.fnUntraced(function* ({ hiddenAt, network }: HiddenAccount) {
    // Of a network that this process does not know every endpoint is searched.
    const ofEndpoint = Option.match(networks.endpointOf(network), {
      onNone: () => sql`TRUE`,
      onSome: (endpoint) => sql`endpoint = ${endpoint}`
    })
    const sized = sql.literal("id, octet_length(body) AS size")
    return yield* all(SizedRow)(sql`
      SELECT ${sized} FROM webhook_deliveries WHERE state = 'failed' AND ${ofEndpoint}
      UNION ALL
      SELECT ${sized} FROM webhook_deliveries WHERE claimable_at IS NOT NULL AND ${ofEndpoint}
      UNION ALL
      SELECT ${sized} FROM webhook_deliveries WHERE state = 'done' AND ${ofEndpoint}
        AND ended_at >= ${at(DateTime.subtractDuration(hiddenAt, clocksApart))}`)
  }, call)

  const findAbout = Effect.fnUntraced(
    function* (account: HiddenAccount, ids: ReadonlyArray<string>) {
      yield* limitBatch(sql)
      const names = account.names.flatMap(({ accountId, username }) => [accountId, username].flatMap(Option.toArray))
      const isAbout = sql.or(
        Array.from(new Set(names)).map((name) => sql`position(convert_to(${name}, 'UTF8') IN body) > 0`)
      )
      return yield* all(IdRow)(sql`SELECT id FROM webhook_deliveries WHERE id = ANY(${ids}::text[]) AND ${isAbout}`)
    },
    sql.withTransaction,
    call
  )

  /** How the account is called; none: what is said to an account that somebody has connected is theirs, too. */
  const findAccount = Effect.fnUntraced(function* (key: AccountKey) {
    const row = yield* findRoute(key)
    if (Option.isNone(row)) return Option.none<HiddenAccount>()
    const { erased_at: hiddenAt, network, network_account_id: networkAccountId, username } = row.value
    const elsewhere = yield* sql`SELECT 1 FROM account_routes
      WHERE network = ${network} AND kind = 'id' AND value = ${networkAccountId} LIMIT 1`
    if (elsewhere.length > 0) return Option.none<HiddenAccount>()
    const { other_account_id: otherAccountId } = row.value
    const names = redactedAccounts({ network, networkAccountId, otherAccountId, username })
    return Option.some<HiddenAccount>({ network, names, hiddenAt })
  }, call)

  /** Redacts a batch of deliveries that are noted to say something to the account. Answers whether more may be left. */
  const redactNoted = Effect.fnUntraced(function* (key: AccountKey, redact: Redact) {
    const account = yield* findAccount(key)
    if (Option.isNone(account)) return false
    const noted = yield* all(IdRow)(sql`SELECT delivery_id AS id FROM webhook_units
      WHERE workspace_id = ${key.workspaceId} AND account_id = ${key.accountId}
      ORDER BY delivery_id LIMIT ${sql.literal(`${batch}`)}`).pipe(call)
    const ids = noted.map(({ id }) => id)
    if (ids.length > 0) yield* redactBatch(key, ids, account.value, redact)
    return ids.length === batch
  })

  /** Redacts those whose unit of the account was never done, or is not any more. */
  const redactUnnoted = Effect.fnUntraced(function* (key: AccountKey, redact: Redact) {
    const account = yield* findAccount(key)
    if (Option.isNone(account)) return
    for (const unnoted of inReads(yield* listUnnoted(account.value))) {
      const about = (yield* findAbout(account.value, unnoted)).map(({ id }) => id)
      for (let from = 0; from < about.length; from += batch) {
        yield* redactBatch(key, about.slice(from, from + batch), account.value, redact)
      }
    }
  })

  /** Whether deliveries that are kept say something to the account that only a redaction takes out of them. */
  const isMentioned = Effect.fnUntraced(function* (key: AccountKey) {
    const account = yield* findAccount(key)
    if (Option.isNone(account)) return false
    const noted = yield* sql`SELECT 1 FROM webhook_units
      WHERE workspace_id = ${key.workspaceId} AND account_id = ${key.accountId} LIMIT 1`.pipe(call)
    if (noted.length > 0) return true
    for (const unnoted of inReads(yield* listUnnoted(account.value))) {
      if ((yield* findAbout(account.value, unnoted)).length > 0) return true
    }
    return false
  })

  return { isMentioned, redactNoted, redactUnnoted }
})
