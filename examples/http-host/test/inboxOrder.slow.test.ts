import { PgAdapters } from "@loopbox/adapters-postgres"
import type { EventBody } from "@loopbox/adapters-http/api/inbox/EventBody"
import type { ItemBody } from "@loopbox/adapters-http/api/inbox/ItemBody"
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { administrator, request } from "./support/apiClient.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until, type Variables } from "./support/hostProcess.ts"
import { follow, inboxAfter, lastNumber, replay, userScope, walk, workspaceScope } from "./support/inboxStream.ts"
import { metaDelivery } from "./support/metaDelivery.ts"
import { seeded, shuffled } from "./support/seeded.ts"
import { makeDatabase } from "./support/testServer.ts"

const places = temporaryFolder()
const { folder } = places
const running = new Set<HostProcess>()
afterAll(async () => {
  await Promise.all([...running].map((host) => host.stop("SIGKILL")))
  places.remove()
})

const appSecret = "a-secret-of-an-app-of-meta"
const adminToken = randomBytes(24).toString("hex")
const pages = ["1001", "1002", "1003"] as const
type Page = (typeof pages)[number]

/** What a reader sees of a comment in the end. */
interface Expected {
  readonly body: string
  readonly is_hidden: boolean
  readonly thread_key: string
}

interface Entry {
  readonly id: string
  readonly time: number
  readonly changes: ReadonlyArray<{ readonly field: "feed"; readonly value: Readonly<Record<string, string | number>> }>
}

const commentsOfPage = 220
/** One POST of a network that was cut off for a while. */
const batchSize = 1_000
const smallSize = 7

const isRemoved = (n: number) => n % 7 === 0
const isReply = (n: number) => n % 11 === 5
/** Neither removed nor an answer itself. */
const parentOf = (n: number) => (n % 2 === 0 ? 1 : 2)

/** All that people and the Page do on one Page, in the order of time, and what comes of it. */
const lifeOf = (page: Page) => {
  const entries: Array<Entry> = []
  const expected = new Map<string, Expected>()
  let time = 1_771_322_400
  const idOf = (n: number) => `${page}7_${n}`
  const say = (n: number, verb: string, more: Readonly<Record<string, string>> = {}) => {
    time += 1
    const post_id = `${page}_77`
    const value = {
      item: "comment",
      verb,
      post_id,
      comment_id: idOf(n),
      parent_id: isReply(n) ? idOf(parentOf(n)) : post_id,
      created_time: time,
      ...more
    }
    entries.push({ id: page, time, changes: [{ field: "feed", value }] })
  }
  for (let n = 1; n <= commentsOfPage; n++) {
    const from = { sender_id: `5${n % 40}`, sender_name: `Reader ${n % 40}` }
    const texts = n % 3 === 0 ? [`Comment ${n}`, `Edited ${n}`, `Edited again ${n}`] : [`Comment ${n}`]
    texts.forEach((message, edits) => say(n, edits === 0 ? "add" : "edited", { message, ...from }))
    if (n % 5 === 0) say(n, "hide", { sender_id: page, sender_name: "The Page" })
    if (n % 10 === 0) say(n, "unhide", { sender_id: page, sender_name: "The Page" })
    if (isRemoved(n)) say(n, "remove", from)
    else {
      expected.set(idOf(n), {
        body: texts.at(-1) ?? "",
        is_hidden: n % 5 === 0 && n % 10 !== 0,
        thread_key: isReply(n) ? idOf(parentOf(n)) : idOf(n)
      })
    }
  }
  return { entries, expected }
}

const lives = new Map(pages.map((page) => [page, lifeOf(page)]))
const expectedOf = (...of: ReadonlyArray<Page>): ReadonlyMap<string, Expected> =>
  new Map(of.flatMap((page) => Array.from(lives.get(page)?.expected ?? [])))

/** Deliveries in no order, each once to three times, the large one first. */
const postings = (next: ReturnType<typeof seeded>) => {
  const entries = shuffled(
    pages.flatMap((page) => lives.get(page)?.entries ?? []),
    next
  )
  const rest = entries.slice(batchSize)
  const batch = metaDelivery(appSecret, { object: "page", entry: entries.slice(0, batchSize) })
  const small = Array.from({ length: Math.ceil(rest.length / smallSize) }, (_, n) =>
    metaDelivery(appSecret, { object: "page", entry: rest.slice(n * smallSize, (n + 1) * smallSize) })
  )
  const again = [batch, ...small].flatMap((one) => Array.from({ length: next(3) }, () => one))
  return [batch, ...shuffled([...small, ...again], next)]
}

