import { assert } from "@effect/vitest"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { openPage } from "./chromium.ts"
import { runCli } from "./runCli.ts"

/** The people of the sandbox have pictures at names that do not resolve; letters stand in for them. */
export const ofOurs = (complaints: ReadonlyArray<string>) =>
  complaints.filter((line) => !line.includes("ERR_NAME_NOT_RESOLVED"))

/** Goes to a page of the console by its navigation. */
export const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("navigation").getByRole("link", { name }).click()
  await page.waitForFunction((title) => document.title.startsWith(title), name)
}

/** Visits to the console of a host whose folder it is, and what its networks do. */
export const makeVisits = (browser: Browser, folder: string) => {
  const settings = { LOOPBOX_DATA: join(folder, ".loopbox") }
  const sandbox = async (...args: ReadonlyArray<string>): Promise<string> => {
    const { code, output } = await runCli(["sandbox", ...args], folder, settings)
    assert.strictEqual(code, 0, output)
    return output
  }
  const signIn = async (options: Parameters<typeof openPage>[1] = {}) => {
    const opened = await openPage(browser, { locale: "en-GB", ...options })
    const { output } = await runCli(["console"], folder, settings)
    await opened.page.goto(/http\S+#[\w-]+/.exec(output)?.[0] ?? assert.fail(output))
    await opened.page.getByRole("navigation").waitFor()
    return opened
  }
  return { sandbox, signIn }
}
