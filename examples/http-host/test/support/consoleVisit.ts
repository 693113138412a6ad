import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Locator, Page } from "playwright-core"
import { openPage } from "./chromium.ts"
import { until } from "./hostProcess.ts"
import { runCli } from "./runCli.ts"

/** The people of the sandbox have pictures at names that do not resolve; letters stand in for them. */
export const ofOurs = (complaints: ReadonlyArray<string>) =>
  complaints.filter((line) => !line.includes("ERR_NAME_NOT_RESOLVED"))

/** Goes to a page of the console by its navigation. */
export const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("navigation").getByRole("link", { name }).click()
  await page.waitForFunction((title) => document.title.startsWith(title), name)
}

/**
 * Clicks a row of a list until what it opens is there. People of the sandbox write meanwhile, so that the row may move away
 * under the click and its neighbour opens; where one pane has room, that one stands in the place of the list.
 */
export const clickUntil = async (row: Locator, opened: Locator): Promise<void> => {
  const back = row.page().locator("loopbox-inbox .back button").first()
  await until("what a row opens", async () => {
    if (await back.isVisible()) await back.click()
    // Short, because a row that is not drawn now may be after the next look.
    const isClicked = await row.click({ timeout: 5_000 }).then(
      () => true,
      () => false
    )
    if (!isClicked) return undefined
    return opened.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => undefined
    )
  })
}

/** Opens the conversation of an inbox that ends with these words. */
export const openConversation = (inbox: Page | Locator, words: string): Promise<void> =>
  clickUntil(
    inbox.locator("[data-thread]").filter({ hasText: words }).first(),
    inbox.locator("article").filter({ hasText: words }).first()
  )

/** Ends the session of a page's browser at the host, just before the first of such requests is answered. */
export const endSessionAt = (page: Page, request: Parameters<Page["route"]>[0]): Promise<unknown> =>
  page.route(
    request,
    async (route) => {
      const { origin } = new URL(page.url())
      const ended = await page.request.delete(`${origin}/console/session`, { headers: { origin } })
      assert.isTrue(ended.ok(), await ended.text())
      await route.continue()
    },
    { times: 1 }
  )

/** Visits to the console of a host whose folder it is, and what its networks do. */
export const makeVisits = (browser: Browser, folder: string) => {
  const visit = (options: Parameters<typeof openPage>[1] = {}) => openPage(browser, { locale: "en-GB", ...options })
  const settings = { LOOPBOX_DATA: join(folder, ".loopbox") }
  const sandbox = async (...args: ReadonlyArray<string>): Promise<string> => {
    const { code, output } = await runCli(["sandbox", ...args], folder, settings)
    assert.strictEqual(code, 0, output)
    return output
  }
  const linkOf = async (): Promise<string> => {
    const { output } = await runCli(["console"], folder, settings)
    return /http\S+#[\w-]+/.exec(output)?.[0] ?? assert.fail(output)
  }
  const signIn = async (options: Parameters<typeof openPage>[1] = {}) => {
    const opened = await visit(options)
    await opened.page.goto(await linkOf())
    await opened.page.getByRole("navigation").waitFor()
    return opened
  }
  /** Signs in by the dialog that stands over a page whose session has ended. */
  const signInAgain = async (page: Page): Promise<void> => {
    const token = readFileSync(join(settings.LOOPBOX_DATA, "admin-token"), "utf8").trim()
    // What stands in the dialog is a child of its element, and not of what is shown around it.
    const form = page.locator("loopbox-dialog form.sign-in")
    await form.locator("input[type=password]").fill(token)
    await form.locator("button[type=submit]").click()
    await page.getByRole("dialog").waitFor({ state: "hidden" })
  }
  return { linkOf, sandbox, signIn, signInAgain, visit }
}
