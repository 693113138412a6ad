import { assert } from "@effect/vitest"
import type { Locator, Page, WebSocketRoute } from "playwright-core"
import { describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture, windows } from "../support/chromium.ts"
import { startConsoleHost } from "../support/consoleHost.ts"
import { goTo, ofOurs, openConversation } from "../support/consoleVisit.ts"
import { until } from "../support/hostProcess.ts"
import { refuseWith } from "../support/rewriting.ts"

const { sandbox, signIn } = await startConsoleHost()

const answerField = (page: Page): Locator => page.getByRole("textbox", { name: "Your answer" })

/** What a screen reader is told, one line after the other. */
const toldTo = async (page: Page): Promise<() => Promise<ReadonlyArray<string>>> => {
  await page.locator("loopbox-inbox [role=status].visually-hidden").evaluate((line) => {
    const told: Array<string> = []
    new MutationObserver(() => told.push(line.textContent ?? "")).observe(line, { childList: true, subtree: true })
    Object.assign(window, { told })
  })
  return async () => JSON.parse(await page.evaluate(() => JSON.stringify(Reflect.get(window, "told"))))
}

describe("an answer", () => {
  it("is said to be sent, and stands in the conversation as that", async () => {
    const { complaints, context, page } = await signIn()
    await sandbox("comment", "--network", "facebook", "--from", "Zoë", "Is it sent?")
    await openConversation(page, "Is it sent?")
    const told = await toldTo(page)
    await answerField(page).fill("It is")
    await answerField(page).press("Meta+Enter")
    await page.locator("article").filter({ hasText: "It is" }).filter({ hasText: "· Sent" }).waitFor()
    assert.includeMembers(
      (await told()).map((line) => line.trim()),
      ["Sending…", "Sent"]
    )
    await assertAccessible(page, "an answer that was sent")
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("that is half written for one person stays for that person alone, over a reload and another conversation", async () => {
    const { context, page } = await signIn({ viewport: windows.telephone })
    await sandbox("comment", "--network", "instagram", "--from", "Ümit", "My order, please")
    await openConversation(page, "My order, please")
    // On a telephone a message shows what can be done with it once it is tapped.
    await page.locator("article").filter({ hasText: "My order, please" }).click()
    await page.getByRole("button", { name: "Answer in private" }).last().click()
    await answerField(page).fill("Your code is 1234")
    await page.reload()
    await page.getByText("A private message to").waitFor()
    assert.strictEqual(await answerField(page).inputValue(), "Your code is 1234")
    await page.getByRole("button", { name: "Back to the conversations" }).click()
    await openConversation(page, "My order, please")
    await page.getByText("A private message to").waitFor()
    await context.close()
  })

  it("stays what it is while another tab writes a note", async () => {
    const { context, page } = await signIn()
    await sandbox("comment", "--network", "facebook", "--from", "Two", "In two tabs")
    await openConversation(page, "In two tabs")
    const other = await context.newPage()
    await other.goto(page.url())
    await answerField(other).waitFor()
    await answerField(page).fill("Written in the first")
    await other.getByRole("button", { name: "Note", exact: true }).click()
    await other.getByRole("textbox", { name: "Note" }).fill("Noted in the second")
    await page.reload()
    await answerField(page).waitFor()
    assert.strictEqual(await answerField(page).inputValue(), "Written in the first")
    await page.getByRole("button", { name: "Note", exact: true }).click()
    assert.strictEqual(await page.getByRole("textbox", { name: "Note" }).inputValue(), "Noted in the second")
    await context.close()
  })

  it("whose account dies meanwhile is still seen, with the focus in it, and goes on once that is connected again", async () => {
    const { complaints, context, page } = await signIn()
    await sandbox("comment", "--network", "instagram", "--from", "Nora", "Before it dies")
    await openConversation(page, "Before it dies")
    const words = "Half of an answer"
    await answerField(page).fill(words)
    const elsewhere = await context.newPage()
    await elsewhere.goto(page.url())
    await goTo(elsewhere, "Sandbox")
    await elsewhere.getByRole("button", { name: "App removed" }).first().click()
    await elsewhere.getByText("Access was taken away").first().waitFor()
    await goTo(elsewhere, "Accounts")
    await elsewhere
      .locator("li.account")
      .filter({ hasText: "Instagram" })
      .getByRole("button", { name: "Check now" })
      .click()
    await page.getByText("has to be connected again").waitFor()
    assert.strictEqual(await answerField(page).inputValue(), words)
    assert.isTrue(await answerField(page).evaluate((field) => field.matches(":focus")))
    assert.isTrue(await page.getByRole("button", { name: "Send", exact: true }).isDisabled())
    await answerField(page).press("Control+Enter")
    assert.strictEqual(await page.locator("article[data-state]").count(), 0)
    await assertAccessible(page, "an account that died while one writes")
    await assertFits(page, "an account that died while one writes")
    await keepPicture(page, "answer account died")
    await page.getByRole("button", { name: "Connect again" }).click()
    const onward = page.getByRole("link", { name: "Continue at the network" })
    await onward.waitFor()
    assert.isTrue(await onward.evaluate((link) => link.matches(":focus")))
    const [network] = await Promise.all([context.waitForEvent("page"), onward.click()])
    await network.getByRole("link", { name: /Demo Shop/ }).click()
    await network.getByRole("button", { name: "Allow" }).click()
    await network.getByText("is connected").waitFor()
    await page.getByText("has to be connected again").waitFor({ state: "detached" })
    assert.strictEqual(await answerField(page).inputValue(), words)
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })
})

describe("the inbox", () => {
  it("lets single keys be turned off, and on again by who has none", async () => {
    const { context, page } = await signIn()
    const row = page.locator("[data-thread]").first()
    await row.focus()
    await page.keyboard.press("?")
    await page.getByRole("checkbox", { name: "Use single keys" }).uncheck()
    await page.keyboard.press("Escape")
    await row.focus()
    await page.keyboard.press("?")
    await page.keyboard.press("/")
    assert.isFalse(await page.getByRole("searchbox").evaluate((field) => field.matches(":focus")))
    assert.isFalse(await page.getByRole("dialog").isVisible())
    await page.getByRole("button", { name: "Keys" }).press("Enter")
    await page.getByRole("checkbox", { name: "Use single keys" }).check()
    await page.keyboard.press("Escape")
    await row.focus()
    await page.keyboard.press("/")
    assert.isTrue(await page.getByRole("searchbox").evaluate((field) => field.matches(":focus")))
    await context.close()
  })

  it("goes on with the focus where what had it is gone", async () => {
    const { context, page } = await signIn()
    await sandbox("comment", "--network", "facebook", "--from", "Gone", "To be deleted")
    await openConversation(page, "To be deleted")
    const message = page.locator("article").filter({ hasText: "To be deleted" })
    await message.getByRole("button", { name: "Delete on the network" }).press("Enter")
    await page.getByRole("button", { name: "Delete", exact: true }).press("Enter")
    await message.waitFor({ state: "detached" })
    await until("the focus", async () => {
      const isThere = await page
        .getByRole("region", { name: "Messages" })
        .evaluate((region) => region.matches(":focus"))
      return isThere ? true : undefined
    })
    await context.close()
  })

  it("cuts names and words at their own end where the page reads from right to left", async () => {
    const { context, page } = await signIn({ viewport: windows.telephone })
    const name = "Maximiliane von und zu Langenfeld-Hohenstein the Second"
    await sandbox("comment", "--network", "facebook", "--from", name, "The first word, ".repeat(9))
    await page.evaluate(() => (document.documentElement.dir = "rtl"))
    const row = page.locator("[data-thread]").filter({ hasText: name })
    for (const [at, words] of [
      [".name", "Maxi"],
      [".preview", "The "]
    ] as const) {
      // Where its first letters would be drawn, within what is seen of it.
      const [first, seen] = await row.locator(at).evaluate((element, letters) => {
        const text = Array.from(element.childNodes).find((node) => node.textContent?.startsWith(letters))
        const range = document.createRange()
        range.setStart(text ?? element, 0)
        range.setEnd(text ?? element, text === undefined ? 0 : letters.length)
        return [range.getBoundingClientRect(), element.getBoundingClientRect()].map(({ left, right }) => ({
          left,
          right
        }))
      }, words)
      assert.isAtLeast(first?.left ?? 0, (seen?.left ?? 0) - 1, at)
      assert.isAtMost(first?.right ?? 0, seen?.right ?? 0, at)
    }
    const short = page
      .locator("[data-thread] .name")
      .filter({ hasText: /^.{1,12}$/ })
      .first()
    // While something arrives a row may be another conversation's by the time that it is measured.
    await until("a short name that stands at the page's side", () =>
      short.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return Math.abs(range.getBoundingClientRect().right - element.getBoundingClientRect().right) <= 1 || undefined
      })
    )
    await context.close()
  })

  it("keeps a label that was refused where it was typed", async () => {
    const { context, page } = await signIn()
    await sandbox("comment", "--network", "facebook", "--from", "Labels", "With a label")
    await openConversation(page, "With a label")
    await refuseWith(page, /\/labels$/, 422, "VALIDATION_ERROR", "PUT")
    await page.getByLabel("Add a label").fill("Großkunde")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").filter({ hasText: "req_of_the_test" }).waitFor()
    assert.strictEqual(await page.getByLabel("Add a label").inputValue(), "Großkunde")
    await context.close()
  })

  it("reads all anew where too much came in between, forgets what went, and says so", async () => {
    const { context, page } = await signIn()
    const written = await sandbox("comment", "--network", "facebook", "--from", "Rita", "The first of two")
    const parent = written.trim().split(/\s+/).at(-1) ?? assert.fail(written)
    const lines: Array<WebSocketRoute> = []
    let isDeaf = false
    await page.routeWebSocket(/\/inbox\/ws/, (socket) => {
      lines.push(socket)
      const server = socket.connectToServer()
      server.onMessage((message) => {
        if (isDeaf && !String(message).includes('"hello"')) return
        socket.send(message)
        // As a host says it whose events of that time are gone.
        if (isDeaf) socket.send(JSON.stringify({ type: "resync_required" }))
      })
    })
    await page.reload()
    await openConversation(page, "The first of two")
    const reply = await sandbox("comment", "--network", "facebook", "--from", "Rita", "--parent", parent, "The second")
    await page.locator("article").filter({ hasText: "The second" }).waitFor()
    await answerField(page).fill("Half written")
    isDeaf = true
    await sandbox("delete", "--network", "facebook", reply.trim().split(/\s+/).at(-1) ?? assert.fail(reply))
    await lines.at(-1)?.close({ code: 1012 })
    await page.locator(".banner").filter({ hasText: "all was read anew" }).waitFor()
    await page.locator("article").filter({ hasText: "The second" }).waitFor({ state: "detached" })
    assert.strictEqual(await answerField(page).inputValue(), "Half written")
    await context.close()
  })
})
