import { assert, describe, it } from "vitest"
import { Effect, Layer, Option } from "effect"
import { posted } from "@loopbox/testing/fixtures/activities"
import * as FakeConnector from "@loopbox/testing/fakes/FakeConnector"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { comment, connectedInbox, rejectedTag, take } from "./connectedInbox.ts"

describe("loopbox.inbox.reply", () => {
  it("sends by the networks that a layer gives, once for each key, and tells what became of it", async () => {
    const sent: Array<string> = []
    const networks = Layer.effectDiscard(
      Effect.map(FakeNetworks, (world) => {
        world.script = {
          sendReply: (_access, { source, target, text }) => {
            sent.push(text)
            const own = { source, externalId: "r1", threadKey: target.threadKey, body: text, isOwn: true }
            return Effect.succeed({ posted: posted(own) })
          },
          findMediaContext: (_access, _source, id) =>
            Effect.succeed({
              id,
              caption: Option.some("A day"),
              mediaUrl: Option.none(),
              timestamp: Option.none(),
              mediaType: "text",
              permalink: Option.none()
            })
        }
      })
    ).pipe(Layer.provideMerge(FakeConnector.layer))
    const { loopbox, whole } = await connectedInbox(networks)
    await loopbox.inbox.ingest([comment("c1", { linkedPostId: "p1" })])
    const [item] = (await loopbox.inbox.list(whole)).items
    const id = item?.id ?? assert.fail("no item")
    const first = await loopbox.inbox.reply(whole, id, { text: "Yes", idempotencyKey: "k" })
    assert.deepEqual([first.operation.status, first.item?.body, first.item?.isOwn], ["completed", "Yes", true])
    assert.deepEqual(await loopbox.inbox.reply(whole, id, { text: "Yes", idempotencyKey: "k" }), first)
    assert.deepEqual(await loopbox.inbox.findOperation(whole, first.operation.id), first.operation)
    assert.deepEqual(sent, ["Yes"])
    assert.strictEqual(
      await rejectedTag(loopbox.inbox.reply(whole, id, { text: "No", idempotencyKey: "k" })),
      "ReplyKeyConflict"
    )
    assert.strictEqual((await loopbox.inbox.findMediaContext(whole, id)).caption, "A day")
    const events = await take(loopbox, whole, 7, 0)
    const told = events.flatMap(({ change }) => (change.type === "reply_updated" ? [change.operation.status] : []))
    assert.deepEqual(told, ["pending", "sending", "remote_succeeded", "completed"])
    await loopbox.close()
  })

  it("says that nothing was sent where no layer gives networks", async () => {
    const { loopbox, whole } = await connectedInbox()
    await loopbox.inbox.ingest([comment("c1")])
    const [item] = (await loopbox.inbox.list(whole)).items
    const { operation } = await loopbox.inbox.reply(whole, item?.id ?? "", { text: "Yes" })
    assert.deepEqual([operation.status, operation.failure?.kind], ["rejected", "unavailable"])
    await loopbox.close()
  })

  it("refuses a key that is none, by the name of what is wrong (core 15)", async () => {
    const { loopbox, whole } = await connectedInbox()
    await loopbox.inbox.ingest([comment("c1")])
    const { items } = await loopbox.inbox.list(whole)
    const two = loopbox.inbox.reply(whole, items[0]?.id ?? "", { text: "Yes", idempotencyKey: "two words" })
    assert.strictEqual(await rejectedTag(two), "SchemaError")
    await loopbox.close()
  })
})
