import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture, windows } from "../support/chromium.ts"
import { startConsoleHost } from "../support/consoleHost.ts"
import { goTo, ofOurs, openConversation } from "../support/consoleVisit.ts"
import { until } from "../support/hostProcess.ts"

const { linkOf, sandbox, signIn } = await startConsoleHost()

const countSent = async (text: string): Promise<number> => {
  const sent: ReadonlyArray<{ readonly text: string }> = JSON.parse(await sandbox("sent", "--json"))
  return sent.filter((one) => one.text === text).length
}

describe("a network that is broken in the console", () => {
  it("takes an answer in silence: it is being checked, then sent, and sent once", async () => {
    const { complaints, context, page } = await signIn()
    await goTo(page, "Sandbox")
    await page.getByLabel("Text").fill("Do you ship to Norway?")
    await page.getByRole("button", { name: "Write it" }).click()
    await page.getByText("Written.").waitFor()
    await page.getByRole("button", { name: "Take an answer in silence" }).click()
    await page.getByText("What is written is seen after 10 seconds.").waitFor()
    await page.locator("li").filter({ hasText: "Answers to comments (reply)" }).waitFor()
    await assertAccessible(page, "a network that will be silent")
    await keepPicture(page, "sandbox silent")
    await goTo(page, "Inbox")
    await openConversation(page, "Do you ship to Norway?")
    const field = page.getByRole("textbox", { name: /answer/i })
    await field.fill("We do, every day.")
    await field.press("Control+Enter")
    const checking = page.locator("article").getByText(/^Being checked/)
    await checking.waitFor()
    await assertAccessible(page, "an answer that is being checked")
    await keepPicture(page, "inbox being checked")
    assert.strictEqual(await countSent("We do, every day."), 1)
    await checking.waitFor({ state: "detached", timeout: 60_000 })
    await page.locator("article").filter({ hasText: "We do, every day." }).filter({ hasText: "· Sent" }).waitFor()
    assert.strictEqual(await countSent("We do, every day."), 1)
    await goTo(page, "Sandbox")
    await page.getByRole("button", { name: "Mend it all" }).click()
    await page.getByText("Nothing is broken.").waitFor()
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("keeps what is typed where a link to the console is opened over it, and tells each page's requests as curl", async () => {
    const { complaints, context, page } = await signIn()
    await goTo(page, "Sandbox")
    await page.getByLabel("Text").fill("Typed before the link")
    await page.goto(await linkOf())
    await page.getByRole("navigation").waitFor()
    await goTo(page, "Sandbox")
    assert.strictEqual(await page.getByLabel("Text").inputValue(), "Typed before the link")
    await page.getByRole("button", { name: "Write it" }).click()
    await page.getByText("Written.").waitFor()
    // The lists are read anew before that.
    await until("an empty field", async () => (await page.getByLabel("Text").inputValue()) === "" || undefined)
    for (const [name, command] of [
      ["Sandbox", "/sandbox/comment'"],
      ["Activity", "/metrics'"],
      ["Webhooks", "/v1/webhook-endpoints?"],
      ["Media", "/v1/media/gif-conversions?"],
      ["Posts", "/v1/posts?"],
      ["Accounts", "/v1/accounts?"],
      ["Inbox", "/v1/inbox/threads?"]
    ] as const) {
      if (name !== "Sandbox") await goTo(page, name)
      await page.getByRole("button", { name: "As curl" }).click()
      const sent = page.locator("loopbox-dialog pre")
      await sent.filter({ hasText: command }).first().waitFor()
      const isOfApi = command.startsWith("/v1/")
      const text = (await sent.allInnerTexts()).find((one) => one.includes(command)) ?? ""
      assert.strictEqual(text.includes("$LOOPBOX_API_KEY"), isOfApi, text)
      await page.keyboard.press("Escape")
    }
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("fails as it was chosen: how, where, for whom, how often", async () => {
    const { complaints, context, page } = await signIn({ viewport: windows.telephone, colorScheme: "dark" })
    await goTo(page, "Sandbox")
    await page.getByRole("tab", { name: "Facebook" }).click()
    await page.getByLabel("What goes wrong").selectOption("rate_limit")
    await page.getByLabel("At which requests").selectOption("reply")
    await page.getByLabel("For which account").selectOption({ index: 1 })
    await page.getByLabel("How many requests").fill("")
    await page.getByLabel("Of a hundred").fill("40")
    await page.getByRole("button", { name: "Break it" }).click()
    const line = page.locator(".set li").first()
    await line.waitFor()
    assert.match(await line.innerText(), /Too many requests.*reply.*Demo Shop.*40 of 100.*until it is mended/s)
    await assertAccessible(page, "a chosen fault")
    await assertFits(page, "the sandbox on a telephone")
    await keepPicture(page, "sandbox fault")
    await page.getByRole("button", { name: "Mend it all" }).click()
    await page.getByText("Nothing is broken.").waitFor()
    await page.getByRole("button", { name: "Let ten people write" }).click()
    await page.getByText("Thanks, that was quick!").first().waitFor()
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("takes an account's access away, and the console says so and what helps", async () => {
    const { complaints, context, page } = await signIn()
    await goTo(page, "Sandbox")
    await page.getByRole("tab", { name: "Threads" }).click()
    await page.getByRole("button", { name: "App removed" }).first().click()
    await page.getByText("Access was taken away").first().waitFor()
    await keepPicture(page, "sandbox access")
    await page.getByRole("link", { name: "See what the console says of it." }).click()
    const account = page.locator("li.account").filter({ hasText: "Threads" }).first()
    await account.getByRole("button", { name: "Check now" }).click()
    await account.getByRole("button", { name: "Connect again" }).waitFor({ timeout: 30_000 })
    await assertAccessible(page, "an account whose access was taken away")
    await keepPicture(page, "accounts revoked")
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })
})

describe("what is on a network in the console", () => {
  it("is edited where it stands, however much comes in meanwhile", async () => {
    const { context, page } = await signIn()
    await sandbox("comment", "--network", "instagram", "Is it to be edited?")
    await goTo(page, "Sandbox")
    const item = page.locator("li").filter({ hasText: "Is it to be edited?" })
    await item.getByRole("button", { name: "Edit" }).click()
    const field = page.locator("input[id^=edit-]")
    await field.focus()
    await page.keyboard.press("End")
    await page.keyboard.type(" Yes,")
    await sandbox("comment", "--network", "instagram", "Another one comes in")
    await page.getByText("Another one comes in").first().waitFor()
    await page.keyboard.type(" it is.")
    assert.strictEqual(await field.inputValue(), "Is it to be edited? Yes, it is.")
    await context.close()
  })
})
