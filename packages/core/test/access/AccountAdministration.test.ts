import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { AccountAdministration } from "../../src/access/AccountAdministration.ts"
import { DashboardIdentity, type TokenRequest } from "../../src/access/DashboardIdentity.ts"
import { Unauthorized } from "../../src/access/AccessErrors.ts"
import { CredentialVault } from "../../src/accounts/CredentialVault.ts"
import { AccountCredentials } from "../../src/accounts/AccountCredentials.ts"
import { Connectors } from "../../src/networks/Connectors.ts"
import { noNetworks } from "../../src/networks/noNetworks.ts"
import * as InboxSweeper from "../../src/sweeping/InboxSweeper.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import * as WebhookWorker from "../../src/webhooks/WebhookWorker.ts"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { posted } from "@loopbox/testing/fixtures/activities"
import { listed, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { accountRequest, connectAccount, layerInbox } from "@loopbox/testing/layers/inboxLayers"

const tag = <E extends { readonly _tag: string }>(effect: Effect.Effect<unknown, E, AccountAdministration>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const page = { limit: 10, after: Option.none() }

describe("accounts and managed users (api.md §8)", () => {
  it.effect("seals an account's tokens in its own name", () =>
    Effect.gen(function* () {
      const { id: workspaceId } = yield* makeWorkspace("basic")
      const { id: accountId } = yield* connectAccount(workspaceId)
      const sealed = Option.getOrThrow(yield* (yield* AccountCredentials).findSealed(workspaceId, accountId))
      assert.notInclude(sealed, "token")
      const opened = yield* (yield* CredentialVault).open({ workspaceId, accountId }, sealed)
      assert.strictEqual(Redacted.value(opened.accessToken), "token")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("revives an account for seven days with the same id, and erases it then", () =>
    Effect.gen(function* () {
      const administration = yield* AccountAdministration
      const { id } = yield* makeWorkspace("basic")
      const account = yield* connectAccount(id)
      yield* administration.disconnect(id, account.id)
      assert.strictEqual(yield* tag(administration.disconnect(id, account.id)), "AccountNotFound")
      yield* TestClock.adjust("6 days")
      const revived = yield* administration.connect(id, accountRequest())
      assert.deepStrictEqual([revived._tag, revived.account.id], ["Revived", account.id])
      yield* administration.disconnect(id, account.id)
      yield* TestClock.adjust("7 days")
      assert.strictEqual((yield* administration.listAccounts(id, page)).items.length, 1)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual((yield* administration.listAccounts(id, page)).items, [])
    }).pipe(Effect.provide(InboxSweeper.layer({ every: "1 hour" }).pipe(Layer.provideMerge(layerInbox))))
  )

  it.effect("knows no account of another workspace, and none whose id is no id", () =>
    Effect.gen(function* () {
      const administration = yield* AccountAdministration
      const [here, there] = [yield* makeWorkspace("basic"), yield* makeWorkspace("basic")]
      const account = yield* connectAccount(here.id)
      for (const id of [account.id, "acc_none", ""]) {
        assert.strictEqual(yield* tag(administration.findAccount(there.id, id)), "AccountNotFound")
        assert.strictEqual(yield* tag(administration.updateAccount(there.id, id, { name: "No" })), "AccountNotFound")
        assert.strictEqual(yield* tag(administration.disconnect(there.id, id)), "AccountNotFound")
      }
      assert.strictEqual(yield* tag(administration.findAccount("ws_none", account.id)), "WorkspaceNotFound")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("judges a managed user's id as a request's", () =>
    Effect.gen(function* () {
      const administration = yield* AccountAdministration
      const { id } = yield* makeWorkspace("basic")
      const account = yield* connectAccount(id)
      for (const bad of ["", " ", "x".repeat(257)]) {
        const owner = { externalUserId: Option.some(bad) }
        assert.strictEqual(yield* tag(administration.putManagedUser(id, bad)), "ScopeInvalid")
        assert.strictEqual(yield* tag(administration.updateAccount(id, account.id, owner)), "ScopeInvalid")
        const other = accountRequest({ ...owner, networkAccountId: "2" })
        assert.strictEqual(yield* tag(administration.connect(id, other)), "ScopeInvalid")
      }
      assert.strictEqual(yield* administration.putManagedUser(id, "x".repeat(256)), "created")
      assert.strictEqual(yield* tag(administration.eraseManagedUser(id, "u9")), "ManagedUserNotFound")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("leaves what webhooks say to others, where it erases an account and can't read them", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id, { networkAccountId: "mine", externalUserId: Option.some("u1") })
      yield* connectAccount(id, { networkAccountId: "yours" })
      const told = [posted({ account: "mine" }), posted({ account: "yours", externalId: "c2" })]
      yield* (yield* Webhooks).accept("meta", (yield* FakeNetworks).toBody(told))
      const backOffice = Layer.fresh(AccountAdministration.layer).pipe(
        Layer.provide(Layer.succeed(Connectors, noNetworks))
      )
      yield* AccountAdministration.use((a) => a.eraseManagedUser(id, "u1")).pipe(Effect.provide(backOffice))
      yield* TestClock.adjust("1 second").pipe(Effect.provide(WebhookWorker.layer()))
      assert.deepStrictEqual(yield* listed(scopeOf(id)), ["c2"])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("signs a dashboard token where the issuer is our own, and nowhere else", () => {
    const issuer = Layer.succeed(DashboardIdentity, {
      verify: () => Effect.fail(new Unauthorized()),
      issue: Option.some(({ expiresAt, userId, workspaceId }: TokenRequest) =>
        Effect.succeed(Redacted.make(`${userId} ${workspaceId} ${DateTime.formatIso(expiresAt)}`))
      )
    })
    return Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const issue = AccountAdministration.use((a) => a.issueDashboardToken(id, "ann", { seconds: 60 }))
      assert.strictEqual(yield* tag(issue), "NoLocalIssuer")
      const token = yield* issue.pipe(
        Effect.provide(Layer.fresh(AccountAdministration.layer).pipe(Layer.provide(issuer)))
      )
      assert.strictEqual(Redacted.value(token), `ann ${id} 1970-01-01T00:01:00.000Z`)
    }).pipe(Effect.provide(layerInbox))
  })
})
