import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture, openPage, startChromium, windows } from "../support/chromium.ts"
import { type HostProcess, startHost, until } from "../support/hostProcess.ts"
import { makeCustomer } from "../support/personBrowser.ts"
import { preparedFolder } from "../support/preparedFolder.ts"

const places = await preparedFolder()
const host: HostProcess = await startHost(places.folder)
const browser: Browser = await startChromium()
afterAll(async () => {
  await browser.close()
  await host.stop()
  places.remove()
})
const key = readFileSync(join(places.folder, ".loopbox", "demo-key"), "utf8").trim()
const customer = makeCustomer(host.url, key, new Set())

/** The simulated networks' own pages have no icon, and are none of ours. */
const ofOurs = (complaints: ReadonlyArray<string>) =>
  complaints.filter((line) => !line.includes("(http") || line.includes(`(${host.url}/`))

const isOurs = (page: Page) => page.url().startsWith(host.url)

/** Goes through the network's dialog and our pages, by what stands on them, until the session's last page. */
const connect = async (page: Page, sessionUrl: string, what: string): Promise<void> => {
  await page.goto(sessionUrl)
  await page.getByRole("navigation").getByRole("link").first().click()
  await page.getByRole("button", { name: "Allow" }).click()
  await page.waitForURL((url) => url.href.startsWith(host.url))
  const choices = page.locator("input[name=account]:not([disabled])")
  if ((await choices.count()) > 0) {
    await assertAccessible(page, `${what}: choosing`)
    await assertFits(page, `${what}: choosing`)
    await keepPicture(page, `${what} choosing`)
    await choices.first().check()
    await page.locator("form button").first().click()
    await page.waitForLoadState()
  }
  assert.isTrue(isOurs(page))
  await assertAccessible(page, `${what}: done`)
  await assertFits(page, `${what}: done`)
  await keepPicture(page, `${what} done`)
}

describe("a customer connects an account in a browser", () => {
  for (const [network, scheme, locale] of [
    ["instagram", "light", "en-GB"],
    ["facebook", "dark", "de-DE"],
    ["threads", "light", "de-DE"],
    ["x", "dark", "en-GB"]
  ] as const) {
    it(`at ${network}, on a telephone, ${scheme}, ${locale}`, async () => {
      const session = await customer.make(network)
      const { complaints, context, page } = await openPage(browser, {
        viewport: windows.telephone,
        colorScheme: scheme,
        locale
      })
      await connect(page, session.url, `connect ${network}`)
      const ended = await until("the session's end", async () => {
        const now = await customer.read(session.id)
        return now.status === "completed" ? now : undefined
      })
      assert.isAbove(ended.accounts.length, 0)
      assert.strictEqual(await page.locator("html").getAttribute("lang"), locale.slice(0, 2))
      assert.deepStrictEqual(ofOurs(complaints), [])
      await context.close()
    })
  }

  it("and says what to do where the person refuses", async () => {
    const session = await customer.make("x")
    const { complaints, context, page } = await openPage(browser, { viewport: windows.telephone, locale: "en-GB" })
    await page.goto(session.url)
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.waitForURL((url) => url.href.startsWith(host.url))
    await assertAccessible(page, "refused")
    await keepPicture(page, "connect refused")
    assert.include(await page.locator("body").innerText(), session.id)
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })
})
