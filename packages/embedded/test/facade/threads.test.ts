import { assert, describe, it } from "vitest"
import { comment, connectedInbox, rejectedTag, take } from "./connectedInbox.ts"

describe("loopbox.threads (api-2.md §14)", () => {
  it("lists threads, gives their items in both orders, marks them read, snoozes and resolves them", async () => {
    const { loopbox, u1, whole } = await connectedInbox()
    await using _ = loopbox
    const { inbox, threads } = loopbox
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute))
    await inbox.ingest([
      comment("a", { threadKey: "t", receivedAt: at(0) }),
      comment("b", { threadKey: "t", receivedAt: at(2) }),
      comment("c", { receivedAt: at(1) })
    ])
    const first = await threads.list(whole, { limit: 1 })
    const thread = first.threads[0] ?? assert.fail("no thread")
    assert.deepStrictEqual(
      [thread.threadKey, thread.itemCount, thread.unreadCount, thread.lastItem.externalId, thread.externalUserId],
      ["t", 2, 2, "b", "u1"]
    )
    assert.strictEqual(thread.lastItem.threadId, thread.id)
    const after = JSON.parse(JSON.stringify(first.next))
    assert.deepStrictEqual(
      (await threads.list(u1, { after })).threads.map(({ threadKey }) => threadKey),
      ["c"]
    )
    const oldest = await threads.items(whole, thread.id, { order: "oldest", limit: 1 })
    assert.deepStrictEqual(
      oldest.items.map(({ externalId }) => externalId),
      ["a"]
    )
    assert.strictEqual(await threads.markRead(whole, thread.id), 2)
    assert.strictEqual((await threads.find(whole, thread.id)).unreadCount, 0)

    const snoozedUntil = new Date(Date.now() + 3_600_000)
    const state = { threadStatus: "assigned", assignedTo: "eve", snoozedUntil } as const
    assert.deepStrictEqual((await threads.setState(whole, thread.id, state)).snoozedUntil, snoozedUntil)
    const keys = async (request: Parameters<typeof threads.list>[1]) =>
      (await threads.list(whole, request)).threads.map(({ threadKey }) => threadKey)
    assert.deepStrictEqual(await keys({ threadStatus: "assigned" }), [])
    assert.deepStrictEqual(await keys({ threadStatus: "snoozed" }), ["t"])
    assert.deepStrictEqual(await keys({ assignedTo: "eve" }), ["t"])
    assert.deepStrictEqual(await keys({ q: "HEL", assignedTo: "eve" }), ["t"])
    assert.deepStrictEqual(await keys({ q: "absent" }), [])
    assert.strictEqual(await rejectedTag(threads.list(whole, { q: "a" })), "SearchInvalid")
    assert.deepStrictEqual(await keys({ assignedTo: { nobody: true }, isUnread: true }), ["c"])
    const [event] = await take(loopbox, whole, 1, 6)
    if (event === undefined || event.change.type !== "thread_updated") return assert.fail("no event of the thread")
    assert.deepStrictEqual([event.change.thread?.id, event.change.thread?.snoozedUntil], [thread.id, snoozedUntil])

    const soon = { threadStatus: "open", snoozedUntil: new Date(Date.now() + 1_000) } as const
    assert.strictEqual(await rejectedTag(threads.setState(whole, thread.id, soon)), "SnoozeInvalid")
    const open = { threadStatus: "open", assignedTo: "eve" } as const
    assert.strictEqual(await rejectedTag(threads.setState(whole, thread.id, open)), "AssigneeNotAllowed")
    const resolved = await threads.setState(whole, thread.id, { threadStatus: "resolved", assignedTo: "" })
    assert.deepStrictEqual(
      [resolved.threadStatus, resolved.assignedTo, resolved.snoozedUntil],
      ["resolved", null, null]
    )
    assert.strictEqual(await rejectedTag(threads.find(whole, "no id")), "ThreadNotFound")

    const note = await loopbox.notes.create(u1, thread.id, { text: "Ask first.", author: "kim" })
    assert.deepInclude(note, { threadId: thread.id, text: "Ask first.", author: "kim" })
    assert.deepStrictEqual((await loopbox.notes.list(whole, thread.id)).items, [note])
    await loopbox.notes.delete(whole, thread.id, note.id)
    assert.strictEqual(await rejectedTag(loopbox.notes.delete(whole, thread.id, note.id)), "NoteNotFound")
    assert.strictEqual(await rejectedTag(loopbox.notes.create(whole, thread.id, { text: " " })), "NoteInvalid")

    assert.deepStrictEqual((await threads.setLabels(u1, thread.id, ["VIP", "vip"])).labels, ["VIP"])
    assert.deepStrictEqual(await keys({ label: "Vip" }), ["t"])
    assert.deepStrictEqual(await loopbox.labels.list(whole), [{ label: "VIP", openThreads: 0 }])
    assert.strictEqual(await rejectedTag(threads.setLabels(whole, thread.id, [" "])), "LabelsInvalid")
  })
})
