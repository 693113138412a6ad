import { assert, describe, it } from "vitest"
import { Effect, Layer, Option } from "effect"
import { InboxPlans } from "../../src/access/InboxPlans.ts"
import type { Source } from "../../src/connectors/Source.ts"
import * as MemoryAdapters from "../../src/local/MemoryAdapters.ts"
import { createLoopbox, type Loopbox } from "../../src/promise/createLoopbox.ts"
import type { PlainActivity } from "../../src/promise/plainActivity.ts"
import { posted } from "../../src/testing/activities.ts"
import * as FakeConnector from "../../src/testing/FakeConnector.ts"
import { FakeNetworks } from "../../src/testing/FakeConnector.ts"
import type { PlainEvent } from "../../src/promise/plainInbox.ts"

const comment = (
  externalId: string,
  change: Partial<Extract<PlainActivity, { type: "posted" }>> = {}
): PlainActivity => ({
  type: "posted",
  source: "ig_comment",
  networkAccountId: "page",
  externalId,
  threadKey: externalId,
  body: "Hello",
  authorName: "Ann",
  receivedAt: new Date("2026-11-21T12:00:00Z"),
  ...change
})

const town = async (networks: Layer.Layer<never, unknown> = Layer.empty) => {
  const loopbox = await createLoopbox(MemoryAdapters.layer, networks)
  const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
  const account = await loopbox.accounts.connect({
    workspaceId,
    network: "instagram",
    networkAccountId: "page",
    name: "Acme",
    externalUserId: "u1",
    credentials: { accessToken: "token" }
  })
  return { loopbox, workspaceId, account, u1: { workspaceId, externalUserId: "u1" }, whole: { workspaceId } }
}

const rejectedTag = async (promise: Promise<unknown>) => {
  const error: unknown = await promise.then(
    () => assert.fail("it was fulfilled"),
    (reason: unknown) => reason
  )
  return error instanceof Error && "_tag" in error ? error._tag : assert.fail(String(error))
}

const take = async (
  loopbox: Loopbox,
  scope: Parameters<Loopbox["inbox"]["events"]>[0],
  count: number,
  after: number
) => {
  const events: Array<PlainEvent> = []
  for await (const event of loopbox.inbox.events(scope, { after })) {
    events.push(event)
    if (events.length === count) break
  }
  return events
}

