import { assert } from "@effect/vitest"
import type { Page, Route } from "playwright-core"
import { describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture, windows } from "../support/chromium.ts"
import { startConsoleHost } from "../support/consoleHost.ts"
import { endSessionAt, goTo } from "../support/consoleVisit.ts"

const { signIn, signInAgain } = await startConsoleHost()

/** What pages ask for first; everything else is answered as it is. */
const lists =
  /\/console\/(?:v1\/(?:accounts|posts|media|media\/gif-conversions|webhook-endpoints)|sandbox\/items|activity)(?:\?|$)/

const pages = ["Accounts", "Posts", "Media", "Webhooks", "Activity", "Sandbox"] as const

const refuse = (route: Route): Promise<void> =>
  route.fulfill({
    status: 503,
    headers: { "x-request-id": "req_of_the_test" },
    json: { error: { code: "TEMPORARILY_UNAVAILABLE", message: "Not now." }, request_id: "req_of_the_test" }
  })

const beEmpty = (route: Route): Promise<void> =>
  route.fulfill({ json: { data: [], next_cursor: null, request_id: "req_1" } })

const judge = async (page: Page, what: string): Promise<void> => {
  await assertAccessible(page, what)
  await assertFits(page, what)
  await keepPicture(page, what)
}

describe("the states of the console's pages", () => {
  it("slow: each page says that it takes longer, and shows what comes then", async () => {
    const { context, page } = await signIn()
    for (const name of pages) {
      let go = (): void => undefined
      const gate = new Promise<void>((resolve) => (go = resolve))
      await page.route(lists, async (route) => {
        await gate
        await route.continue()
      })
      await goTo(page, name)
      await page.getByText("Loading…").first().waitFor()
      await page.getByText("This takes longer than usual.").first().waitFor()
      await judge(page, `slow ${name}`)
      go()
      await page.getByText("Loading…").first().waitFor({ state: "detached" })
      await page.unrouteAll({ behavior: "wait" })
    }
    await context.close()
  })

  for (const [name, scheme, locale] of [
    ["desk", "light", "en-GB"],
    ["telephone", "dark", "de-DE"]
  ] as const) {
    it(`refused, on a ${name}: each page says the code and the request, and loads when it is tried again`, async () => {
      const { context, page } = await signIn({ viewport: windows[name], colorScheme: scheme, locale })
      const again = locale === "de-DE" ? /Noch einmal/ : /Try again/
      const links = page.getByRole("navigation").getByRole("link")
      for (let at = 1; at <= pages.length; at++) {
        await page.route(lists, refuse)
        await links.nth(at).click()
        const alert = page.getByRole("alert").filter({ hasText: "TEMPORARILY_UNAVAILABLE" }).first()
        await alert.waitFor()
        assert.include(await alert.innerText(), "req_of_the_test")
        await judge(page, `refused ${name} ${at}`)
        await page.unrouteAll({ behavior: "wait" })
        await alert.getByRole("button", { name: again }).click()
        await alert.waitFor({ state: "detached" })
      }
      await context.close()
    })
  }

  it("empty: each page says what to do", async () => {
    const { context, page } = await signIn({ viewport: windows.telephone })
    await page.route(lists, beEmpty)
    for (const [name, sentence] of [
      ["Accounts", "No account is connected yet"],
      ["Posts", "No account is connected yet. Connect one on the page Accounts."],
      ["Media", "Nothing was converted yet"],
      ["Webhooks", "No address yet"],
      ["Sandbox", "Nothing is there yet"]
    ] as const) {
      await goTo(page, name)
      await page.getByText(sentence).first().waitFor()
      await judge(page, `empty ${name}`)
    }
    await context.close()
  })

  for (const [name, scheme, locale] of [
    ["desk", "dark", "de-DE"],
    ["telephone", "light", "en-GB"]
  ] as const) {
    it(`expired, on a ${name}: a page that meets the end of the session says so, and goes on once one has signed in`, async () => {
      const { context, page } = await signIn({ viewport: windows[name], colorScheme: scheme, locale })
      const links = page.getByRole("navigation").getByRole("link")
      for (let at = 1; at <= pages.length; at++) {
        // The inbox asks for none of these lists, so that it is the next page which meets the end.
        await links.first().click()
        await page.locator("loopbox-inbox").getByRole("listitem").first().waitFor()
        await endSessionAt(page, lists)
        await links.nth(at).click()
        await page.getByRole("dialog").waitFor()
        await judge(page, `expired ${name} ${at}`)
        await signInAgain(page)
        await page.locator(".loading-state").first().waitFor({ state: "detached" })
        assert.deepStrictEqual(await page.getByRole("alert").allInnerTexts(), [], `page ${at}`)
      }
      await context.close()
    })
  }

  it("expired: what was sent at that moment is done once, after signing in", async () => {
    const { context, page } = await signIn()
    await goTo(page, "Posts")
    await page.getByLabel("Text", { exact: true }).fill("Sent as the session ended")
    await page
      .getByRole("checkbox", { name: /Threads/ })
      .first()
      .check()
    await page.getByText("It fits all of them.").waitFor()
    await endSessionAt(page, (url) => url.pathname === "/console/v1/posts")
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor()
    await signInAgain(page)
    const post = page.locator("li.post").filter({ hasText: "Sent as the session ended" })
    await post.first().waitFor()
    assert.strictEqual(await post.count(), 1)
    assert.deepStrictEqual(await page.getByRole("alert").allInnerTexts(), [])
    await context.close()
  })

  it("offline: it is said, what was typed stays, and is sent when the line is back", async () => {
    const { context, page } = await signIn()
    await goTo(page, "Posts")
    await page.getByLabel("Text", { exact: true }).fill("Written without a line")
    await page
      .getByRole("checkbox", { name: /Threads/ })
      .first()
      .check()
    await context.setOffline(true)
    await page.getByRole("status").filter({ hasText: "This device is offline" }).waitFor()
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    await page.getByRole("alert").first().waitFor({ timeout: 30_000 })
    assert.strictEqual(await page.getByLabel("Text", { exact: true }).inputValue(), "Written without a line")
    await judge(page, "offline Posts")
    await context.setOffline(false)
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    const post = page.locator("li.post").filter({ hasText: "Written without a line" })
    await post.first().waitFor()
    assert.strictEqual(await post.count(), 1)
    await context.close()
  })

  it("too many: accounts are searched, and the page stays one", async () => {
    const { context, page } = await signIn({ viewport: windows.telephone, colorScheme: "dark" })
    await page.route(/\/console\/v1\/accounts\?/, async (route) => {
      const cursor = new URL(route.request().url()).searchParams.get("cursor")
      const from = cursor === null ? 0 : Number(cursor)
      const data = Array.from({ length: 100 }, (_, at) => ({
        id: `acc_${from + at}`,
        network: ["instagram", "facebook", "threads", "x"][at % 4],
        name: `Shop number ${from + at}`,
        username: `shop.${from + at}`,
        avatar_url: null,
        external_user_id: at % 3 === 0 ? null : `customer_${at % 7}`,
        status: "connected",
        scopes: [],
        missing_scopes: [],
        token_expires_at: null,
        capabilities: [],
        health: { status: "ok", problems: [], last_webhook_at: null, last_poll_at: null },
        connected_at: "2026-11-21T07:00:00.000Z"
      }))
      const next = from + 100 < 700 ? String(from + 100) : null
      await route.fulfill({ json: { data, next_cursor: next, request_id: "req_1" } })
    })
    await goTo(page, "Accounts")
    await page.getByRole("button", { name: "Show more" }).click()
    await page.getByRole("searchbox", { name: "Find an account" }).fill("number 699")
    await page.getByText("Shop number 699").waitFor()
    assert.strictEqual(await page.locator("li.account").count(), 1)
    await judge(page, "many Accounts")
    await goTo(page, "Posts")
    await page.getByRole("searchbox", { name: "Find an account" }).fill("number 42")
    await page.getByRole("checkbox", { name: /Shop number 42\b/ }).check()
    await judge(page, "many Posts")
    // Chosen here, and not there when one comes back.
    await page.unrouteAll({ behavior: "wait" })
    await page.reload()
    await page.getByText("is not connected any more").waitFor()
    await judge(page, "an account that is gone")
    await page.getByRole("checkbox", { name: /acc_42/ }).click()
    await page.getByText("is not connected any more").waitFor({ state: "detached" })
    await context.close()
  })
})
