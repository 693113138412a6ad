import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { byWorkspace, ofAllWorkspaces } from "../../connection/allWorkspaces.ts"
import { all } from "../../rows/rows.ts"

const UnitRow = Schema.Struct({ workspace_id: WorkspaceId, account_id: SocialAccountId, delivery_id: Schema.String })

/**
 * The notes of which parts of deliveries are stored. They lie beside the workspaces, and deliveries, which nobody owns, in
 * one place: no statement names both.
 */
export const makeWebhookUnits = Effect.map(SqlClient, (sql) => {
  const find = (deliveries: ReadonlyArray<string>) =>
    all(UnitRow)(sql`SELECT workspace_id, account_id, delivery_id FROM webhook_units
      WHERE delivery_id = ANY(${deliveries}::text[]) ${sql.literal(ofAllWorkspaces("webhooks.units"))}`)

  /** Before the deliveries go, or are done again: whoever finds one without a note does it again. */
  const forget = Effect.fnUntraced(function* (deliveries: ReadonlyArray<string>) {
    if (deliveries.length === 0) return
    for (const [workspaceId, units] of byWorkspace(yield* find(deliveries))) {
      yield* sql`DELETE FROM webhook_units u USING unnest(${units.map((unit) => unit.account_id)}::text[],
          ${units.map((unit) => unit.delivery_id)}::text[]) AS o (account_id, delivery_id)
        WHERE u.workspace_id = ${workspaceId} AND u.account_id = o.account_id AND u.delivery_id = o.delivery_id`
    }
  })

  return { find, forget }
})
