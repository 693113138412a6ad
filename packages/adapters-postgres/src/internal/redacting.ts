import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { AccountRoute } from "@loopbox/core/connectors/InboundActivity"
import type { Redact } from "@loopbox/core/kernel/Redact"
import { endpointOf, Network, WebhookEndpoint } from "@loopbox/core/connectors/Source"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { all, first, optional } from "./rows.ts"
import { makeStoreCall } from "./storeFailure.ts"

interface AccountKey {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
}

const RouteRow = Schema.Struct({
  network: Network,
  network_account_id: Schema.String,
  username: optional(Schema.String),
  is_elsewhere: Schema.Boolean
})

const IdRow = Schema.Struct({ id: Schema.String })
const DeliveryRow = Schema.Struct({ id: Schema.String, endpoint: WebhookEndpoint, body: Schema.Uint8Array })

/** Deliveries of one transaction: bodies may be 4 MiB. */
const batch = 50

const batchTimeout = Duration.seconds(30)

/** Redacting what deliveries say to accounts that are hidden, in transactions of its own. */
export const makeRedacting = Effect.gen(function* () {
  const sql = yield* SqlClient
  const storeCall = yield* makeStoreCall
  const call = storeCall("accounts.redact", "unknown", batchTimeout)

  const findRoute = ({ accountId, workspaceId }: AccountKey) =>
    first(RouteRow)(sql`
      SELECT a.network, a.network_account_id, a.username, EXISTS (SELECT 1 FROM account_routes r
        WHERE r.network = a.network AND r.kind = 'id' AND r.value = a.network_account_id) AS is_elsewhere
      FROM social_accounts a WHERE a.workspace_id = ${workspaceId} AND a.id = ${accountId}`)

  /** Of these deliveries: what is done and said nothing to others goes as a whole, the others are redacted. */
  const redactBatch = Effect.fnUntraced(
    function* (
      { accountId, workspaceId }: AccountKey,
      ids: ReadonlyArray<string>,
      account: AccountRoute,
      redact: Redact
    ) {
      yield* sql`DELETE FROM webhook_deliveries d WHERE d.id = ANY(${ids}::text[]) AND d.state = 'done'
      AND NOT EXISTS (SELECT 1 FROM webhook_units u WHERE u.delivery_id = d.id
        AND (u.workspace_id, u.account_id) <> (${workspaceId}, ${accountId}))`
      const rows = yield* all(DeliveryRow)(sql`SELECT id, endpoint, body FROM webhook_deliveries
      WHERE id = ANY(${ids}::text[]) ORDER BY id FOR UPDATE`)
      for (const row of rows) {
        const body = redact(row, account)
        if (Option.isSome(body)) {
          yield* sql`UPDATE webhook_deliveries SET body = ${body.value} WHERE id = ${row.id}`
        } else {
          yield* sql`DELETE FROM webhook_units WHERE delivery_id = ${row.id}`
          yield* sql`DELETE FROM webhook_deliveries WHERE id = ${row.id}`
        }
      }
      yield* sql`DELETE FROM webhook_units WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
      AND delivery_id = ANY(${ids}::text[])`
    },
    sql.withTransaction,
    call
  )

  /** Its unit may never have been done: then only the body tells that it is about the account. */
  const findUnnoted = Effect.fnUntraced(function* ({ accountId, network, username }: AccountRoute) {
    const names = [accountId, username].flatMap(Option.toArray)
    const isAbout = sql.or(names.map((name) => sql`position(convert_to(${name}, 'UTF8') IN body) > 0`))
    return yield* all(IdRow)(sql`
      SELECT id FROM webhook_deliveries WHERE state = 'failed' AND endpoint = ${endpointOf(network)} AND ${isAbout}
      UNION ALL
      SELECT id FROM webhook_deliveries
      WHERE claimable_at IS NOT NULL AND endpoint = ${endpointOf(network)} AND ${isAbout}`)
  }, call)

  const redactAll = Effect.fnUntraced(function* (key: AccountKey, redact: Redact) {
    const row = yield* findRoute(key).pipe(call)
    // What is said to an account that somebody has connected is theirs, too.
    if (Option.isNone(row) || row.value.is_elsewhere) return
    const { network, network_account_id, username } = row.value
    const account: AccountRoute = { network, accountId: Option.some(network_account_id), username }
    for (let found = batch; found === batch;) {
      const noted = yield* all(IdRow)(sql`SELECT delivery_id AS id FROM webhook_units
        WHERE workspace_id = ${key.workspaceId} AND account_id = ${key.accountId} LIMIT ${batch}`).pipe(call)
      found = noted.length
      if (found > 0)
        yield* redactBatch(
          key,
          noted.map(({ id }) => id),
          account,
          redact
        )
    }
    const unnoted = (yield* findUnnoted(account)).map(({ id }) => id)
    for (let from = 0; from < unnoted.length; from += batch) {
      yield* redactBatch(key, unnoted.slice(from, from + batch), account, redact)
    }
  })

  return { redactAll }
})
