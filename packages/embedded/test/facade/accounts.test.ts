import { assert, describe, it } from "vitest"
import * as FakeConnect from "@loopbox/testing/fakes/FakeConnect"
import { Context, Effect, Layer } from "effect"
import { comment, connectedInbox, rejectedTag } from "./connectedInbox.ts"

describe("loopbox.accounts.disconnect", () => {
  it("takes the account's permission back at its network, once", async () => {
    const revoked: Array<string> = []
    const network = Layer.tap(FakeConnect.layer, (context) =>
      Effect.sync(() => Object.assign(Context.get(context, FakeConnect.FakeDialogs), { revoked }))
    )
    const { account, loopbox, workspaceId } = await connectedInbox(network)
    await using _ = loopbox
    await loopbox.accounts.disconnect(workspaceId, account.id)
    assert.deepStrictEqual(revoked, ["page"])
    assert.strictEqual(await rejectedTag(loopbox.accounts.disconnect(workspaceId, account.id)), "AccountNotFound")
    assert.deepStrictEqual(revoked, ["page"])
  })
})

describe("loopbox.accounts and their syncs (design §1)", () => {
  it("moves, disconnects and revives an account with its items", async () => {
    const { account, loopbox, u1, whole, workspaceId } = await connectedInbox()
    await using _ = loopbox
    await loopbox.inbox.ingest([comment("a")])
    await loopbox.accounts.addManagedUser(workspaceId, "u2")
    assert.strictEqual((await loopbox.accounts.move(workspaceId, account.id, "u2")).externalUserId, "u2")
    assert.strictEqual((await loopbox.inbox.list(u1)).items.length, 0)
    assert.strictEqual((await loopbox.accounts.check(workspaceId, account.id)).status, "connected")
    await loopbox.accounts.disconnect(workspaceId, account.id)
    assert.strictEqual(await rejectedTag(loopbox.accounts.check(workspaceId, account.id)), "AccountIsDisconnected")
    assert.strictEqual((await loopbox.inbox.list(whole)).items.length, 0)
    assert.deepStrictEqual(await loopbox.inbox.ingest([comment("b")]), { created: 0, unrouted: 1 })
    const { avatarUrl: _avatar, createdAt: _at, id: _id, status: _status, ...fields } = account
    const again = await loopbox.accounts.connect({ ...fields, credentials: { accessToken: "new" } })
    assert.strictEqual(again.id, account.id)
    assert.strictEqual((await loopbox.inbox.list(u1)).items.length, 1)
    const users = await loopbox.accounts.listManagedUsers(workspaceId)
    assert.deepStrictEqual(users.items.map(({ externalUserId }) => externalUserId).sort(), ["u1", "u2"])
    await loopbox.accounts.eraseManagedUser(workspaceId, "u1")
    assert.strictEqual((await loopbox.inbox.list(whole)).items.length, 0)
    assert.deepStrictEqual((await loopbox.accounts.list(workspaceId)).items, [])
  })

  it("rejects with the refusal's tag", async () => {
    const { account, loopbox, u1, whole, workspaceId } = await connectedInbox()
    await using _ = loopbox
    const { inbox } = loopbox
    assert.strictEqual(await rejectedTag(inbox.list({ workspaceId: "ws_none" })), "WorkspaceNotFound")
    assert.strictEqual(await rejectedTag(inbox.count({ workspaceId, externalUserId: "u9" })), "ManagedUserNotFound")
    assert.strictEqual(await rejectedTag(inbox.markRead(u1, "no id")), "ItemNotFound")
    await inbox.ingest([comment("a")])
    const id = (await inbox.list(whole)).items[0]?.id ?? assert.fail("no item")
    const resolve = { threadStatus: "open", assignedTo: "eve" } as const
    assert.strictEqual(await rejectedTag(inbox.setThreadState(whole, id, resolve)), "AssigneeNotAllowed")
    const long = { threadStatus: "assigned", assignedTo: "x".repeat(257) } as const
    assert.strictEqual(await rejectedTag(inbox.setThreadState(whole, id, long)), "AssigneeInvalid")
    const none = { threadStatus: "assigned", assignedTo: "none" } as const
    assert.strictEqual(await rejectedTag(inbox.setThreadState(whole, id, none)), "AssigneeInvalid")
    const twice = { ...account, credentials: { accessToken: "t" } }
    assert.strictEqual(await rejectedTag(loopbox.accounts.connect(twice)), "AccountAlreadyConnected")
    const nameless = { ...twice, network: "threads", username: null } as const
    assert.strictEqual(await rejectedTag(loopbox.accounts.connect(nameless)), "UsernameRequired")
    const free = await loopbox.workspaces.create({ name: "Free", plan: "free" })
    assert.strictEqual(await rejectedTag(inbox.list({ workspaceId: free.id })), "PlanFeatureNotAvailable")
  })

  it("polls the accounts of a scope, asks before a backfill that may cost much, and tells refusals by their tag", async () => {
    const { account, loopbox, u1, whole, workspaceId } = await connectedInbox()
    await using _ = loopbox
    const { inbox } = loopbox
    const sync = await inbox.sync(u1)
    assert.deepStrictEqual([sync.status, sync.accountsChecked, sync.newItems], ["completed", 1, 0])
    assert.deepStrictEqual(
      sync.accounts.map(({ accountId, backfill, errors }) => [accountId, backfill, errors]),
      [[account.id, null, []]]
    )
    assert.deepStrictEqual(await inbox.findSync(whole, sync.id), sync)
    assert.strictEqual(await rejectedTag(inbox.findSync(whole, "syn_none")), "SyncNotFound")
    assert.strictEqual(await rejectedTag(inbox.backfill(u1)), "NoBackfillAccount")
    await loopbox.accounts.connect({
      workspaceId,
      network: "x",
      networkAccountId: "us",
      name: "Us",
      username: "us",
      credentials: { accessToken: "token" }
    })
    const offer = await inbox.backfill(whole, { maxItems: 500 })
    if (!offer.confirmationRequired) assert.fail("begins unasked")
    assert.strictEqual(offer.estimatedReads, 500)
    const confirmationToken = offer.confirmationToken
    assert.strictEqual(await rejectedTag(inbox.backfill(whole, { confirmationToken })), "ConfirmationInvalid")
    const read = await inbox.backfill(whole, { maxItems: 500, confirmationToken })
    assert.isTrue(!read.confirmationRequired && read.accounts[0]?.backfill?.read === 0)
  })
})
