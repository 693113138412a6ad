import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { byWorkspace, makePartlyOverAll, ofAllWorkspaces } from "../../connection/allWorkspaces.ts"
import { all } from "../../rows/rows.ts"

const UnitRow = Schema.Struct({ workspace_id: WorkspaceId, account_id: SocialAccountId, delivery_id: Schema.String })
export type WebhookUnit = (typeof UnitRow)["Type"]

/**
 * The notes of which parts of deliveries are stored. They lie beside the workspaces, and deliveries, which nobody owns, in
 * one place: no statement names both.
 */
export const makeWebhookUnits = Effect.gen(function* () {
  const sql = yield* SqlClient
  const overAll = yield* makePartlyOverAll

  const select = (deliveries: ReadonlyArray<string>, among: Fragment) =>
    all(UnitRow)(sql`SELECT workspace_id, account_id, delivery_id FROM webhook_units
      WHERE delivery_id = ANY(${deliveries}::text[]) ${among}`)

  /** Those that can be reached; says whether there may be others. Not in a transaction, which ends with the node that is away. */
  const find = (deliveries: ReadonlyArray<string>) =>
    overAll("webhooks.units", (among) => select(deliveries, among("workspace_id")))

  const remove = Effect.fnUntraced(function* (found: ReadonlyArray<WebhookUnit>) {
    for (const [workspaceId, units] of byWorkspace(found)) {
      yield* sql`DELETE FROM webhook_units u USING unnest(${units.map((unit) => unit.account_id)}::text[],
          ${units.map((unit) => unit.delivery_id)}::text[]) AS o (account_id, delivery_id)
        WHERE u.workspace_id = ${workspaceId} AND u.account_id = o.account_id AND u.delivery_id = o.delivery_id`
    }
  })

  /** Before the deliveries go, or are done again: whoever finds one without a note does it again. Fails while a node is away. */
  const forget = Effect.fnUntraced(function* (deliveries: ReadonlyArray<string>) {
    if (deliveries.length === 0) return
    yield* remove(yield* select(deliveries, sql.literal(ofAllWorkspaces("webhooks.units"))))
  })

  return { find, remove, forget }
})
