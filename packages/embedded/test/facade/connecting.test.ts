import { assert, describe, it } from "vitest"
import * as FakeConnect from "@loopbox/testing/fakes/FakeConnect"
import { connectedInbox, rejectedTag } from "./connectedInbox.ts"

describe("loopbox.connecting (api-2.md §11)", () => {
  it("leads a person to the network and back, to an account of its own", async () => {
    const { loopbox, workspaceId } = await connectedInbox(FakeConnect.layer)
    await using _ = loopbox
    const { connecting } = loopbox
    const made = await connecting.create({
      workspaceId,
      network: "facebook",
      externalUserId: "u2",
      returnUrl: "https://app.example/done"
    })
    const callbackUrl = "https://here.example/callback"
    const begun = await connecting.begin(made.linkToken, { callbackUrl })
    if (begun.step !== "redirect") return assert.fail(begun.step)
    const state = new URL(begun.to).searchParams.get("state") ?? ""
    const back = { query: { state, code: "code" }, cookies: ["of another attempt", begun.cookie] }
    assert.strictEqual(await rejectedTag(connecting.callback("facebook", { ...back, cookies: [] })), "StateInvalid")
    const page = await connecting.callback("facebook", back)
    if (page.step !== "choosing") return assert.fail(page.step)
    assert.deepStrictEqual(
      page.choices.map(({ key, name, username }) => [key, name, username]),
      [["page", "Page page", null]]
    )
    assert.deepStrictEqual(await connecting.choices(begun.cookie), page)
    const form = { cookie: begun.cookie, formToken: page.formToken }
    assert.strictEqual((await connecting.choose({ ...form, keys: [] })).step, "nothing_chosen")
    const done = await connecting.choose({ ...form, keys: ["page"] })
    if (done.step !== "ended") return assert.fail(done.step)
    const { session } = await connecting.find(workspaceId, made.session.id)
    assert.deepStrictEqual(done.session, session)
    assert.strictEqual(done.returnTo, `https://app.example/done?connect_session=${session.id}&connect_status=completed`)
    const account = await loopbox.accounts.find(workspaceId, session.accountIds[0] ?? "")
    assert.deepStrictEqual([account.network, account.externalUserId, account.status], ["facebook", "u2", "connected"])
  })

  it("rejects with the refusal's tag", async () => {
    const { loopbox, workspaceId } = await connectedInbox(FakeConnect.layer)
    await using _ = loopbox
    const { connecting } = loopbox
    assert.strictEqual(
      await rejectedTag(connecting.create({ workspaceId: "ws_none", network: "facebook" })),
      "WorkspaceNotFound"
    )
    assert.strictEqual(
      await rejectedTag(connecting.create({ workspaceId, network: "threads" })),
      "NetworkNotConfigured"
    )
    assert.strictEqual(await rejectedTag(connecting.find(workspaceId, "con_none")), "ConnectSessionNotFound")
    assert.strictEqual(await rejectedTag(connecting.begin("none", { callbackUrl: "" })), "ConnectLinkUnknown")
  })
})
