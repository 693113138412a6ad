import { assert, describe, it } from "vitest"
import { connectedInbox, rejectedTag } from "./connectedInbox.ts"

describe("saved replies as a library", () => {
  it("are kept per scope, changed, listed newest first and deleted", async () => {
    const { loopbox, u1, whole } = await connectedInbox()
    const common = await loopbox.savedReplies.create(whole, { name: "Hours", text: "From 9 to 18." })
    const own = await loopbox.savedReplies.create(u1, { name: "Thanks", text: "Thank you!" })
    assert.deepEqual([common.externalUserId, own.externalUserId], [null, "u1"])
    const { items, next } = await loopbox.savedReplies.list(u1)
    assert.deepEqual([items, next], [[own], null])
    const first = await loopbox.savedReplies.list(whole, { limit: 1 })
    const rest = await loopbox.savedReplies.list(whole, { limit: 1, after: first.next })
    assert.deepEqual(
      [...first.items, ...rest.items].map(({ id }) => id),
      [own.id, common.id].toSorted().toReversed()
    )
    assert.deepInclude(await loopbox.savedReplies.update(whole, own.id, { text: "Thanks!" }), {
      name: "Thanks",
      text: "Thanks!"
    })
    await loopbox.savedReplies.delete(u1, own.id)
    assert.deepEqual((await loopbox.savedReplies.list(u1)).items, [])
    await loopbox.close()
  })

  it("refuse what is another's, and what is blank or too long", async () => {
    const { loopbox, u1, whole } = await connectedInbox()
    const { id } = await loopbox.savedReplies.create(whole, { name: "Hours", text: "From 9 to 18." })
    assert.equal(await rejectedTag(loopbox.savedReplies.update(u1, id, { name: "Mine" })), "SavedReplyNotFound")
    assert.equal(await rejectedTag(loopbox.savedReplies.delete(u1, "srp_1")), "SavedReplyNotFound")
    const blank = { name: " ", text: "x".repeat(10_001) }
    assert.equal(await rejectedTag(loopbox.savedReplies.create(u1, blank)), "SavedReplyInvalid")
    await loopbox.close()
  })
})
