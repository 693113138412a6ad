import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { noon } from "@loopbox/testing/fixtures/activities"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { layerStores } from "../../testDatabase.ts"

layer(layerStores(), { excludeTestServices: true })("A backlog without end", (it) => {
  it.effect("is counted up to 10,000, and its oldest delivery is told", () =>
    Effect.gen(function* () {
      const [deliveries, sql] = [yield* WebhookDeliveries, yield* SqlClient.SqlClient]
      const at = DateTime.toDate(noon)
      yield* sql`INSERT INTO webhook_deliveries (id, endpoint, body, state, arrived_at, claimable_at)
        SELECT 'd' || n, 'meta', '', 'pending', ${at}::timestamptz + make_interval(secs => n),
          ${at}::timestamptz + make_interval(secs => n)
        FROM generate_series(0, 10500) n`
      const { counts, oldestAt } = yield* deliveries.depth
      assert.strictEqual(counts.pending, 10_000)
      assert.deepStrictEqual(oldestAt, Option.some(noon))
    })
  )
})
