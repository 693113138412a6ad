import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, describe, it } from "vitest"
import { administrator, request } from "../support/apiClient.ts"
import { openPage, startChromium } from "../support/chromium.ts"
import { openConversation } from "../support/consoleVisit.ts"
import { ffmpegPath } from "../support/ffmpeg.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until, type Variables } from "../support/hostProcess.ts"
import { findOperation, sendReply } from "../support/inboxClient.ts"
import { metaDelivery } from "../support/metaDelivery.ts"
import { runCli } from "../support/runCli.ts"
import { makeDatabase } from "../support/testServer.ts"
import { seeded } from "../support/seeded.ts"

const appSecret = "a-secret-of-an-app-of-meta"
const page = "100000000000001"
const seed = Number(process.env["LOOPBOX_STORM_SEED"] ?? 7)
/** 20 a second, and so for half a minute. */
const every_ms = 50
const events = 600
/** The host is killed after so many. */
const kills = [200, 400]

/** A reply each so many events, each with the next of these faults at the network. */
const replies_every = 60
const faults = [
  undefined,
  "hang_after",
  "refused",
  "server_error_after",
  undefined,
  "reset_after",
  "truncated",
  "error_though_sent",
  "html_after"
]

const places = temporaryFolder()
const data = join(places.folder, ".loopbox")
const adminToken = "an-admin-token-of-more-than-32-characters"
const shared: Variables = {
  LOOPBOX_ADMIN_TOKEN: adminToken,
  LOOPBOX_SECRET_KEYS: `first:${Buffer.alloc(32, 7).toString("base64")}`,
  LOOPBOX_META_APP_SECRETS: appSecret,
  LOOPBOX_FFMPEG: await ffmpegPath()
}
/** The networks live in a host of their own, since they go on when ours is killed. */
const networkData = join(places.folder, "networks")
const networks: HostProcess = await startHost(places.folder, {
  ...shared,
  DATABASE_URL: await makeDatabase(),
  LOOPBOX_DATA: networkData,
  LOOPBOX_NETWORKS: "sandbox"
})
const { sandbox_url } = JSON.parse(readFileSync(join(networkData, "serve.json"), "utf8"))
const variables: Variables = {
  ...shared,
  DATABASE_URL: await makeDatabase(),
  LOOPBOX_DATA: data,
  LOOPBOX_NETWORKS: "live",
  LOOPBOX_FACEBOOK_BASE_URL: `${sandbox_url}/facebook`,
  LOOPBOX_POLL_EVERY: "off",
  LOOPBOX_LEASE: "3 seconds",
  LOOPBOX_CONSOLE: "on"
}
let host: HostProcess = await startHost(places.folder, variables)
const { port } = new URL(host.url)
const browser: Browser = await startChromium()
afterAll(async () => {
  await browser.close()
  await host.stop("SIGKILL")
  await networks.stop()
  places.remove()
})
// The simulated network knows the accounts that its own host has.
const elsewhere = administrator(networks.url, adminToken)
await elsewhere.connectPage(await elsewhere.createWorkspace("enterprise"), page)
const admin = administrator(host.url, adminToken)
const workspace = await admin.createWorkspace("enterprise")
const key = await admin.createOwnerKey(workspace)
await admin.connectPage(workspace, page)

interface Comment {
  readonly id: string
  readonly post: string
  /** The first comment of its conversation. */
  readonly root: string
}

const delivery = (verb: "add" | "edited" | "remove", comment: Comment, text: string, at: number) => {
  const value = {
    item: "comment",
    verb,
    comment_id: comment.id,
    post_id: comment.post,
    parent_id: comment.root === comment.id ? comment.post : comment.root,
    from: { id: "678046212537", name: "Reader One" },
    message: text,
    created_time: at
  }
  return metaDelivery(appSecret, {
    object: "page",
    entry: [{ id: page, time: at, changes: [{ field: "feed", value }] }]
  })
}

/** As a network does: again, until the host has it. */
const deliver = (sent: ReturnType<typeof delivery>): Promise<unknown> =>
  until("the delivery", async () => {
    const answer = await request(`${host.url}/v1/webhooks/meta`, sent).catch(() => undefined)
    return answer?.status === 200 ? true : undefined
  })

