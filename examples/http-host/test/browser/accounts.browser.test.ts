import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture, windows } from "../support/chromium.ts"
import { startConsoleHost } from "../support/consoleHost.ts"
import { goTo, ofOurs } from "../support/consoleVisit.ts"

const { host, signIn } = await startConsoleHost()

/** The network's own pages are none of ours. */
const ofTheHost = (complaints: ReadonlyArray<string>) =>
  ofOurs(complaints).filter((line) => !line.includes("(http") || line.includes(`(${host.url}/`))

/** Leaves for the dialog of Threads, in the name of a managed user or of the workspace. */
const leave = async (page: Page, owner: string): Promise<void> => {
  await goTo(page, "Accounts")
  await page.getByRole("button", { name: "Connect an account" }).click()
  await page.getByLabel("For which managed user").fill(owner)
  await assertAccessible(page, "connecting for a managed user")
  await keepPicture(page, "accounts connecting")
  await page
    .locator("loopbox-accounts")
    .getByRole("button", { name: /\bThreads$/ })
    .click()
  await page.waitForURL((url) => url.origin !== new URL(host.url).origin)
}

const backAtConsole = (page: Page): Promise<void> =>
  page.waitForURL((url) => url.href.startsWith(host.url) && url.pathname === "/console/accounts")

describe("accounts in the console", () => {
  it("are connected for a managed user, said to be, and grouped by owner", async () => {
    const { complaints, context, page } = await signIn()
    await leave(page, "customer_17")
    await page.getByRole("navigation").getByRole("link").first().click()
    await page.getByRole("button", { name: "Allow" }).click()
    await backAtConsole(page)
    await page.getByText("The account is connected.").waitFor()
    await page.waitForFunction(() => location.search === "")
    const group = page.locator("section.group").filter({ hasText: "customer_17" })
    await group.locator("li.account").first().waitFor()
    assert.isAtLeast(await page.locator("section.group").count(), 2)
    await page
      .getByText(/Last webhook|No webhook yet/)
      .first()
      .waitFor()
    await assertAccessible(page, "accounts by managed user")
    await keepPicture(page, "accounts grouped")
    await page.reload()
    await group.first().waitFor()
    assert.strictEqual(await page.getByText("The account is connected.").count(), 0)
    assert.deepStrictEqual(ofTheHost(complaints), [])
    await context.close()
  })

  it("are not connected where the person says no, in words", async () => {
    const { complaints, context, page } = await signIn({
      viewport: windows.telephone,
      colorScheme: "dark",
      locale: "en-GB"
    })
    await leave(page, "")
    await page.getByRole("button", { name: "Cancel" }).click()
    await backAtConsole(page)
    await page.getByRole("alert").filter({ hasText: "the person said no at the network" }).waitFor()
    await assertAccessible(page, "a person who said no")
    await assertFits(page, "accounts on a telephone")
    await keepPicture(page, "accounts refused")
    assert.deepStrictEqual(ofTheHost(complaints), [])
    await context.close()
  })
})
