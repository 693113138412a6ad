import { assert, describe, it } from "vitest"
import { comment, connectedInbox, take } from "./connectedInbox.ts"

describe("loopbox.inbox.events (design §1)", () => {
  it("follows events from a number on, live, until the loop is left", async () => {
    const { loopbox, u1 } = await connectedInbox()
    await using _ = loopbox
    await loopbox.inbox.ingest([comment("a")])
    const events = take(loopbox, u1, 4, 0)
    await loopbox.inbox.ingest([comment("b")])
    await loopbox.inbox.markAllRead(u1)
    const told = (await events).map((event) => [event.seq, event.change.type])
    assert.deepStrictEqual(told, [
      [1, "account_connected"],
      [2, "new_item"],
      [3, "new_item"],
      [4, "items_read"]
    ])
  })

  it("ends a following when its signal is aborted", async () => {
    const { loopbox, u1 } = await connectedInbox()
    await using _ = loopbox
    const stop = new AbortController()
    const seen: Array<number> = []
    await loopbox.inbox.ingest([comment("a")])
    for await (const { seq } of loopbox.inbox.events(u1, { after: 0, signal: stop.signal })) {
      seen.push(seq)
      stop.abort()
    }
    assert.deepStrictEqual(seen, [1])
  })

  it("asks for a fresh start where the number is beyond the last", async () => {
    const { loopbox, u1 } = await connectedInbox()
    await using _ = loopbox
    assert.deepStrictEqual(await take(loopbox, u1, 1, 9), [{ seq: 1, change: { type: "resync_required" } }])
  })
})
