import { assert } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture, windows } from "../support/chromium.ts"
import { startConsoleHost } from "../support/consoleHost.ts"
import { goTo, ofOurs } from "../support/consoleVisit.ts"
import { until } from "../support/hostProcess.ts"

const { sandbox, signIn } = await startConsoleHost()

interface Sent {
  readonly id: string
  readonly text: string
}

const readSent = async (): Promise<ReadonlyArray<Sent>> => JSON.parse(await sandbox("sent", "--json"))

const textOf = (page: Page): Locator => page.getByLabel("Text", { exact: true })

const choose = (page: Page, network: RegExp): Promise<void> =>
  page.getByRole("checkbox", { name: network }).first().check()

const postWith = (page: Page, text: string): Locator => page.locator("li.post").filter({ hasText: text })

/** A time as the field takes it: some days from now, at noon. */
const noonIn = (days: number): string => {
  const at = new Date(Date.now() + days * 86_400_000)
  return `${at.toISOString().slice(0, 10)}T12:00`
}

describe("posts in the console", () => {
  it("are other words for one network, keep what was typed, and lead to what people answer", async () => {
    const { complaints, context, page } = await signIn()
    await goTo(page, "Posts")
    await textOf(page).fill("For all of you")
    await choose(page, /Threads/)
    await choose(page, /Facebook/)
    await page.getByText("14 of 500, as Threads counts").waitFor()
    await page.getByText("14 of 63,206, as Facebook counts").waitFor()
    const own = page.locator("details").filter({ hasText: "Different on Threads" })
    await own.locator("summary").click()
    await own.getByLabel("Text here").fill("For Threads only")
    await page.getByText("16 of 500, as Threads counts").waitFor()
    await own.getByLabel("First comment").fill("And a first comment")
    await goTo(page, "Inbox")
    await page.locator("loopbox-inbox").waitFor()
    await goTo(page, "Posts")
    await page.getByText("It fits all of them.").waitFor()
    assert.strictEqual(await textOf(page).inputValue(), "For all of you")
    await page.reload()
    await page.getByText("It fits all of them.").waitFor()
    assert.strictEqual(await page.getByLabel("Text here").first().inputValue(), "For Threads only")
    const [form, field] = [page.locator("form.form"), page.getByLabel("Text here").first()]
    const [outer, inner] = [await form.boundingBox(), await field.boundingBox()]
    assert.isBelow((inner?.x ?? 0) + (inner?.width ?? 0), (outer?.x ?? 0) + (outer?.width ?? 0))
    await assertAccessible(page, "a post with other words for one network")
    await keepPicture(page, "posts writing")
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    await page.locator('[data-status="published"]').first().waitFor({ timeout: 60_000 })
    assert.strictEqual(await textOf(page).inputValue(), "")
    await until("all three", async () => {
      const texts = (await readSent()).map(({ text }) => text)
      const wanted = ["For all of you", "For Threads only", "And a first comment"]
      return wanted.every((text) => texts.includes(text)) ? true : undefined
    })
    const post = postWith(page, "For all of you")
    await post.getByRole("button", { name: "Answers" }).click()
    await post.getByText("Nobody has answered yet").waitFor()
    const id = (await readSent()).find(({ text }) => text === "For all of you")?.id ?? assert.fail("no post")
    await sandbox("comment", "--network", "facebook", "--post", id, "--from", "Mara", "Which colours?")
    await post.getByRole("link", { name: /Which colours\?/ }).click()
    await page.waitForURL((url) => /^\/console\/inbox\/./.test(url.pathname))
    await page.getByRole("textbox", { name: /answer/i }).waitFor()
    await page.getByText("Which colours?").first().waitFor()
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("are kept as drafts, changed, planned, moved and canceled", async () => {
    const { complaints, context, page } = await signIn()
    await goTo(page, "Posts")
    await textOf(page).fill("A thought")
    await choose(page, /Facebook/)
    await page.getByLabel("When").selectOption("draft")
    await page.getByRole("button", { name: "Keep the draft" }).click()
    await postWith(page, "A thought").getByRole("button", { name: "Change" }).click()
    await page.getByText("You change a kept draft.").waitFor()
    await textOf(page).fill("A better thought")
    await page.getByLabel("When").selectOption("later")
    await page.getByLabel("Time", { exact: true }).fill(noonIn(2))
    await page.getByRole("button", { name: "Schedule" }).click()
    const post = postWith(page, "A better thought")
    await post.getByText("Scheduled").waitFor()
    assert.strictEqual(
      await page
        .locator("li.post")
        .filter({ hasText: /^A thought$/ })
        .count(),
      0
    )
    await post.getByRole("button", { name: "Another time" }).click()
    await post.getByRole("textbox", { name: "Time" }).fill(noonIn(5))
    await assertAccessible(page, "a post that gets another time")
    await keepPicture(page, "posts moving")
    await post.getByRole("button", { name: "Move it" }).click()
    const day = new Date(`${noonIn(5)}`).toLocaleDateString("en-GB", { day: "numeric" })
    await post.getByText(new RegExp(`for .*${day}`)).waitFor()
    await post.getByRole("button", { name: "Cancel" }).click()
    await post.getByText("Canceled", { exact: true }).waitFor()
    await post.getByRole("button", { name: "Delete", exact: true }).click()
    await post.waitFor({ state: "detached" })
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("take a file from here, follow what becomes of them, and go from the network again", async () => {
    const { complaints, context, page } = await signIn({ viewport: windows.telephone, colorScheme: "dark" })
    await goTo(page, "Posts")
    await textOf(page).fill("With a picture")
    await choose(page, /Facebook/)
    const picture = await page.screenshot({ type: "png" })
    const input = page.locator("input[type=file]")
    await input.setInputFiles({ name: "picture.png", mimeType: "image/png", buffer: picture })
    await page.getByRole("button", { name: "Without picture.png" }).waitFor()
    await page.getByText("It fits all of them.").waitFor()
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    const post = postWith(page, "With a picture")
    const removal = post.getByRole("button", { name: "Delete there" })
    await removal.waitFor({ timeout: 60_000 })
    await removal.click()
    const dialog = page.locator("loopbox-console-posts loopbox-dialog")
    await dialog.getByText(/It goes from Facebook/).waitFor()
    await assertAccessible(page, "deleting at the network")
    await assertFits(page, "posts on a telephone")
    await keepPicture(page, "posts deleting")
    await dialog.getByRole("button", { name: "Delete there" }).click()
    await post.getByText(/deleted/).waitFor()
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })
})
