import { assert } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture, windows } from "../support/chromium.ts"
import { startConsoleHost } from "../support/consoleHost.ts"
import { openConversation } from "../support/consoleVisit.ts"
import { until } from "../support/hostProcess.ts"
import { rewriteList } from "../support/rewriting.ts"

const { sandbox, signIn } = await startConsoleHost()

const languages = ["en-GB", "de-DE"] as const

const judge = async (page: Page, language: string, what: string): Promise<void> => {
  await assertFits(page, `${what}, ${language}`)
  await assertAccessible(page, `${what}, ${language}`)
  await keepPicture(page, `narrow ${what} ${language}`)
}

/** Opens a menu, whatever it is called in the page's language. */
const openMenu = async (menu: Locator): Promise<void> => {
  await menu.locator("button[aria-expanded]").click()
  const panel = menu.locator(".panel")
  await panel.waitFor()
  // A window has no way to what stands above it.
  await until("a panel that is not above the window", async () => {
    const box = await panel.boundingBox()
    return box !== null && box.y >= 0 ? true : undefined
  })
}

/** All that can be wrong with an account. */
const problems = [
  "reconnect_required",
  "missing_scopes",
  "webhook_not_subscribed",
  "webhook_quiet",
  "rate_limited",
  "permission_missing",
  "network_unavailable",
  "plan_excludes",
  "expires_soon",
  "code_of_a_newer_host"
].map((code) => ({
  code,
  message: "Said by the host.",
  remedy: "What the host advises.",
  since: "2026-11-21T07:00:00.000Z",
  retry_at: "2099-11-21T07:00:00.000Z"
}))

/** By the parts of the pages and not by their words, so that one test reads both languages. */
describe("at 360 pixels", () => {
  for (const language of languages) {
    const visit = () => signIn({ viewport: windows.telephone, locale: language })

    it(`a conversation, its menus, notes and details fit, ${language}`, async () => {
      const words = `Is there one in a colour that fits to Donaudampfschifffahrtsgesellschaft? ${language}`
      await sandbox("comment", "--network", "instagram", words)
      const { context, page } = await visit()
      const inbox = page.locator("loopbox-inbox")
      await openMenu(inbox.locator(".list-tools loopbox-menu"))
      await judge(page, language, "filters")
      await page.keyboard.press("Escape")
      await openConversation(inbox, words)
      await judge(page, language, "conversation")
      // Who it is, and where: one line each.
      const source = inbox.locator(".who p > span:not(.badge)").first()
      assert.isBelow((await source.boundingBox())?.height ?? 99, 24, await source.innerText())
      const menus = inbox.locator(".work loopbox-menu")
      await menus.first().waitFor()
      for (const [n, menu] of (await menus.all()).entries()) {
        await openMenu(menu)
        await judge(page, language, `menu ${n}`)
        await page.keyboard.press("Escape")
      }
      const field = inbox.locator("#compose")
      await field.fill("x".repeat(9_000))
      await inbox.locator(".counter.is-over").waitFor()
      await judge(page, language, "too long")
      await field.fill("")
      await openMenu(inbox.locator(".work loopbox-menu").first())
      await inbox.locator(".assign input[name=name]").fill("Maximiliane Hohenzollern-Sigmaringen")
      await page.keyboard.press("Enter")
      await inbox.locator(".who .status").first().waitFor()
      await judge(page, language, "assigned")
      await inbox.locator(".modes .mode").last().click()
      await judge(page, language, "note")
      await inbox.locator(".details-toggle button").click()
      await inbox.locator(".card").first().waitFor()
      await judge(page, language, "details")
      await context.close()
    })

    it(`every page and its forms fit, ${language}`, async () => {
      const { context, page } = await visit()
      const links = page.getByRole("navigation").getByRole("link")
      const count = await links.count()
      for (let at = 0; at < count; at++) {
        await links.nth(at).click()
        await page.locator(".loading-state").first().waitFor({ state: "detached" })
        await judge(page, language, `page ${at}`)
      }
      await links.nth(1).click()
      await page.locator("li.account").first().waitFor()
      await openMenu(page.locator("loopbox-accounts loopbox-menu").first())
      await judge(page, language, "networks")
      await links.nth(2).click()
      await page.locator("loopbox-console-posts textarea").first().fill("word ".repeat(500))
      const boxes = page.locator("loopbox-console-posts .account input[type=checkbox]")
      await boxes.first().waitFor()
      for (const box of await boxes.all()) await box.check()
      await page.locator("loopbox-console-posts .fault").first().waitFor()
      await judge(page, language, "post that fits nowhere")
      await links.nth(4).click()
      await page.locator("loopbox-console-webhooks button.primary").first().click()
      await page.getByRole("dialog").waitFor()
      await judge(page, language, "a new address")
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "hidden" })
      await openMenu(page.locator("loopbox-console .foot loopbox-menu"))
      await judge(page, language, "settings")
      await page.keyboard.press("Escape")
      await page.locator("loopbox-console .foot > button").click()
      await page.getByRole("dialog").waitFor()
      await judge(page, language, "as curl")
      await context.close()
    })

    it(`accounts say all that can be wrong with them, in the language of their reader, ${language}`, async () => {
      const { context, page } = await visit()
      await rewriteList(page, /\/console\/v1\/accounts$/, (accounts) =>
        accounts.map((account) => ({
          ...account,
          missing_scopes: ["instagram_business_manage_comments", "instagram_business_manage_messages"],
          health: { status: "broken", problems, last_webhook_at: null, last_poll_at: null }
        }))
      )
      await page.getByRole("navigation").getByRole("link").nth(1).click()
      const account = page.locator("li.account").first()
      await account
        .locator(".problem")
        .nth(problems.length - 1)
        .waitFor()
      const own = account.locator(".problem").filter({ hasText: "Said by the host." })
      await own.filter({ hasText: "What the host advises." }).filter({ hasText: "code_of_a_newer_host" }).waitFor()
      // A code that is not known here is the only one that is told in the host's words.
      await own.nth(1).waitFor({ state: "detached" })
      await judge(page, language, "accounts with problems")
      await context.close()
    })
  }
})
