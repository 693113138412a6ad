import {
  appendEvents,
  claimDue,
  makeEndpoints,
  ofEndpoint,
  oldest,
  settleAs,
  succeedAll
} from "@loopbox/testing/fixtures/laneFixtures"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { layerStores } from "../../testDatabase.ts"
import { awaitWaiting } from "../../waiting.ts"

layer(Layer.merge(layerStores(), SecureRandom.layerWebCrypto), { excludeTestServices: true })(
  "What an ordered endpoint answered",
  (it) => {
    it.effect("is written while what others of its workspace answered waits", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { endpoints, now } = yield* makeEndpoints({ isOrdered: true }, {})
        const [ordered, plain] = endpoints
        if (ordered === undefined || plain === undefined) return assert.fail("no endpoints")
        yield* appendEvents(endpoints, 1, 2, now)
        const claims = yield* claimDue(now)
        const held = ofEndpoint(claims, ordered)
        const {
          deliveries: [first, second],
          lane
        } = ofEndpoint(claims, plain)
        if (first === undefined || second === undefined) return assert.fail("too few are due")
        const other = yield* sql.reserve
        yield* other.executeRaw("BEGIN", [])
        yield* other.executeRaw("SELECT 1 FROM outgoing_endpoints WHERE workspace_id = $1 AND id = $2 FOR UPDATE", [
          plain.workspaceId,
          plain.id
        ])
        const delivered = yield* Effect.forkChild(succeedAll({ lane, deliveries: [first] }, now))
        const failed = yield* Effect.forkChild(settleAs({ lane }, second, 500, now))
        yield* awaitWaiting(2)

        yield* settleAs(held, oldest(held), 500, now)
        const again = { ...oldest(held), attempts: 1 }
        const results = yield* succeedAll({ ...held, deliveries: [again] }, now)
        assert.lengthOf(results, 1)
        assert.isUndefined(delivered.pollUnsafe())
        assert.isUndefined(failed.pollUnsafe())

        yield* other.executeRaw("COMMIT", [])
        yield* Effect.all([Fiber.join(delivered), Fiber.join(failed)])
      }).pipe(Effect.scoped)
    )
  }
)