const start = async (name: string, variables: Variables, args: ReadonlyArray<string>) => {
  const host = await startHost(folder, { ...variables, LOOPBOX_DATA: join(folder, name) }, args)
  running.add(host)
  return host
}

const kill = async (host: HostProcess) => {
  running.delete(host)
  await host.stop("SIGKILL")
}

/** As a network does: again and again, until it is told 200. */
const deliver = (findUrl: () => string, posting: ReturnType<typeof metaDelivery>) =>
  until("a 200", () =>
    request(`${findUrl()}/v1/webhooks/meta`, posting).then(
      ({ status }) => (status === 200 ? true : undefined),
      () => undefined
    )
  )

const countDeliveries = (databaseUrl: string, state: string) =>
  Effect.runPromise(
    PgAdapters.withLongRunningClient(
      { url: Redacted.make(databaseUrl) },
      {},
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT id FROM webhook_deliveries WHERE state = ${state}`)
    )
  ).then((rows) => rows.length)

const shownOf = (items: Iterable<ItemBody>): ReadonlyMap<string, Expected> =>
  new Map(
    Array.from(items, ({ body, external_id, is_hidden, thread_key }) => [external_id, { body, is_hidden, thread_key }])
  )

const byKey = <A>(map: ReadonlyMap<string, A>) => Array.from(map).toSorted(([one], [other]) => (one < other ? -1 : 1))

/** The owner is told as it is when the event is sent, which is not the same each time. */
const withoutOwner = (event: EventBody) => {
  const { external_user_id: _owner, ...rest } = event
  if ("account" in rest) return { ...rest, account: { ...rest.account, external_user_id: null } }
  return "item" in rest ? { ...rest, item: { ...rest.item, external_user_id: null } } : rest
}

/** Each visible item is born once and ends at most once, and no event says what was said before. */
const checkLives = (events: ReadonlyArray<EventBody>) => {
  const items = new Map<string, string>()
  const born = new Set<string>()
  for (const event of events) {
    if (event.type === "inbox.item_deleted") assert.isTrue(items.delete(event.item_id), event.item_id)
    if (event.type !== "inbox.new_item" && event.type !== "inbox.item_updated") continue
    const { external_id, id } = event.item
    const text = JSON.stringify(event.item)
    if (event.type === "inbox.new_item") {
      assert.isFalse(born.has(external_id), external_id)
      born.add(external_id)
    } else {
      assert.isTrue(items.has(id), external_id)
      assert.notStrictEqual(items.get(id), text)
    }
    items.set(id, text)
  }
}

const numbersFrom = (first: number, last: number) => Array.from({ length: last - first }, (_, n) => first + n + 1)

describe("webhooks in any order, as often as they like, over kill -9", () => {
  it("become exactly the items that were meant, and exactly their events over sockets that resume", async () => {
    const databaseUrl = await makeDatabase()
    const variables = {
      DATABASE_URL: databaseUrl,
      LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
      LOOPBOX_BLOBS: join(folder, "blobs"),
      LOOPBOX_ADMIN_TOKEN: adminToken,
      LOOPBOX_META_APP_SECRETS: appSecret,
      LOOPBOX_FACEBOOK_BASE_URL: "http://127.0.0.1:1",
      LOOPBOX_LEASE: "3 seconds",
      LOOPBOX_RATE_LIMIT: "off"
    }
    const startApi = () => start("api", variables, ["--role", "api", "--port", "0"])
    const startWorker = () => start("worker", variables, ["--role", "worker"])
    let api = await startApi()
    let worker = await startWorker()
    const admin = administrator(api.url, adminToken)
    const connected = async (...accounts: ReadonlyArray<readonly [Page, string | undefined]>) => {
      const id = await admin.createWorkspace("growth")
      const key = await admin.createOwnerKey(id)
      const ids = new Map<Page, string>()
      for (const [page, owner] of accounts) ids.set(page, await admin.connectPage(id, page, owner, { check: false }))
      return { id, key, ids, begun: await lastNumber(api.url, key) }
    }
    const here = await connected(["1001", undefined], ["1002", "u1"])
    const there = await connected(["1001", "u1"])
    const elsewhere = await connected(["1003", undefined])

    const follower = follow(() => api.url, here.key, here.begun)
    const waiting = [...postings(seeded(20_261_121))]
    const delivering = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
          await deliver(() => api.url, one)
          await sleep(100)
        }
      })
    )
    await sleep(250)
    await kill(worker)
    worker = await startWorker()
    await sleep(500)
    await kill(api)
    api = await startApi()

    const moved = here.ids.get("1002") ?? ""
    const now = administrator(api.url, adminToken)
    await now.moveAccount(here.id, moved, "u2")
    const [first] = await until("an item", async () => {
      const items = await walk(api.url, here.key, workspaceScope)
      return items.length > 0 ? items.filter(({ thread_key }) => thread_key === "10017_1") : undefined
    })
    const call = (path: string, body: unknown) =>
      request(`${api.url}/v1/inbox/${path}?${workspaceScope}`, {
        method: "POST",
        token: here.key,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    if (first !== undefined)
      assert.strictEqual((await call(`${first.id}/thread-state`, { thread_status: "resolved" })).status, 200)
    // Beside kills the store may be busy for a moment: a client that is told when to come again does so.
    const marked = await until("all is marked", async () => {
      const answer = await call("mark-all-read", {})
      if (answer.status !== 503) return answer
      assert.isNotNull(answer.headers.get("retry-after"))
      return undefined
    })
    assert.strictEqual(marked.status, 200, marked.text)
    await kill(worker)
    worker = await startWorker()
    await delivering
    await until("the last delivery", async () =>
      (await countDeliveries(databaseUrl, "pending")) === 0 ? true : undefined
    )
    assert.strictEqual(await countDeliveries(databaseUrl, "failed"), 0)

    for (const [workspace, expected] of [
      [here, expectedOf("1001", "1002")],
      [there, expectedOf("1001")],
      [elsewhere, expectedOf("1003")]
    ] as const) {
      const items = await walk(api.url, workspace.key, workspaceScope)
      assert.strictEqual(new Set(items.map(({ id }) => id)).size, items.length)
      assert.deepStrictEqual(byKey(shownOf(items)), byKey(expected))
      const events = await replay(api.url, workspace.key, workspaceScope, workspace.begun)
      const last = await lastNumber(api.url, workspace.key)
      assert.deepStrictEqual(
        events.map(({ seq }) => seq),
        numbersFrom(workspace.begun, last)
      )
      checkLives(events)
      assert.deepStrictEqual(byKey(inboxAfter(events)), byKey(new Map(items.map((item) => [item.id, item]))))
      const unread = await request(`${api.url}/v1/inbox/unread-count?${workspaceScope}`, { token: workspace.key })
      assert.strictEqual(
        unread.text.includes(`"count":${items.filter(({ is_read }) => !is_read).length}`),
        true,
        unread.text
      )
    }

    const all = await replay(api.url, here.key, workspaceScope, here.begun)
    const { events, sockets } = await follower.stop()
    assert.isAtLeast(sockets, 2)
    assert.deepStrictEqual(events.map(withoutOwner), all.map(withoutOwner))
    const moves = all.filter(({ type }) => type === "inbox.account_moved")
    assert.strictEqual(moves.length, 1)
    const told = all.reduce((sum, event) => sum + (event.type === "inbox.items_read" ? (event.marked ?? 0) : 0), 0)
    assert.include(marked.text, `"marked":${told}`)
    assert.isAbove(told, 0)

    // Whoever owns the account now is told all of it, and who owned it before nothing but that it went.
    const [gone, owned] = await Promise.all(
      ["u1", "u2"].map((user) => replay(api.url, here.key, userScope(user), here.begun))
    )
    assert.deepStrictEqual(new Set(gone?.map(({ type }) => type)), new Set(["inbox.items_read", "inbox.account_moved"]))
    const isOfMoved = (event: EventBody) => !("item" in event) || event.item.social_account_id === moved
    const born = (some: ReadonlyArray<EventBody>) => some.filter(({ type }) => type === "inbox.new_item")
    assert.deepStrictEqual(
      born(owned ?? []).map(({ seq }) => seq),
      born(all)
        .filter(isOfMoved)
        .map(({ seq }) => seq)
    )
    assert.deepStrictEqual(byKey(shownOf(inboxAfter(owned ?? []).values())), byKey(expectedOf("1002")))
    for (const host of [api, worker]) assert.strictEqual((await host.stop()).code, 0)
  })
})
