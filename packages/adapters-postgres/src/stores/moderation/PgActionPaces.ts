import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { ActionPaces, type PacedCall } from "@loopbox/core/moderation/ActionPaces"
import { takePace } from "@loopbox/core/moderation/takePace"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { at, Instant, one } from "../../rows/rows.ts"

const PaceRow = Schema.Struct({ taken: Schema.Array(Instant) })

export const layer: Layer.Layer<ActionPaces, never, SqlClient> = Layer.effect(
  ActionPaces,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall

    /** The row, which is made if there is none, under its lock. */
    const lock = ({ accountId, action, workspaceId }: PacedCall) =>
      one(PaceRow)(sql`INSERT INTO action_paces AS p (workspace_id, account_id, action, taken)
        VALUES (${workspaceId}, ${accountId}, ${action}, '{}')
        ON CONFLICT (workspace_id, account_id, action) DO UPDATE SET taken = p.taken RETURNING p.taken`)

    const take = Effect.fnUntraced(function* (call: PacedCall) {
      const { accountId, action, now, pace, workspaceId } = call
      const outcome = takePace((yield* lock(call)).taken, pace, now)
      if (outcome._tag === "Wait") return Option.some(outcome.until)
      yield* sql`UPDATE action_paces SET taken = ${outcome.taken.map(at)}::timestamptz[]
        WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND action = ${action}`
      return Option.none()
    })

    return ActionPaces.of({
      take: Effect.fn("PgActionPaces.take")(
        (call) => sql.withTransaction(take(call)),
        storeCall("moderation.take", "unknown")
      )
    })
  })
)