describe("createLoopbox, inbox (design §1)", () => {
  it("takes what happened on a network and works a thread through, in plain values", async () => {
    const { account, loopbox, u1, whole } = await town()
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
    const { loopbox, whole } = await town()
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
    const { loopbox, whole } = await town()
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
    const { loopbox, workspaceId } = await town()
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
    const { loopbox, whole } = await town()
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

  it("names a number that is out of bounds, in every list", async () => {
    const { loopbox, whole } = await town()
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

  it("follows events from a number on, live, until the loop is left", async () => {
    const { loopbox, u1 } = await town()
    await using _ = loopbox
    await loopbox.inbox.ingest([comment("a")])
    const events = take(loopbox, u1, 3, 0)
    await loopbox.inbox.ingest([comment("b")])
    await loopbox.inbox.markAllRead(u1)
    const told = (await events).map((event) => [event.seq, event.change.type])
    assert.deepStrictEqual(told, [
      [1, "new_item"],
      [2, "new_item"],
      [3, "items_read"]
    ])
  })

  it("ends a following when its signal is aborted", async () => {
    const { loopbox, u1 } = await town()
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
    const { loopbox, u1 } = await town()
    await using _ = loopbox
    assert.deepStrictEqual(await take(loopbox, u1, 1, 9), [{ seq: 0, change: { type: "resync_required" } }])
  })

  it("moves, disconnects and revives an account with its items", async () => {
    const { account, loopbox, u1, whole, workspaceId } = await town()
    await using _ = loopbox
    await loopbox.inbox.ingest([comment("a")])
    await loopbox.accounts.addManagedUser(workspaceId, "u2")
    assert.strictEqual((await loopbox.accounts.move(workspaceId, account.id, "u2")).externalUserId, "u2")
    assert.strictEqual((await loopbox.inbox.list(u1)).items.length, 0)
    await loopbox.accounts.disconnect(workspaceId, account.id)
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
    const { account, loopbox, u1, whole, workspaceId } = await town()
    await using _ = loopbox
    const { inbox } = loopbox
    assert.strictEqual(await rejectedTag(inbox.list({ workspaceId: "ws_none" })), "WorkspaceNotFound")
    assert.strictEqual(await rejectedTag(inbox.count({ workspaceId, externalUserId: "u9" })), "ManagedUserNotFound")
    assert.strictEqual(await rejectedTag(inbox.markRead(u1, "no id")), "ItemNotFound")
    await inbox.ingest([comment("a")])
    const id = (await inbox.list(whole)).items[0]?.id ?? assert.fail("no item")
    const resolve = { threadStatus: "resolved", assignedTo: "eve" } as const
    assert.strictEqual(await rejectedTag(inbox.setThreadState(whole, id, resolve)), "AssigneeNotAllowed")
    const long = { threadStatus: "assigned", assignedTo: "x".repeat(257) } as const
    assert.strictEqual(await rejectedTag(inbox.setThreadState(whole, id, long)), "AssigneeInvalid")
    const twice = { ...account, credentials: { accessToken: "t" } }
    assert.strictEqual(await rejectedTag(loopbox.accounts.connect(twice)), "AccountAlreadyConnected")
    const nameless = { ...twice, network: "threads", username: null } as const
    assert.strictEqual(await rejectedTag(loopbox.accounts.connect(nameless)), "UsernameRequired")
    const free = await loopbox.workspaces.create({ name: "Free", plan: "free" })
    assert.strictEqual(await rejectedTag(inbox.list({ workspaceId: free.id })), "PlanFeatureNotAvailable")
  })

  it("polls the accounts of a scope, asks before a backfill that may cost much, and tells refusals by their tag", async () => {
    const { account, loopbox, u1, whole, workspaceId } = await town()
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

  it("shows only the sources that the embedder's own table gives a plan", async () => {
    const none = new Set<Source>()
    const dms = new Set<Source>(["ig_dm"])
    const table = Layer.succeed(InboxPlans, {
      free: dms,
      api: none,
      basic: none,
      growth: none,
      team: none,
      enterprise: none
    })
    await using loopbox = await createLoopbox(MemoryAdapters.layer, table)
    const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "free" })
    const credentials = { accessToken: "token" }
    const account = { network: "instagram", networkAccountId: "page", name: "Acme", credentials } as const
    await loopbox.accounts.connect({ ...account, workspaceId })
    await loopbox.inbox.ingest([comment("a"), comment("b", { source: "ig_dm" })])
    const { items } = await loopbox.inbox.list({ workspaceId })
    assert.deepStrictEqual(
      items.map(({ externalId }) => externalId),
      ["b"]
    )
    assert.strictEqual(await loopbox.inbox.count({ workspaceId }), 1)
  })
})

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
    const { loopbox, whole } = await town(networks)
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
    const events = await take(loopbox, whole, 6, 0)
    const told = events.flatMap(({ change }) => (change.type === "reply_updated" ? [change.operation.status] : []))
    assert.deepEqual(told, ["pending", "sending", "remote_succeeded", "completed"])
    await loopbox.close()
  })

  it("says that nothing was sent where no layer gives networks", async () => {
    const { loopbox, whole } = await town()
    await loopbox.inbox.ingest([comment("c1")])
    const [item] = (await loopbox.inbox.list(whole)).items
    const { operation } = await loopbox.inbox.reply(whole, item?.id ?? "", { text: "Yes" })
    assert.deepEqual([operation.status, operation.failure?.kind], ["rejected", "unavailable"])
    await loopbox.close()
  })
})
