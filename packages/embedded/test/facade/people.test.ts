import { assert, describe, it } from "vitest"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import * as FakeConnect from "@loopbox/testing/fakes/FakeConnect"
import { createLoopbox } from "../../src/createLoopbox.ts"
import { connectedInbox, rejectedTag } from "./connectedInbox.ts"

describe("loopbox.workspaces, members and keys (api.md §8)", () => {
  it("changes a workspace, and refuses limits to plans that have none of their own", async () => {
    await using loopbox = await createLoopbox(MemoryAdapters.layer)
    const { id } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
    const change = { plan: "enterprise", limits: { activeJobs: 7 } } as const
    assert.strictEqual(
      await rejectedTag(loopbox.workspaces.update(id, { limits: { activeJobs: 7 } })),
      "LimitsNeedEnterprise"
    )
    assert.strictEqual(await rejectedTag(loopbox.workspaces.update("ws_none", change)), "WorkspaceNotFound")
    assert.deepStrictEqual((await loopbox.workspaces.update(id, change)).limits, {
      activeJobs: 7,
      conversionsPer24Hours: null
    })
    assert.strictEqual((await loopbox.workspaces.update(id, { name: "Acme 2" })).plan, "enterprise")
  })

  it("adds members, changes their roles, lists them by pages and removes them", async () => {
    await using loopbox = await createLoopbox(MemoryAdapters.layer)
    const { members, workspaces } = loopbox
    const { id } = await workspaces.create({ name: "Acme", plan: "basic" })
    assert.deepStrictEqual(await members.set(id, "ann", "viewer"), { userId: "ann", role: "viewer" })
    await members.set(id, "bob", "owner")
    await members.set(id, "ann", "admin")
    const first = await members.list(id, { limit: 1 })
    assert.deepStrictEqual(first, { items: [{ userId: "ann", role: "admin" }], next: "ann" })
    const second = await members.list(id, { limit: 1, after: first.next })
    assert.deepStrictEqual(second, { items: [{ userId: "bob", role: "owner" }], next: null })
    assert.deepStrictEqual(await members.find(id, "ann"), { userId: "ann", role: "admin" })
    await members.remove(id, "ann")
    assert.strictEqual(await rejectedTag(members.remove(id, "ann")), "MemberNotFound")
    assert.strictEqual(await rejectedTag(members.find(id, "ann")), "MemberNotFound")
    assert.strictEqual(await rejectedTag(members.issueToken(id, "bob")), "NoLocalIssuer")
  })

  it("takes ids of users as HTTP does", async () => {
    await using loopbox = await createLoopbox(MemoryAdapters.layer)
    const { id } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
    for (const wrong of ["", "x".repeat(257), "a\nb", "\u0000", "\ud800"]) {
      const error: unknown = await loopbox.members.set(id, wrong, "owner").catch((reason: unknown) => reason)
      assert.instanceOf(error, RangeError, JSON.stringify(wrong))
    }
    await loopbox.members.set(id, "😀".repeat(128), "owner")
  })

  it("makes keys whose text is told once, and revokes them", async () => {
    await using loopbox = await createLoopbox({})
    const { keys, members, workspaces } = loopbox
    const { id: workspaceId } = await workspaces.create({ name: "Acme", plan: "basic" })
    const request = { workspaceId, name: "ours", creatorUserId: "ann", expiresAt: new Date("2099-01-01T00:00:00Z") }
    assert.strictEqual(await rejectedTag(keys.create(request)), "CreatorNotMember")
    await members.set(workspaceId, "ann", "owner")
    const { text, ...made } = await keys.create(request)
    assert.match(text, /^lbx_live_/)
    assert.deepStrictEqual([made.creatorUserId, made.expiresAt, made.lastUsedAt], ["ann", request.expiresAt, null])
    assert.deepStrictEqual(await keys.find(workspaceId, made.id), made)
    assert.deepStrictEqual(await keys.list(workspaceId), { items: [made], next: null })
    const statusOf = async () => {
      const headers = { authorization: `Bearer ${text}` }
      const request = new Request("http://127.0.0.1/v1/inbox?inbox_scope=workspace", { headers })
      return (await loopbox.next().GET(request, { params: Promise.resolve({ loopbox: ["v1", "inbox"] }) })).status
    }
    assert.strictEqual(await statusOf(), 200)
    await keys.revoke(workspaceId, made.id)
    assert.strictEqual(await statusOf(), 401)
    assert.strictEqual(await rejectedTag(keys.revoke(workspaceId, made.id)), "ApiKeyNotFound")
  })
})

describe("loopbox.connected (api-2.md §11)", () => {
  it("shows the accounts of a scope with their health", async () => {
    const { account, loopbox, u1, whole, workspaceId } = await connectedInbox(FakeConnect.layer)
    await using _ = loopbox
    const { connected } = loopbox
    const found = await connected.find(u1, account.id)
    assert.deepInclude(found, { id: account.id, status: "connected", externalUserId: "u1", network: "instagram" })
    assert.deepStrictEqual(await connected.list(whole), { items: [found], next: null })
    assert.deepStrictEqual((await connected.list(whole, { network: "x" })).items, [])
    assert.deepStrictEqual((await connected.list(u1, { status: "connected" })).items, [found])
    await loopbox.accounts.addManagedUser(workspaceId, "u2")
    assert.strictEqual((await loopbox.accounts.findManagedUser(workspaceId, "u2")).externalUserId, "u2")
    assert.strictEqual(await rejectedTag(loopbox.accounts.findManagedUser(workspaceId, "u3")), "ManagedUserNotFound")
    const u2 = { workspaceId, externalUserId: "u2" }
    assert.deepStrictEqual((await connected.list(u2)).items, [])
    assert.strictEqual(await rejectedTag(connected.find(u2, account.id)), "AccountNotFound")
    assert.strictEqual(await rejectedTag(connected.disconnect(u2, account.id)), "AccountNotFound")
    await connected.disconnect(u1, account.id)
    assert.strictEqual((await connected.find(u1, account.id)).status, "disconnected")
  })

  it("begins to connect an account again, for its owner", async () => {
    const { loopbox, workspaceId } = await connectedInbox(FakeConnect.layer)
    await using _ = loopbox
    const { id } = await loopbox.accounts.connect({
      workspaceId,
      network: "facebook",
      networkAccountId: "page2",
      name: "Acme",
      externalUserId: "u1",
      credentials: { accessToken: "token" },
      check: false
    })
    const { session } = await loopbox.connecting.reconnect(workspaceId, id, { returnUrl: "https://app.example/done" })
    assert.deepInclude(session, { network: "facebook", externalUserId: "u1", socialAccountId: id })
    assert.strictEqual(await rejectedTag(loopbox.connecting.reconnect(workspaceId, "acc_none")), "AccountNotFound")
  })
})
