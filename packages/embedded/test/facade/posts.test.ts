import { assert, describe, it } from "vitest"
import { Effect, Layer, Option } from "effect"
import { comment } from "./connectedInbox.ts"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import * as FakeConnector from "@loopbox/testing/fakes/FakeConnector"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { createLoopbox, type Loopbox } from "../../src/createLoopbox.ts"
import { mediaLinks } from "../../src/mediaLinks.ts"
import { rejectedTag } from "./connectedInbox.ts"

/** Loopbox in memory with networks that publish and delete, and a Facebook Page and an Instagram account. */
const publishing = async (...layers: ReadonlyArray<Layer.Layer<never, unknown>>) => {
  const calls: Array<string> = []
  const networks = Layer.effectDiscard(
    Effect.map(FakeNetworks, (world) => {
      world.publish = {
        publish: (_access, { text }) =>
          Effect.sync(() => {
            calls.push(`publish ${text}`)
            return { externalId: "p1", url: Option.some("https://n.test/p1"), postIds: ["page_p1"] }
          }),
        remove: () => Option.some((externalId) => Effect.sync(() => void calls.push(`delete ${externalId}`)))
      }
    })
  ).pipe(Layer.provideMerge(FakeConnector.layer))
  const loopbox = await createLoopbox(MemoryAdapters.layer, networks, ...layers)
  const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
  const connect = (network: "facebook" | "instagram") =>
    loopbox.accounts.connect({
      ...{ workspaceId, network, networkAccountId: network, name: "Acme", externalUserId: "u1", check: false },
      credentials: { accessToken: "token" }
    })
  const [page, instagram] = [await connect("facebook"), await connect("instagram")]
  return { loopbox, calls, page, instagram, whole: { workspaceId }, u1: { workspaceId, externalUserId: "u1" } }
}

const ended = async (loopbox: Loopbox, scope: Parameters<Loopbox["posts"]["find"]>[0], id: string) => {
  for await (const { change } of loopbox.inbox.events(scope, { after: 0 })) {
    if (change.type === "post_published" && change.post.id === id) return change.post
    if (change.type === "post_failed") return assert.fail(JSON.stringify(change.post))
  }
  return assert.fail("the events ended")
}