const call = async (method: string, path: string, body?: unknown): Promise<Record<string, never> | undefined> => {
  const separator = path.includes("?") ? "&" : "?"
  const answer = await request(`${host.url}/v1/inbox${path}${separator}inbox_scope=workspace`, {
    method,
    token: key,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  }).catch(() => undefined)
  return answer !== undefined && answer.status < 300 ? JSON.parse(answer.text || "{}") : undefined
}

interface ThreadShown {
  readonly id: string
  readonly unread: number
  readonly text: string
}

/** The first 200 signs are shown, and "You: " before an answer. */
const shorten = (text: string): string => text.slice(0, 200).trim()

/** All conversations as the API lists them. */
const listThreads = async (query = ""): Promise<ReadonlyArray<ThreadShown>> => {
  const found: Array<ThreadShown> = []
  for (let cursor = ""; ;) {
    const answer: {
      readonly data?: ReadonlyArray<{
        readonly id: string
        readonly unread_count: number
        readonly last_item: { readonly body: string; readonly is_own: boolean }
      }>
      readonly next_cursor?: string | null
    } = (await call("GET", `/threads?limit=100${query}${cursor}`)) ?? {}
    if (answer.data === undefined) throw new Error("the conversations could not be listed")
    for (const { id, last_item, unread_count } of answer.data) {
      found.push({ id, unread: unread_count, text: `${last_item.is_own ? "You: " : ""}${shorten(last_item.body)}` })
    }
    if (typeof answer.next_cursor !== "string") return found
    cursor = `&cursor=${encodeURIComponent(answer.next_cursor)}`
  }
}

/** All conversations that a page shows, from the first to the last, by scrolling. */
const readList = async (shown: Page): Promise<ReadonlyArray<ThreadShown>> => {
  const rows = new Map<number, ThreadShown>()
  const list = shown.getByRole("list", { name: "Conversations" })
  const readRows = () =>
    list.locator("li").evaluateAll((items) =>
      items.map((item) => ({
        place: Number(item.getAttribute("aria-posinset")),
        id: item.querySelector("[data-thread]")?.getAttribute("data-thread") ?? "",
        unread: item.querySelector(".unread-count > span")?.textContent ?? "0",
        text: item.querySelector(".preview")?.textContent?.trim() ?? ""
      }))
    )
  const scroll = (top: number) =>
    list.evaluate((element, to) => {
      const scroller = element.closest(".scroller")
      if (scroller === null) return { isEnd: true, seen: 0 }
      scroller.scrollTop = to
      return {
        isEnd: scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2,
        seen: scroller.clientHeight
      }
    }, top)
  for (let top = 0, ends = 0; ends < 3;) {
    const { isEnd, seen } = await scroll(top)
    await sleep(60)
    for (const { id, place, text, unread } of await readRows()) rows.set(place, { id, unread: Number(unread), text })
    // At the end of what is loaded more may come. A place that was not drawn in time is looked at again.
    ends = isEnd && rows.size >= Math.max(0, ...rows.keys()) ? ends + 1 : 0
    const missing = Array.from({ length: rows.size }, (_, at) => at + 1).find((place) => !rows.has(place))
    top = missing === undefined || !isEnd ? top + (isEnd ? 0 : Math.max(100, seen / 2)) : missing * 70
  }
  await scroll(0)
  return [...rows].toSorted(([a], [b]) => a - b).map(([, row]) => row)
}

const sandbox = async (...args: ReadonlyArray<string>) => {
  const { code, output } = await runCli(["sandbox", ...args, "--json"], places.folder, { LOOPBOX_DATA: networkData })
  assert.strictEqual(code, 0, output)
  return JSON.parse(output)
}

/** Replies under one key until the host says something of it, as a client does whose host is killed. */
const reply = async (itemId: string, n: number) => {
  const fault = faults[n % faults.length]
  if (fault !== undefined)
    await sandbox("fault", "set", fault, "--network", "facebook", "--endpoint", "reply", "--times", "1")
  const text = `Answer ${n} of the storm`
  const operation = await until("an answer", async () => {
    const answer = await sendReply(host.url, key, itemId, text, `key-${n}`).catch(() => undefined)
    return answer === undefined || answer.operationId === "" ? undefined : answer.operationId
  })
  await sandbox("fault", "clear")
  return { operation, text, isRefused: fault === "refused" }
}

