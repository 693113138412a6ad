import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, lastSeq, makeInboxWorkspace, tagsAfter } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { layerStores } from "../../testDatabase.ts"
import { awaitWaiting } from "../../waiting.ts"

layer(Layer.merge(layerStores(), SecureRandom.layerWebCrypto), { excludeTestServices: true })("An account", (it) => {
  it.effect("is changed before a unit of ingest that came later, however many units are being stored", () =>
    Effect.gen(function* () {
      const [accounts, sql] = [yield* SocialAccounts, yield* SqlClient.SqlClient]
      const { id: workspaceId } = yield* makeInboxWorkspace()
      const account = yield* connect(workspaceId, { owner: "u1" })
      yield* ingest(account, [posted({ externalId: "c0", threadKey: "busy" })])
      const before = yield* lastSeq(workspaceId)
      // The first unit holds the account, and waits for its thread.
      const other = yield* sql.reserve
      yield* other.executeRaw("BEGIN", [])
      yield* other.executeRaw("SELECT 1 FROM threads WHERE workspace_id = $1 FOR UPDATE", [workspaceId])
      const first = yield* Effect.forkChild(ingest(account, [posted({ externalId: "c1", threadKey: "busy" })]))
      yield* awaitWaiting(1)
      const owner = { externalUserId: Option.some("u2") }
      const move = yield* Effect.forkChild(accounts.update(workspaceId, account.id, owner, noon))
      yield* awaitWaiting(2)
      const later = yield* Effect.forkChild(ingest(account, [posted({ externalId: "c2", threadKey: "free" })]))
      yield* Effect.raceFirst(awaitWaiting(3), Fiber.await(later))
      yield* other.executeRaw("COMMIT", [])
      yield* Effect.all([Fiber.await(first), Fiber.await(move), Fiber.await(later)])
      assert.deepStrictEqual(yield* tagsAfter(workspaceId, before), ["NewItem", "AccountMoved", "NewItem"])
    }).pipe(Effect.scoped)
  )

  it.effect("whose access a person has ended loses it before a unit of ingest that came later", () =>
    Effect.gen(function* () {
      const [credentials, sql] = [yield* AccountCredentials, yield* SqlClient.SqlClient]
      const { id: workspaceId } = yield* makeInboxWorkspace()
      const account = yield* connect(workspaceId)
      yield* ingest(account, [posted({ externalId: "c0", threadKey: "busy" })])
      const other = yield* sql.reserve
      yield* other.executeRaw("BEGIN", [])
      yield* other.executeRaw("SELECT 1 FROM threads WHERE workspace_id = $1 FOR UPDATE", [workspaceId])
      const first = yield* Effect.forkChild(ingest(account, [posted({ externalId: "c1", threadKey: "busy" })]))
      yield* awaitWaiting(1)
      const key = { workspaceId, accountId: account.id }
      const drop = yield* Effect.forkChild(credentials.drop(key, DateTime.add(noon, { minutes: 1 })))
      yield* awaitWaiting(2)
      const later = yield* Effect.forkChild(ingest(account, [posted({ externalId: "c2", threadKey: "free" })]))
      yield* Effect.raceFirst(awaitWaiting(3), Fiber.await(later))
      assert.isUndefined(later.pollUnsafe())
      yield* other.executeRaw("COMMIT", [])
      yield* Effect.all([Fiber.join(first), Fiber.join(drop), Fiber.join(later)])
      const [row] = yield* sql`SELECT status FROM social_accounts WHERE workspace_id = ${workspaceId}`
      assert.strictEqual(row?.["status"], "reauth_required")
    }).pipe(Effect.scoped)
  )
})