describe("loopbox.posts", () => {
  it("keeps a draft, changes it, publishes it once, and deletes it on its network and here", async () => {
    const { calls, loopbox, page, u1, whole } = await publishing()
    const request = { text: "Our dog", targets: [{ accountId: page.id }], isDraft: true, idempotencyKey: "k" }
    const draft = await loopbox.posts.create(u1, request)
    assert.deepEqual([draft.status, draft.targets[0]?.status], ["draft", "pending"])
    assert.deepEqual(await loopbox.posts.create(u1, request), draft)
    assert.strictEqual(await rejectedTag(loopbox.posts.create(u1, { ...request, text: "Other" })), "PostKeyConflict")
    const changed = await loopbox.posts.change(u1, draft.id, { text: "Our cat" })
    assert.deepEqual([changed.text, changed.targets.length], ["Our cat", 1])
    await loopbox.posts.publish(whole, draft.id)
    const post = await ended(loopbox, whole, draft.id)
    assert.deepEqual(
      post.targets.map(({ externalId, status, url }) => [status, externalId, url]),
      [["published", "p1", "https://n.test/p1"]]
    )
    await loopbox.inbox.ingest([
      comment("c1", { source: "fb_comment", networkAccountId: "facebook", linkedPostId: "page_p1" })
    ])
    const { items } = await loopbox.inbox.list(u1, { postId: post.id })
    assert.deepEqual(
      items.map(({ externalId, postId }) => [externalId, postId]),
      [["c1", post.id]]
    )
    assert.deepEqual((await loopbox.posts.list(whole, { status: "published" })).items, [
      await loopbox.posts.find(u1, post.id)
    ])
    const removed = await loopbox.posts.removeTarget(u1, post.id, post.targets[0]?.id ?? "")
    assert.strictEqual(removed.targets[0]?.status, "deleted")
    await loopbox.posts.remove(u1, post.id)
    assert.strictEqual(await rejectedTag(loopbox.posts.find(u1, post.id)), "PostNotFound")
    assert.deepEqual(calls, ["publish Our cat", "delete p1"])
    await loopbox.close()
  })

  it("takes a scheduled post back, and refuses what its status does not allow", async () => {
    const { calls, loopbox, page, whole } = await publishing()
    const scheduledAt = new Date(Date.now() + 3_600_000)
    const { id, status, targets } = await loopbox.posts.create(whole, {
      text: "Later",
      targets: [{ accountId: page.id }],
      scheduledAt
    })
    assert.strictEqual(status, "scheduled")
    const later = new Date(scheduledAt.getTime() + 60_000)
    assert.deepEqual((await loopbox.posts.change(whole, id, { scheduledAt: later })).scheduledAt, later)
    assert.strictEqual(await rejectedTag(loopbox.posts.change(whole, id, { text: "No" })), "PostNotEditable")
    assert.strictEqual(await rejectedTag(loopbox.posts.remove(whole, id)), "PostNotEditable")
    assert.strictEqual((await loopbox.posts.cancel(whole, id)).status, "canceled")
    const target = targets[0]?.id ?? ""
    assert.strictEqual(await rejectedTag(loopbox.posts.retryTarget(whole, id, target)), "TargetNotRetryable")
    assert.strictEqual(await rejectedTag(loopbox.posts.removeTarget(whole, id, target)), "TargetNotRemovable")
    assert.strictEqual(await rejectedTag(loopbox.posts.publish(whole, id)), "PostNotEditable")
    assert.deepEqual(calls, [])
    await loopbox.close()
  })

  it("is changed in one thing and given back as it was read, whatever its targets have", async () => {
    const { loopbox, page, u1 } = await publishing()
    const options = { kind: "feed" }
    const request = { text: "One", targets: [{ accountId: page.id, text: "Two", options }] }
    const draft = await loopbox.posts.create(u1, { ...request, isDraft: true })
    const changed = await loopbox.posts.change(u1, draft.id, { ...draft, text: "Three" })
    assert.deepEqual([changed.text, changed.targets[0]?.options], ["Three", { values: options, altTexts: {} }])
    const scheduledAt = new Date(Date.now() + 3_600_000)
    const waiting = await loopbox.posts.create(u1, { ...changed, scheduledAt })
    assert.deepEqual([waiting.status, waiting.targets[0]?.options], ["scheduled", changed.targets[0]?.options])
    const later = new Date(scheduledAt.getTime() + 60_000)
    const moved = await loopbox.posts.change(u1, waiting.id, { ...waiting, scheduledAt: later })
    assert.deepEqual([moved.scheduledAt, moved.targets[0]?.id], [later, waiting.targets[0]?.id])
    for (const other of [{ text: "No" }, { mediaIds: ["med_1"] }, { targets: [{ accountId: page.id }] }]) {
      const refused = loopbox.posts.change(u1, waiting.id, { ...moved, ...other })
      assert.strictEqual(await rejectedTag(refused), "PostNotEditable")
    }
    await loopbox.close()
  })

  it("names all that is wrong at once, stores nothing of it, and shows a user only their own", async () => {
    const { loopbox, page, u1, whole } = await publishing()
    const wrong = { text: "x".repeat(101), targets: [{ accountId: page.id, options: { kind: "none" } }] }
    const { issues } = await loopbox.posts.validate(u1, wrong)
    assert.isAtLeast(issues.length, 2, JSON.stringify(issues))
    assert.strictEqual(await rejectedTag(loopbox.posts.create(u1, wrong)), "PostInvalid")
    assert.deepEqual((await loopbox.posts.list(whole)).items, [])
    await loopbox.accounts.addManagedUser(whole.workspaceId, "u2")
    const u2 = { ...whole, externalUserId: "u2" }
    const { id } = await loopbox.posts.create(u1, { text: "Ours", targets: [{ accountId: page.id }], isDraft: true })
    assert.strictEqual(await rejectedTag(loopbox.posts.find(u2, id)), "PostNotFound")
    assert.strictEqual(await rejectedTag(loopbox.posts.list({ ...whole, externalUserId: "u3" })), "ManagedUserNotFound")
    assert.deepEqual((await loopbox.posts.list(u1, { accountId: "none" })).items, [])
    await loopbox.close()
  })

  it("refuses files for networks that load them, unless a layer says where from", async () => {
    const files = [
      [[], "PublicUrlRequired"],
      [[mediaLinks(({ id }) => `https://files.test/${id}`)], undefined]
    ] as const
    for (const [layers, refusal] of files) {
      const { instagram, loopbox, whole } = await publishing(...layers)
      const png = new Uint8Array(24)
      png.set([
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 50, 0, 0, 0, 50
      ])
      const { id } = await loopbox.media.upload({ ...whole, bytes: png })
      const request = { mediaIds: [id], targets: [{ accountId: instagram.id }] }
      const made = loopbox.posts.create(whole, request)
      if (refusal === undefined) assert.strictEqual((await made).status, "publishing")
      else assert.strictEqual(await rejectedTag(made), refusal)
      await loopbox.close()
    }
  })
})
