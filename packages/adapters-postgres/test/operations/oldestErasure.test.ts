import { oldestErasure } from "@loopbox/adapters-postgres"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { noon } from "@loopbox/testing/fixtures/activities"
import { connect, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { layerStores } from "../testDatabase.ts"

const at = (hours: number) => DateTime.add(noon, { hours })
const revivable_ms = Duration.toMillis(Duration.days(7))

layer(Layer.merge(layerStores(), SecureRandom.layerWebCrypto))("the oldest erasure", (it) => {
  it.effect(
    "is due since its account was hidden, its user was erased, or a disconnected account's days were over",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const accounts = yield* SocialAccounts
        const { id } = yield* makeInboxWorkspace()
        const oldest = oldestErasure(at(24 * 10), revivable_ms)
        const since = (hours: number) =>
          Effect.map(oldest, (found) => assert.deepStrictEqual(found, Option.some(at(hours)), `${hours} hours`))
        const account = (name: string) => connect(id, { networkAccountId: name, at: noon })

        const [late, early, hidden] = [yield* account("late"), yield* account("early"), yield* account("hidden")]
        assert.deepStrictEqual(yield* oldest, Option.none())
        // Its days are not over.
        yield* accounts.disconnect(id, late.id, at(24 * 4))
        assert.deepStrictEqual(yield* oldest, Option.none())
        yield* accounts.disconnect(id, early.id, at(5))
        yield* since(24 * 7 + 5)
        const hide = (hours: number) =>
          sql`UPDATE social_accounts SET status = 'disconnected', disconnected_at = ${DateTime.toDateUtc(noon)},
          erased_at = ${DateTime.toDateUtc(at(hours))} WHERE workspace_id = ${id} AND id = ${hidden.id}`
        yield* hide(24 * 8)
        yield* since(24 * 7 + 5)
        yield* hide(24 * 6)
        yield* since(24 * 6)
        yield* sql`INSERT INTO erasures (workspace_id, kind, external_user_id, asked_at)
        VALUES (${id}, 'managed_user', 'ann', ${DateTime.toDateUtc(at(3))})`
        yield* since(3)
      })
  )
})
