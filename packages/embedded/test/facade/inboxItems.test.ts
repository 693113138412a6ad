import { assert, describe, it } from "vitest"
import type { PlainEvent } from "../../src/facade/plainInbox.ts"
import { comment, connectedInbox, rejectedTag } from "./connectedInbox.ts"

describe("loopbox.inbox: items (design §1)", () => {
  it("takes what happened on a network and works a thread through, in plain values", async () => {
    const { account, loopbox, u1, whole } = await connectedInbox()
    await using _ = loopbox
    const elsewhere = comment("x", { networkAccountId: "nobody's" })
    assert.deepStrictEqual(await loopbox.inbox.ingest([comment("c1"), comment("c1"), elsewhere]), {
      created: 1,
      unrouted: 1
    })
    const { items, next } = await loopbox.inbox.list(u1)
    assert.isNull(next)
    const [item] = items
    assert.deepInclude(item, {
      externalId: "c1",
      accountId: account.id,
      authorName: "Ann",
      threadStatus: "open",
      assignedTo: null,
      externalUserId: "u1",
      isRead: false,
      editedAt: null
    })
    const id = item?.id ?? assert.fail("no item")
    const moved = await loopbox.inbox.setThreadState(u1, id, { threadStatus: "assigned", assignedTo: "eve" })
    assert.deepInclude(moved, { threadStatus: "assigned", assignedTo: "eve" })
    assert.strictEqual((await loopbox.inbox.list(whole, { assignedTo: { nobody: true } })).items.length, 0)
    assert.strictEqual((await loopbox.inbox.list(whole, { assignedTo: "eve", isRead: false })).items.length, 1)
    assert.strictEqual((await loopbox.inbox.list(whole, { accountId: "no id" })).items.length, 0)
    assert.strictEqual(await loopbox.inbox.count(u1), 1)
    await loopbox.inbox.markRead(u1, id)
    assert.strictEqual(await loopbox.inbox.count(u1), 0)
    assert.isTrue((await loopbox.inbox.find(whole, id)).isRead)
    await loopbox.inbox.ingest([{ ...comment("c1"), type: "deleted" }])
    assert.strictEqual(await rejectedTag(loopbox.inbox.find(whole, id)), "ItemNotFound")
  })

  it("keeps texts and links as those of webhooks are kept", async () => {
    const { loopbox, whole } = await connectedInbox()
    await using _ = loopbox
    await loopbox.inbox.ingest([
      comment("c1", {
        body: `a\u0000b${"x".repeat(70_000)}`,
        authorName: " Ann\u0000 ",
        authorAvatarUrl: "ftp://ann.example/a.png",
        url: "javascript:alert(1)",
        attachments: [
          { type: "image", url: "https://a.example/1.png" },
          { type: "file", url: "data:text/html,x" }
        ]
      })
    ])
    const [item] = (await loopbox.inbox.list(whole)).items
    assert.deepInclude(item, {
      body: `ab${"x".repeat(65_534)}`,
      authorName: "Ann",
      authorAvatarUrl: null,
      url: null,
      attachments: [
        { type: "image", url: "https://a.example/1.png" },
        { type: "file", url: null }
      ]
    })
  })

  it("refuses what is no activity, before anything is stored", async () => {
    const { loopbox, whole } = await connectedInbox()
    await using _ = loopbox
    const good = comment("good")
    const wrong: ReadonlyArray<unknown> = [
      { ...good, source: "pigeon_post" },
      { ...good, type: "shouted" },
      { ...good, externalId: "" },
      { ...good, threadKey: "a\u0000" },
      { ...good, receivedAt: new Date("nonsense") },
      { ...good, attachments: [{ type: "hologram", url: null }] },
      { ...good, type: "edited", version: 0.5, editedAt: new Date(0) }
    ]
    for (const one of wrong) {
      // As a program without types would call it.
      const ingested = Reflect.apply(loopbox.inbox.ingest, undefined, [[good, one]])
      assert.strictEqual(await rejectedTag(ingested), "SchemaError", JSON.stringify(one))
    }
    assert.deepStrictEqual((await loopbox.inbox.list(whole)).items, [])
  })

  it("does not take a user that nobody looked up for the whole workspace", async () => {
    const { loopbox, workspaceId } = await connectedInbox()
    await using _ = loopbox
    await loopbox.inbox.ingest([comment("c1")])
    // As a program without types would call it.
    const forgotten = [{ workspaceId, externalUserId: undefined }]
    for (const method of [loopbox.inbox.list, loopbox.inbox.count, loopbox.inbox.markAllRead]) {
      assert.strictEqual(await rejectedTag(Reflect.apply(method, undefined, forgotten)), "ScopeInvalid")
    }
    const events: AsyncIterable<PlainEvent> = Reflect.apply(loopbox.inbox.events, undefined, forgotten)
    assert.strictEqual(await rejectedTag(events[Symbol.asyncIterator]().next()), "ScopeInvalid")
    assert.strictEqual((await loopbox.inbox.list({ workspaceId, externalUserId: null })).items.length, 1)
  })

  it("walks a list page by page, and marks all of it read", async () => {
    const { loopbox, whole } = await connectedInbox()
    await using _ = loopbox
    await loopbox.inbox.ingest(["a", "b", "c"].map((id, n) => comment(id, { receivedAt: new Date(n) })))
    const first = await loopbox.inbox.list(whole, { limit: 2 })
    const second = await loopbox.inbox.list(whole, { limit: 2, after: first.next })
    assert.deepStrictEqual(
      [...first.items, ...second.items].map(({ externalId }) => externalId),
      ["c", "b", "a"]
    )
    assert.isNull(second.next)
    assert.strictEqual(await loopbox.inbox.markAllRead(whole), 3)
    assert.strictEqual(await loopbox.inbox.markAllRead(whole), 0)
  })

  it("walks a list by a place that has been through JSON, and refuses one that is none (core 8)", async () => {
    const { loopbox, whole } = await connectedInbox()
    const minute = (n: number) => new Date(Date.UTC(2026, 10, 21, 12, n))
    await loopbox.inbox.ingest([0, 1, 2, 3, 4].map((n) => comment(`c${n}`, { receivedAt: minute(n) })))
    const seen: Array<string> = []
    let page = await loopbox.inbox.list(whole, { limit: 2 })
    assert.instanceOf(page.next?.receivedAt, Date)
    for (;;) {
      seen.push(...page.items.map(({ externalId }) => externalId))
      if (page.next === null) break
      page = await loopbox.inbox.list(whole, { limit: 2, after: JSON.parse(JSON.stringify(page.next)) })
    }
    assert.deepEqual(seen, ["c4", "c3", "c2", "c1", "c0"])
    const nowhere = { receivedAt: "yesterday", id: "itm_1" }
    assert.strictEqual(await rejectedTag(loopbox.inbox.list(whole, { after: nowhere })), "SchemaError")
    await loopbox.close()
  })

  it("names a number that is out of bounds, in every list", async () => {
    const { loopbox, whole } = await connectedInbox()
    const { workspaceId } = whole
    type List = (limit: number) => Promise<unknown>
    const lists: ReadonlyArray<readonly [most: number, list: List]> = [
      [500, (limit) => loopbox.inbox.list(whole, { limit })],
      [100, (limit) => loopbox.media.list(workspaceId, { limit })],
      [100, (limit) => loopbox.conversions.list(workspaceId, { limit })],
      [100, (limit) => loopbox.accounts.list(workspaceId, { limit })],
      [100, (limit) => loopbox.accounts.listManagedUsers(workspaceId, { limit })],
      [100, (limit) => loopbox.workspaces.list({ limit })]
    ]
    for (const [most, list] of lists) {
      await list(most)
      for (const limit of [0, most + 1, 1.5, Number.NaN]) {
        const error: unknown = await list(limit).catch((reason: unknown) => reason)
        assert.instanceOf(error, RangeError)
        assert.include(error.message, `limit must be an integer from 1 to ${most}`)
      }
    }
    await loopbox.close()
  })
})
