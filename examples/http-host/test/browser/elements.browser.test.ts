import { assert } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page, Route } from "playwright-core"
import { afterAll, describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture, openPage, startChromium, windows } from "../support/chromium.ts"
import { addAda, copyPage, startBackend } from "../support/elementsExample.ts"
import { sleep, startHost, until } from "../support/hostProcess.ts"
import { freePort } from "../support/ownServer.ts"
import { preparedFolder } from "../support/preparedFolder.ts"
import { runCli } from "../support/runCli.ts"

const places = await preparedFolder()
const data = join(places.folder, ".loopbox")
const port = await freePort()
const host = await startHost(places.folder, { LOOPBOX_CORS_ORIGINS: `http://127.0.0.1:${port}` })
const browser: Browser = await startChromium()
const workspace = await addAda(places.folder, data)

const example = copyPage(places.folder, host.url)

const backend = await startBackend({ page: example, port, host, data, workspace })
const address = backend.url

/** All three elements on one page. */
writeFileSync(
  join(example, "states.html"),
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>States</title><link rel="stylesheet" href="/page.css">
<script type="module" src="/elements/loopbox-inbox.js"></script><script type="module" src="/elements/loopbox-unread.js"></script>
<script type="module" src="/elements/loopbox-accounts.js"></script><script type="module" src="/page.js"></script>
<header><h1>All <loopbox-unread base-url="${host.url}"></loopbox-unread></h1></header>
<main><loopbox-accounts base-url="${host.url}"></loopbox-accounts>
<loopbox-inbox base-url="${host.url}"></loopbox-inbox></main></html>`
)
writeFileSync(
  join(example, "page.js"),
  readFileSync(join(example, "page.js"), "utf8").replace("loopbox-inbox, loopbox-unread", "[base-url]")
)

afterAll(async () => {
  await browser.close()
  backend.stop()
  await host.stop()
  places.remove()
})

const openExample = (options: Parameters<typeof openPage>[1] = {}) => openPage(browser, { locale: "en-GB", ...options })

const rows = (page: Page) => page.getByRole("list", { name: "Conversations" }).getByRole("listitem")

const comment = async (text: string): Promise<void> => {
  const written = await runCli(["sandbox", "comment", "--network", "instagram", text], places.folder, {
    LOOPBOX_DATA: data
  })
  assert.strictEqual(written.code, 0, written.output)
}

const sentTexts = async (): Promise<string> =>
  (await runCli(["sandbox", "sent", "--json"], places.folder, { LOOPBOX_DATA: data })).output

describe("<loopbox-inbox> in a page of one's own", () => {
  it("works by the keyboard alone: see, open, answer, resolve, search", async () => {
    await comment("Is it machine washable?")
    const { complaints, context, page } = await openExample()
    await page.goto(address)
    const row = rows(page).filter({ hasText: "Is it machine washable?" }).first()
    await row.waitFor()
    await page.getByRole("list", { name: "Conversations" }).getByRole("button").first().focus()
    for (let n = 0; n < 40 && !(await row.getByRole("button").evaluate((one) => one.matches(":focus"))); n++) {
      await page.keyboard.press("j")
    }
    await page.keyboard.press("Enter")
    await page.getByRole("article", { name: /.+/ }).first().waitFor()
    assert.match(page.url(), /\?thread=thr_/)
    await page.keyboard.press("r")
    const field = page.getByRole("textbox", { name: /answer/i })
    await until("the field's focus", async () =>
      (await field.evaluate((one) => one.matches(":focus"))) ? true : undefined
    )
    await page.keyboard.type("At 30 degrees.")
    await page.keyboard.press("Control+Enter")
    await until("the answer at the network", async () =>
      (await sentTexts()).includes("At 30 degrees.") ? true : undefined
    )
    await assertAccessible(page, "an answered conversation")
    await page.keyboard.press("Escape")
    await page.keyboard.press("e")
    const thread = new URL(page.url()).searchParams.get("thread") ?? ""
    await page.locator(`[data-thread="${thread}"]`).getByText("Resolved").waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("washable")
    await until("what was found", async () => ((await rows(page).count()) === 1 ? true : undefined))
    assert.deepStrictEqual(
      complaints.filter((line) => !/ERR_NAME_NOT_RESOLVED|favicon/.test(line)),
      []
    )
    await context.close()
  })

  it("reads aloud as what it is: search, tabs, conversations by name, messages by author and time, the answer's field", async () => {
    const { context, page } = await openExample()
    await page.goto(address)
    await rows(page).first().waitFor()
    await rows(page).first().click()
    await page.getByRole("article", { name: /.+/ }).first().waitFor()
    const tree = await page.locator("loopbox-inbox").ariaSnapshot()
    const parts = [
      "searchbox",
      'tab "All"',
      '- list "Conversations"',
      'region "Messages"',
      'article "',
      'textbox "Your answer"',
      'complementary "Context"'
    ]
    const places = parts.map((part) => ({ part, at: tree.indexOf(part) }))
    for (const { at, part } of places) assert.isAtLeast(at, 0, `${part} is not in\n${tree}`)
    assert.deepStrictEqual(
      places.map(({ at }) => at),
      places.map(({ at }) => at).toSorted((a, b) => a - b),
      tree
    )
    // Nothing that can be pressed is without a name.
    assert.notMatch(tree, /- button$|- link$|- textbox$/m)
    await context.close()
  })

  it("asks for another token when the first one is refused", async () => {
    const { context, page } = await openExample()
    let asked = 0
    await page.route(`${address}my/loopbox-token`, async (route) => {
      asked += 1
      if (asked <= 2) return route.fulfill({ body: "a.b.c" })
      return route.continue()
    })
    await page.goto(address)
    await rows(page).first().waitFor()
    assert.isAtLeast(asked, 3)
    await context.close()
  })

  it("has room at 200 %, and stands still for who wants less motion", async () => {
    const { context, page } = await openExample({
      viewport: { width: 720, height: 450 },
      deviceScaleFactor: 2,
      reducedMotion: "reduce"
    })
    await page.goto(address)
    await rows(page).first().waitFor()
    await assertFits(page, "the list at 200 %")
    await keepPicture(page, "element-200")
    await rows(page).first().click()
    const field = page.getByRole("textbox", { name: /answer/i })
    await field.fill("Seen at 200 %")
    assert.isTrue(await field.isVisible())
    await assertFits(page, "a conversation at 200 %")
    const moving = await page.locator("loopbox-inbox").evaluate((inbox) =>
      Array.from(inbox.shadowRoot?.querySelectorAll("*") ?? []).flatMap((one) => {
        const { animationDuration, animationName, transitionDuration } = getComputedStyle(one)
        const isMoving =
          (animationName !== "none" && Number.parseFloat(animationDuration) > 0.02) ||
          Number.parseFloat(transitionDuration) > 0.02
        return isMoving ? [one.className] : []
      })
    )
    assert.deepStrictEqual(moving, [])
    await context.close()
  })

  it("says that it is offline, and goes on by itself", async () => {
    const { context, page } = await openExample()
    await page.goto(address)
    await rows(page).first().waitFor()
    await context.setOffline(true)
    // A socket that is open stays so: it is the host that goes silent for it.
    await comment("Written while nobody listened")
    await sleep(500)
    await context.setOffline(false)
    await rows(page).filter({ hasText: "Written while nobody listened" }).first().waitFor({ timeout: 90_000 })
    await context.close()
  })

  it("ends what it began when it is taken out of the page, and begins anew when it is put back", async () => {
    const { context, page } = await openExample()
    let open = 0
    page.on("websocket", (socket) => {
      open += 1
      socket.on("close", () => (open -= 1))
    })
    await page.goto(address)
    await rows(page).first().waitFor()
    await until("the sockets", () => (open > 0 ? true : undefined))
    const before = open
    for (let times = 0; times < 3; times++) {
      await page.evaluate(() => {
        const inbox = document.querySelector("loopbox-inbox")
        if (inbox === null) return
        Reflect.set(window, "kept", inbox)
        inbox.remove()
      })
      await until("the end of its socket", () => (open < before ? true : undefined))
      await page.evaluate(() => document.querySelector("main")?.append(Reflect.get(window, "kept")))
      await rows(page).first().waitFor()
      await until("its socket", () => (open === before ? true : undefined))
    }
    await context.close()
  })
})

describe("the states of the elements", () => {
  const asked = /\/v1\/(?:accounts|inbox\/threads|inbox\/unread-count)(?:\?|$)/
  const open = async (options: Parameters<typeof openPage>[1], answer?: (route: Route) => Promise<void>) => {
    const opened = await openExample(options)
    if (answer !== undefined) await opened.page.route(asked, answer)
    await opened.page.goto(`${address}states.html`)
    const { page } = opened
    return {
      ...opened,
      accounts: page.locator("loopbox-accounts"),
      inbox: page.locator("loopbox-inbox"),
      /** What it shows; it is not there while nothing is unread. */
      unread: page.locator("loopbox-unread [part=count]")
    }
  }
  const look = async (page: Page, what: string): Promise<void> => {
    await assertAccessible(page, what)
    await assertFits(page, what)
    await keepPicture(page, `elements ${what}`)
  }
  const cors = { "access-control-allow-origin": address.slice(0, -1) }

  it("slow: each says so, and shows what comes then", async () => {
    let go = (): void => undefined
    const gate = new Promise<void>((resolve) => (go = resolve))
    const { accounts, context, inbox, page, unread } = await open({ viewport: windows.telephone }, async (route) => {
      await gate
      await route.continue()
    })
    for (const element of [accounts, inbox]) await element.getByText("This takes longer than usual.").first().waitFor()
    assert.strictEqual(await unread.count(), 0)
    await look(page, "slow")
    go()
    await accounts.locator("li.account").first().waitFor()
    await rows(page).first().waitFor()
    assert.match(await unread.innerText(), /^\d+$/)
    await look(page, "many")
    await context.close()
  })

  it("empty: each says what will stand there", async () => {
    const { accounts, context, inbox, page, unread } = await open({ colorScheme: "dark" }, (route) =>
      route.fulfill({ headers: cors, json: { data: [], count: 0, next_cursor: null, request_id: "req_1" } })
    )
    await accounts.getByText("No account is connected yet").waitFor()
    await inbox.getByText("Nothing here yet").waitFor()
    assert.strictEqual(await unread.count(), 0)
    await look(page, "empty")
    await context.close()
  })

  it("refused: each says the code and the request, and loads when it is tried again", async () => {
    let isRefused = true
    const { accounts, context, inbox, page } = await open({ viewport: windows.tablet }, (route) =>
      isRefused
        ? route.fulfill({
            status: 503,
            headers: cors,
            json: { error: { code: "TEMPORARILY_UNAVAILABLE", message: "Not now." }, request_id: "req_of_the_test" }
          })
        : route.continue()
    )
    for (const element of [accounts, inbox]) {
      const alert = element.getByRole("alert").filter({ hasText: "TEMPORARILY_UNAVAILABLE" }).first()
      await alert.waitFor({ timeout: 60_000 })
      assert.include(await alert.innerText(), "req_of_the_test")
    }
    await look(page, "refused")
    isRefused = false
    await accounts.getByRole("button", { name: "Try again" }).click()
    await accounts.locator("li.account").first().waitFor()
    await inbox.getByRole("button", { name: "Try again" }).click()
    await rows(page).first().waitFor()
    await context.close()
  })

  it("expired: each says so once no token counts any more, and goes on with one that does", async () => {
    let isOver = false
    const { accounts, context, inbox, page } = await open({ colorScheme: "dark", viewport: windows.telephone })
    await rows(page).first().waitFor()
    await page.route(`${address}my/loopbox-token`, (route) =>
      isOver ? route.fulfill({ body: "a.b.c" }) : route.continue()
    )
    isOver = true
    await page.reload()
    const says = inbox.getByRole("alert").filter({ hasText: "UNAUTHORIZED" })
    await says.first().waitFor()
    await accounts.getByRole("alert").filter({ hasText: "UNAUTHORIZED" }).first().waitFor()
    await look(page, "expired")
    isOver = false
    await inbox.getByRole("button", { name: "Try again" }).first().click()
    await rows(page).first().waitFor()
    await accounts.getByRole("button", { name: "Try again" }).first().click()
    await accounts.locator("li.account").first().waitFor()
    await context.close()
  })
})