/** How often the network has each text. */
const countSent = async (): Promise<ReadonlyMap<string, number>> => {
  const sent: ReadonlyArray<{ readonly text: string }> = await sandbox("sent")
  const counts = new Map<string, number>()
  for (const { text } of sent) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/**
 * Serves the pages' script with lower limits of the conversations that are kept whole: a storm has some hundreds, and most of
 * them are to be packed as those of a long list are. Gives how often it was served.
 */
const packMost = async (context: BrowserContext): Promise<() => number> => {
  let served = 0
  await context.route(/\/console\/assets\/inboxPage-/, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const lowered = text.replace(/\{mostWhole:[\w$]+,packedTogether:[\w$]+\}/, "{mostWhole:30,packedTogether:10}")
    if (lowered !== text) served++
    await route.fulfill({ status: response.status(), contentType: "text/javascript", body: lowered })
  })
  return () => served
}

const openInbox = async (pages: Awaited<ReturnType<typeof openPage>>, link: string): Promise<Page> => {
  const shown = await pages.context.newPage()
  await shown.goto(link)
  await shown.getByRole("navigation").waitFor()
  await shown.getByRole("list", { name: "Conversations" }).waitFor()
  return shown
}

const answerField = (shown: Page) => shown.getByRole("textbox", { name: /answer/i })

