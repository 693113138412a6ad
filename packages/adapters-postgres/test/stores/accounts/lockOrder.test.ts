import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { noon } from "@loopbox/testing/fixtures/activities"
import { connect, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { layerStores } from "../../testDatabase.ts"
import { awaitWaiting } from "../../waiting.ts"

layer(Layer.merge(layerStores(), SecureRandom.layerWebCrypto), { excludeTestServices: true })("Locks", (it) => {
  it.effect("of an account are taken before those of its credentials, by a renewal, too (L1)", () =>
    Effect.gen(function* () {
      const [credentials, sql] = [yield* AccountCredentials, yield* SqlClient.SqlClient]
      const { id: workspaceId } = yield* makeInboxWorkspace()
      const { id: accountId } = yield* connect(workspaceId)
      const claim = { workspaceId, accountId, sealed: "sealed", token: "t" }
      const until = DateTime.add(noon, { minutes: 1 })
      assert.isTrue(yield* credentials.claimRenewal(claim, { now: noon, until, dueAt: Option.none() }))
      const outcome = {
        _tag: "Renewed",
        sealed: "new",
        renewedAt: noon,
        renewAt: Option.none(),
        expiresAt: Option.none()
      } as const
      // Whoever changes the account has its row, and goes on with the credentials.
      const other = yield* sql.reserve
      yield* other.executeRaw("BEGIN", [])
      yield* other.executeRaw("SELECT 1 FROM social_accounts WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE", [
        workspaceId,
        accountId
      ])
      const renewal = yield* Effect.forkChild(credentials.settleRenewal(claim, outcome))
      yield* awaitWaiting(1)
      yield* other.executeRaw(
        "SELECT 1 FROM account_credentials WHERE workspace_id = $1 AND account_id = $2 FOR UPDATE NOWAIT",
        [workspaceId, accountId]
      )
      yield* other.executeRaw("COMMIT", [])
      assert.isTrue(yield* Fiber.join(renewal))
    }).pipe(Effect.scoped)
  )
})
