import { assert, describe, it } from "vitest"
import * as FakeWebhookSender from "@loopbox/testing/fakes/FakeWebhookSender"
import { connectedInbox, rejectedTag } from "./connectedInbox.ts"

describe("loopbox.webhookEndpoints (api-2.md §15)", () => {
  it("takes an endpoint that fails as it was read, with one thing changed", async () => {
    const { loopbox, workspaceId } = await connectedInbox(FakeWebhookSender.layer)
    await using _ = loopbox
    const { webhookEndpoints } = loopbox
    const { endpoint } = await webhookEndpoints.create(workspaceId, { url: "https://app.example/hook" })
    const read: typeof endpoint = { ...endpoint, status: "failing" }
    const changed = await webhookEndpoints.update(workspaceId, endpoint.id, { ...read, description: "ours" })
    assert.deepEqual(changed, { ...endpoint, description: "ours" })
  })

  it("makes, changes, tests and deletes endpoints, and says what was sent", async () => {
    const { loopbox, workspaceId } = await connectedInbox(FakeWebhookSender.layer)
    await using _ = loopbox
    const { webhookEndpoints } = loopbox
    const request = { url: "https://app.example/hook", events: ["inbox.*"], externalUserId: "u1" }
    const { endpoint, secret } = await webhookEndpoints.create(workspaceId, request)
    assert.match(secret, /^whsec_/)
    assert.deepInclude(endpoint, { ...request, status: "enabled", isOrdered: false, lastSuccessAt: null })
    assert.deepStrictEqual((await webhookEndpoints.list(workspaceId)).items, [endpoint])
    const change = { externalUserId: null, isOrdered: true, status: "disabled" } as const
    const changed = await webhookEndpoints.update(workspaceId, endpoint.id, change)
    assert.deepInclude(changed, { ...change, url: request.url, statusReason: "requested" })
    assert.notStrictEqual(await webhookEndpoints.rotateSecret(workspaceId, endpoint.id), secret)

    const example = await webhookEndpoints.test(workspaceId, endpoint.id)
    assert.deepInclude(example, { status: "delivered", eventType: "inbox.new_item", eventSeq: null })
    const listed = await webhookEndpoints.listDeliveries(workspaceId, endpoint.id, { status: "delivered" })
    assert.deepStrictEqual(
      listed.items.map(({ id }) => id),
      [example.id]
    )
    const detail = await webhookEndpoints.findDelivery(workspaceId, endpoint.id, example.id)
    assert.strictEqual(detail.request.url, request.url)
    assert.deepStrictEqual(
      detail.log.map(({ status }) => status),
      [200]
    )
    assert.strictEqual(await rejectedTag(webhookEndpoints.replay(workspaceId, endpoint.id, 0)), "EndpointDisabled")
    assert.strictEqual(await rejectedTag(webhookEndpoints.create(workspaceId, { url: "no url" })), "EndpointInvalid")
    await webhookEndpoints.delete(workspaceId, endpoint.id)
    assert.strictEqual(await rejectedTag(webhookEndpoints.find(workspaceId, endpoint.id)), "EndpointNotFound")
  })
})