describe("three open pages in a storm", () => {
  it("show at the end what the host has, in its order, with what was being written", async () => {
    const next = seeded(seed)
    const random = () => next(1_000) / 1_000
    const pick = <A>(options: ReadonlyArray<A>): A | undefined => options[Math.floor(random() * options.length)]
    const comments: Array<Comment> = []
    let made = 0
    const begun = Math.floor(Date.now() / 1000)
    const add = (root?: Comment) => {
      const post = root?.post ?? `${page}_90${Math.floor(random() * 30)}`
      const id = `${post.split("_")[1]}_${++made}`
      const comment = { id, post, root: root?.id ?? id }
      comments.push(comment)
      return deliver(delivery("add", comment, `Comment ${made} of the storm`, begun + made))
    }
    const { id } = await sandbox("comment", "The eye of the storm", "--network", "facebook")
    const first: Comment = { id, post: `${page}_${String(id).split("_", 1)[0]}`, root: id }
    comments.push(first)
    await deliver(delivery("add", first, "The eye of the storm", begun))
    // Each page writes in a conversation of its own, which the storm leaves alone.
    const calm = ["A calm place", "Another calm place"]
    for (const [n, text] of calm.entries()) {
      const quiet = `80${n}_${n}`
      await deliver(delivery("add", { id: quiet, post: `${page}_80${n}`, root: quiet }, text, begun))
    }

    const opened = await openPage(browser, { locale: "en-GB" })
    const countPacking = await packMost(opened.context)
    const { output } = await runCli(["console"], places.folder, variables)
    await opened.page.goto(/http\S+#[\w-]+/.exec(output)?.[0] ?? assert.fail(output))
    await opened.page.getByRole("navigation").waitFor()
    const inbox = opened.page.url()
    const all = opened.page
    const unread = await openInbox(opened, inbox)
    await unread.getByRole("tab", { name: "Open" }).click()
    const talk = await openInbox(opened, inbox)
    const drafts = new Map([
      [all, "Half-written beside all"],
      [unread, "Half-written beside the open ones"],
      [talk, "A half-written answer"]
    ])
    for (const [shown, words] of [
      [all, calm[0] ?? ""],
      [unread, calm[1] ?? ""],
      [talk, "The eye of the storm"]
    ] as const) {
      await openConversation(shown, words)
      await answerField(shown).fill(drafts.get(shown) ?? "")
    }

    const threads = await listThreads()
    const talkId = threads.find(({ text }) => text === "The eye of the storm")?.id ?? ""
    const answered: { readonly data?: ReadonlyArray<{ readonly id: string }> } =
      (await call("GET", `/threads/${talkId}/items?limit=1`)) ?? {}
    const itemId = answered.data?.[0]?.id ?? ""
    const work: Array<Promise<unknown>> = []
    // One after the other, so that each meets its own fault.
    let replies: Promise<ReadonlyArray<Awaited<ReturnType<typeof reply>>>> = Promise.resolve([])
    for (let n = 0; n < events; n++) {
      const turn = sleep(every_ms)
      const kind = random()
      const some = pick(comments) ?? first
      if (kind < 0.3) work.push(add())
      else if (kind < 0.5) work.push(add(first))
      else if (kind < 0.7) work.push(add(some))
      else if (kind < 0.85) work.push(deliver(delivery("edited", some, `Edited ${n}`, begun + made + n)))
      else if (kind < 0.9 && some !== first) work.push(deliver(delivery("remove", some, "", begun + made + n)))
      else {
        const thread = pick(threads)?.id ?? talkId
        const state = pick(["open", "resolved"])
        work.push(call("POST", `/threads/${thread}/state`, { thread_status: state }))
      }
      if (n % replies_every === 15) {
        replies = replies.then(async (before) => [...before, await reply(itemId, before.length)])
      }
      if (kills.includes(n)) {
        await host.stop("SIGKILL")
        host = await startHost(places.folder, variables, ["--port", port])
      }
      await turn
    }
    await Promise.all(work)
    const sent = await replies
    assert.strictEqual(sent.length, events / replies_every)

    // Each answer is at the network once, and said to be; or is not there, and is not said to be.
    const texts = new Set<string>()
    for (const { isRefused, operation, text } of sent) {
      const settled = await until("what became of a reply", async () => {
        const times = (await countSent()).get(text) ?? 0
        const { status } = await findOperation(host.url, key, operation)
        return (status === "completed") === times > 0 ? { status, times } : undefined
      })
      assert.isAtMost(settled.times, 1, text)
      if (isRefused) assert.strictEqual(settled.status, "rejected", text)
      if (settled.times === 1) texts.add(text)
    }
    assert.isAtLeast(texts.size, sent.length / 2)

    // Until nothing comes any more: two looks in a row are the same.
    let before = ""
    const settled = await until("the end of the storm", async () => {
      const now = await listThreads()
      const text = JSON.stringify(now)
      const isSame = text === before
      before = text
      if (!isSame) await sleep(1_500)
      return isSame ? now : undefined
    })
    assert.isAbove(settled.length, 100)
    const judge = async (shown: Page, query: string, what: string) => {
      // People of the sandbox may write between two looks; one at which both are the same is enough.
      let differing: readonly [found: unknown, wanted: unknown] = [[], []]
      await until(
        what,
        async () => {
          const found = await readList(shown)
          const wanted = await listThreads(query)
          differing = [found, wanted]
          return JSON.stringify(found) === JSON.stringify(wanted) ? true : undefined
        },
        30_000
      ).catch(() => assert.deepStrictEqual(...differing, what))
    }
    assert.isAtLeast(countPacking(), 3, "pages that pack their conversations")
    await judge(all, "", "the page of all conversations")
    await judge(unread, "&thread_status=open", "the page of open conversations")

    const items: { readonly data?: ReadonlyArray<{ readonly body: string }> } =
      (await call("GET", `/threads/${talkId}/items?order=oldest&limit=500`)) ?? {}
    const wanted = (items.data ?? []).map(({ body }) => body)
    assert.isAbove(wanted.length, 50)
    const earlier = talk.getByRole("button", { name: "Load earlier messages" })
    while ((await earlier.count()) > 0) await earlier.click().catch(() => undefined)
    const readWords = () => talk.locator("article .words").allTextContents()
    await until(
      "the words of the open conversation",
      async () => (JSON.stringify(await readWords()) === JSON.stringify(wanted) ? true : undefined),
      30_000
    ).catch(async () => assert.deepStrictEqual(await readWords(), wanted))
    for (const text of texts) assert.strictEqual(wanted.filter((one) => one === text).length, 1, text)
    for (const [shown, draft] of drafts) assert.strictEqual(await answerField(shown).inputValue(), draft)
    for (const [shown, draft] of drafts) {
      await shown.reload()
      await answerField(shown).waitFor()
      assert.strictEqual(await answerField(shown).inputValue(), draft)
    }
    await opened.context.close()
  })
})
