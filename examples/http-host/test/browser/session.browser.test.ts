import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { describe, it } from "vitest"
import { assertAccessible, keepPicture } from "../support/chromium.ts"
import { startConsoleHost } from "../support/consoleHost.ts"
import { goTo, openConversation } from "../support/consoleVisit.ts"

const { host, linkOf, sandbox, signIn, signInAgain, visit } = await startConsoleHost()

/** As one who types an address over that of the page that stands there. */
const typeAddress = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => {
    location.href = to
  }, address)

const endSession = async (page: Page): Promise<void> => {
  const { origin } = new URL(page.url())
  const ended = await page.request.delete(`${origin}/console/session`, { headers: { origin } })
  assert.isTrue(ended.ok())
}

const ended = (page: Page) => page.getByRole("dialog", { name: "Your session has ended" })

const openSettings = async (page: Page): Promise<void> => page.getByRole("button", { name: "Settings" }).first().click()

describe("a link that is opened over a page of the console", () => {
  it("signs in where the page asked for one, and stands in no address then", async () => {
    const { context, page } = await visit()
    await page.goto(`${host.url}/console`)
    await page.getByLabel("Admin token").waitFor()
    await typeAddress(page, await linkOf())
    await page.getByRole("navigation").waitFor()
    assert.strictEqual(new URL(page.url()).hash, "")
    await context.close()
  })

  it("goes on where the session had ended, with what was typed; a used one says so", async () => {
    const { context, page } = await signIn()
    await goTo(page, "Sandbox")
    await page.getByLabel("Text").fill("typed before the end")
    await endSession(page)
    await ended(page).waitFor()
    const behind = (link: string) => `${host.url}/console/sandbox${new URL(link).hash}`
    await typeAddress(page, behind(`${host.url}/console#${"a".repeat(43)}`))
    const refused = page.getByRole("alert").filter({ hasText: "This link was used already" })
    await refused.waitFor()
    assert.strictEqual(await refused.locator("code").first().innerText(), "loopbox console")
    await typeAddress(page, behind(await linkOf()))
    await ended(page).waitFor({ state: "hidden" })
    assert.strictEqual(await page.getByLabel("Text").inputValue(), "typed before the end")
    assert.strictEqual(new URL(page.url()).hash, "")
    await context.close()
  })
})

describe("two pages of one browser", () => {
  it("have one session: signed in again on one, the other goes on when one comes back to it", async () => {
    const { context, page } = await signIn()
    const other = await context.newPage()
    await other.goto(`${host.url}/console/sandbox`)
    await other.getByLabel("Text").fill("typed on the other")
    await goTo(page, "Sandbox")
    await endSession(page)
    await ended(page).waitFor()
    await ended(other).waitFor()
    await signInAgain(page)
    await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
    await ended(other).waitFor({ state: "hidden" })
    assert.strictEqual(await other.getByLabel("Text").inputValue(), "typed on the other")
    await context.close()
  })
})

describe("signing out", () => {
  it("is not said where the host was not reached: the session still counts, and it can be tried again", async () => {
    const { context, page } = await signIn()
    await page.route(/\/console\/session$/, (route) =>
      route.request().method() === "DELETE" ? route.abort() : route.continue()
    )
    await openSettings(page)
    await page.getByRole("button", { name: "Sign out" }).first().click()
    const failed = page.getByRole("alert").filter({ hasText: "CONNECTION_FAILED" })
    await failed.waitFor()
    assert.strictEqual(await page.getByRole("heading", { name: "Sign in to the console" }).count(), 0)
    await assertAccessible(page, "signing out failed")
    await keepPicture(page, "signing out failed")
    await page.unrouteAll({ behavior: "wait" })
    await failed.getByRole("button", { name: "Try again" }).click()
    await page.getByLabel("Admin token").waitFor()
    await context.close()
  })

  it("takes what was shown out of a page that the browser had kept in its memory", async () => {
    await sandbox("comment", "--network", "instagram", "Only for whoever is signed in")
    const { context, page } = await signIn()
    await openConversation(page, "Only for whoever is signed in")
    await endSession(page)
    // Chromium keeps no page in its memory while it is driven; this is what it tells a page that it takes out of there.
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })))
    await page.getByLabel("Admin token").waitFor()
    assert.strictEqual(await page.getByText("Only for whoever is signed in").count(), 0)
    await context.close()
  })
})
