import { assert } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, describe, it } from "vitest"
import { request } from "../support/apiClient.ts"
import { assertAccessible, assertFits, keepPicture, openPage, startChromium, windows } from "../support/chromium.ts"
import { openConversation } from "../support/consoleVisit.ts"
import { type HostProcess, startHost, until } from "../support/hostProcess.ts"
import { preparedFolder } from "../support/preparedFolder.ts"
import { receiver } from "../support/receiver.ts"
import { runCli } from "../support/runCli.ts"

const places = await preparedFolder()
const data = join(places.folder, ".loopbox")
let host: HostProcess = await startHost(places.folder, { LOOPBOX_WEBHOOKS_PRIVATE: "on" })
const browser: Browser = await startChromium()

/** An address of a customer's. */
const hooks = await receiver("thanks")

afterAll(async () => {
  await browser.close()
  hooks.close()
  await host.stop()
  places.remove()
})

const linkOf = async (): Promise<string> => {
  const { output } = await runCli(["console"], places.folder, { LOOPBOX_DATA: data })
  return /http\S+#[\w-]+/.exec(output)?.[0] ?? assert.fail(output)
}

/** The people of the sandbox have pictures at names that do not resolve; letters stand in for them. */
const ofOurs = (complaints: ReadonlyArray<string>) =>
  complaints.filter((line) => !line.includes("ERR_NAME_NOT_RESOLVED"))

const go = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("navigation").getByRole("link", { name }).click()
  await page.waitForFunction((title) => document.title.startsWith(title), name)
}

const signIn = async (options: Parameters<typeof openPage>[1] = {}) => {
  const opened = await openPage(browser, { locale: "en-GB", ...options })
  await opened.page.goto(await linkOf())
  await opened.page.getByRole("navigation").waitFor()
  return opened
}

const key = readFileSync(join(data, "demo-key"), "utf8").trim()

/** The texts of the answers that simulated networks have. */
const sentTexts = async (): Promise<ReadonlyArray<string>> => {
  const { output } = await runCli(["sandbox", "sent", "--json"], places.folder, { LOOPBOX_DATA: data })
  const sent: ReadonlyArray<{ readonly text: string }> = JSON.parse(output)
  return sent.map(({ text }) => text)
}

/** A person comments; the item's text is found in the list of conversations. */
const comment = async (text: string): Promise<void> => {
  const written = await runCli(["sandbox", "comment", "--network", "instagram", text], places.folder, {
    LOOPBOX_DATA: data
  })
  assert.strictEqual(written.code, 0, written.output)
}

const answerIn = async (page: Page, text: string): Promise<void> => {
  const field = page.getByRole("textbox", { name: /answer/i })
  await field.fill(text)
  await field.press("Control+Enter")
}

describe("the console in a browser", () => {
  it("signs in by the link once, and shows what happens while one looks", async () => {
    const { complaints, context, page } = await signIn()
    assert.strictEqual(new URL(page.url()).hash, "")
    await assertAccessible(page, "inbox")
    await comment("Do you have it in green?")
    await openConversation(page, "Do you have it in green?")
    await answerIn(page, "Yes, from Monday on.")
    await until("the answer at the network", async () =>
      (await sentTexts()).includes("Yes, from Monday on.") ? true : undefined
    )
    await assertAccessible(page, "an open conversation")
    await keepPicture(page, "inbox")
    await page.getByRole("button", { name: "Resolve" }).click()
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("says of an answer whose outcome is unknown that it is looked for, and sends it once", async () => {
    const { complaints, context, page } = await signIn()
    await comment("And in blue?")
    await openConversation(page, "And in blue?")
    const broken = await runCli(
      ["sandbox", "fault", "set", "hang_after", "--network", "instagram", "--endpoint", "reply", "--times", "1"],
      places.folder,
      { LOOPBOX_DATA: data }
    )
    assert.strictEqual(broken.code, 0, broken.output)
    await answerIn(page, "In blue, too.")
    await page.getByText("In blue, too.").first().waitFor()
    await until("the answer at the network", async () =>
      (await sentTexts()).includes("In blue, too.") ? true : undefined
    )
    assert.strictEqual((await sentTexts()).filter((text) => text === "In blue, too.").length, 1)
    await assertAccessible(page, "an answer that is looked for")
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("goes on where it was when the host is killed and comes back", async () => {
    const { context, page } = await signIn()
    await comment("Before the fall")
    const before = page.getByRole("listitem").filter({ hasText: "Before the fall" })
    await openConversation(page, "Before the fall")
    await page.getByRole("textbox", { name: /answer/i }).fill("A half-written answer")
    // In the list of conversations, and in the open one.
    await until("both", async () => ((await before.count()) === 2 ? true : undefined))
    const { port } = new URL(host.url)
    await host.stop("SIGKILL")
    await page.getByText("The connection is lost.").waitFor()
    await assertAccessible(page, "a lost connection")
    host = await startHost(places.folder, { LOOPBOX_WEBHOOKS_PRIVATE: "on" }, ["--port", port])
    await comment("After the fall")
    await page.getByRole("listitem").filter({ hasText: "After the fall" }).first().waitFor({ timeout: 60_000 })
    assert.strictEqual(await page.getByRole("textbox", { name: /answer/i }).inputValue(), "A half-written answer")
    assert.strictEqual(await before.count(), 2)
    await context.close()
  })

  it("turns a dropped GIF into a video that plays", async () => {
    const { complaints, context, page } = await signIn()
    await go(page, "Media")
    const gif = join(places.folder, "demo.gif")
    execFileSync(process.execPath, [fileURLToPath(new URL("../../../../scripts/makeGif.mjs", import.meta.url)), gif])
    // As a file manager's hand does it, which no input is told of.
    const dropped = await page.evaluateHandle(
      (base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        const transfer = new DataTransfer()
        transfer.items.add(new File([bytes], "demo.gif", { type: "image/gif" }))
        return transfer
      },
      readFileSync(gif, "base64")
    )
    await page.locator("loopbox-console-media .drop").dispatchEvent("drop", { dataTransfer: dropped })
    await page.locator("[data-status=succeeded] video").first().waitFor({ timeout: 60_000 })
    const seconds = await page
      .locator("video")
      .first()
      .evaluate(async (video: HTMLVideoElement) => {
        await video.play()
        await new Promise((resolve) => video.addEventListener("timeupdate", resolve, { once: true }))
        return video.duration
      })
    assert.isAbove(seconds, 1)
    await assertAccessible(page, "media")
    await keepPicture(page, "media")
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("publishes that video, and answers what somebody writes under it", async () => {
    const { complaints, context, page } = await signIn()
    await go(page, "Posts")
    await page.getByLabel("Text", { exact: true }).fill("The video is here")
    const video = page.locator("#media option").filter({ hasText: "video/mp4" }).first()
    await video.waitFor({ state: "attached" })
    await page.getByLabel("Media", { exact: true }).selectOption((await video.getAttribute("value")) ?? assert.fail())
    await page
      .getByRole("checkbox", { name: /@demo\.shop/ })
      .last()
      .check()
    await page.getByText("It fits all of them.").waitFor()
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    const post = page.locator("li.post").filter({ hasText: "The video is here" })
    await post.getByRole("button", { name: "Answers" }).click({ timeout: 60_000 })
    await post.getByText("Nobody has answered yet").waitFor()
    const { output } = await runCli(["sandbox", "sent", "--json"], places.folder, { LOOPBOX_DATA: data })
    const sent: ReadonlyArray<{ readonly id: string; readonly text: string; readonly network: string }> =
      JSON.parse(output)
    const { id, network } = sent.find(({ text }) => text === "The video is here") ?? assert.fail(output)
    const written = await runCli(
      ["sandbox", "comment", "--network", network, "--post", id, "How did you make it?"],
      places.folder,
      { LOOPBOX_DATA: data }
    )
    assert.strictEqual(written.code, 0, written.output)
    await post.getByRole("link", { name: /How did you make it\?/ }).click()
    await page.locator("article").filter({ hasText: "How did you make it?" }).waitFor()
    await answerIn(page, "Out of a GIF.")
    await until("the answer at the network", async () =>
      (await sentTexts()).includes("Out of a GIF.") ? true : undefined
    )
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("publishes a post to two networks, and says while one writes what does not fit", async () => {
    const { complaints, context, page } = await signIn()
    await go(page, "Posts")
    await page.getByLabel("Text", { exact: true }).fill("x".repeat(600))
    await page
      .getByRole("checkbox", { name: /Threads/ })
      .first()
      .check()
    await page.getByRole("alert").filter({ hasText: "Threads" }).first().waitFor()
    await assertAccessible(page, "a post that is too long")
    await page.getByLabel("Text", { exact: true }).fill("New colours from Monday on")
    await page
      .getByRole("checkbox", { name: /Facebook/ })
      .first()
      .check()
    await page.getByText("It fits all of them.").waitFor()
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    const post = page.locator("li.post").filter({ hasText: "New colours from Monday on" })
    await post.and(page.locator('[data-status="published"]')).waitFor({ timeout: 60_000 })
    assert.isAtLeast(await page.getByRole("link", { name: "Open on the network" }).count(), 1)
    assert.include(await sentTexts(), "New colours from Monday on")
    await assertAccessible(page, "a published post")
    await keepPicture(page, "posts")
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("adds an address for webhooks, shows the delivery, and sends it again", async () => {
    const { complaints, context, page } = await signIn()
    await go(page, "Webhooks")
    await page.getByRole("button", { name: "Add an address" }).waitFor()
    await assertAccessible(page, "no address yet")
    await page.getByRole("button", { name: "Add an address" }).click()
    await page.getByLabel("Address", { exact: true }).fill("ftp://nowhere")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByRole("alert").first().waitFor()
    assert.strictEqual(await page.getByLabel("Address", { exact: true }).inputValue(), "ftp://nowhere")
    await page.getByLabel("Address", { exact: true }).fill(hooks.url(200))
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByText(/^whsec_/).waitFor()
    await assertAccessible(page, "the secret")
    await page.getByRole("button", { name: "I have kept it" }).click()
    await page.getByRole("button", { name: hooks.url(200) }).click()
    await page.getByRole("button", { name: "Send an example" }).click()
    await page.getByText("Delivered").first().waitFor()
    await page
      .getByRole("button", { name: /inbox\.new_item/ })
      .first()
      .click()
    await page.getByText("thanks").first().waitFor()
    await assertAccessible(page, "a delivery")
    await page.getByRole("button", { name: "Send again" }).click()
    await until("the second delivery", () => (hooks.received.length >= 2 ? true : undefined))
    // An example says nothing of the address; this one did. Read anew with the delivery, and not by loading the page.
    await page
      .getByText(/Last success (now|\d+ seconds? ago)/)
      .first()
      .waitFor()
    assert.isTrue(hooks.received.every(({ headers }) => String(headers["webhook-signature"]).startsWith("v1,")))
    assert.deepStrictEqual(
      ofOurs(complaints).filter((line) => !line.includes(" 400 ") && !line.includes(" 422 ")),
      []
    )
    await context.close()
  })

  it("connects an account by a click, through the network's dialog and back", async () => {
    const { context, page } = await signIn()
    await go(page, "Accounts")
    await page.getByRole("button", { name: "Connect an account" }).click()
    await page.locator("loopbox-accounts").getByRole("button", { name: /\bX$/ }).click()
    // The console has a navigation, too: until the network's page is there.
    await page.waitForURL((url) => url.origin !== new URL(host.url).origin)
    await page.getByRole("navigation").getByRole("link").first().click()
    await page.getByRole("button", { name: "Allow" }).click()
    await page.waitForURL((url) => url.pathname.startsWith("/console/accounts"))
    await page.getByRole("navigation").waitFor()
    const listed = await request(`${host.url}/v1/accounts?network=x`, { token: key })
    const { data: accounts }: { readonly data: ReadonlyArray<unknown> } = JSON.parse(listed.text)
    assert.isAtLeast(accounts.length, 2)
    await context.close()
  })

  for (const [name, scheme, locale, window] of [
    ["desk", "light", "en-GB", windows.desk],
    ["tablet", "dark", "en-GB", windows.tablet],
    ["telephone", "dark", "de-DE", windows.telephone]
  ] as const) {
    it(`has every page fit and accessible at the size of a ${name}, ${scheme}, ${locale}`, async () => {
      const { complaints, context, page } = await signIn({ viewport: window, colorScheme: scheme, locale })
      const links = page.getByRole("navigation").getByRole("link")
      const count = await links.count()
      assert.isAtLeast(count, 6)
      for (let at = 0; at < count; at++) {
        await links.nth(at).click()
        // Until nothing is on its way any more.
        await page.waitForFunction(() => document.title !== "")
        await page.locator(".loading-state").first().waitFor({ state: "detached" })
        const title = await page.title()
        await assertAccessible(page, title)
        await assertFits(page, title)
        // Each page scrolls within itself, below the navigation.
        const tooHigh = await page.evaluate(
          () => document.documentElement.scrollHeight - document.documentElement.clientHeight
        )
        assert.strictEqual(tooHigh, 0, `${title} is higher than its window`)
        const link = await links.nth(at).boundingBox()
        assert.isAtMost((link?.x ?? 0) + (link?.width ?? 0), window.width, `the way to ${title} is not seen`)
        await keepPicture(page, `${name} ${title}`)
      }
      assert.deepStrictEqual(ofOurs(complaints), [])
      await context.close()
    })
  }

  it("keeps what was typed when the session ends, and goes on after signing in", async () => {
    const { context, page } = await signIn()
    await go(page, "Sandbox")
    await page.getByLabel("Text").fill("typed before the end")
    // The page looks at the network every few seconds, and hears of it.
    await context.clearCookies()
    const dialog = page.getByRole("dialog", { name: "Your session has ended" })
    await dialog.waitFor()
    await assertAccessible(page, "a session that has ended")
    await page.getByLabel("Admin token").fill(readFileSync(join(data, "admin-token"), "utf8").trim())
    await page.getByRole("button", { name: "Sign in" }).click()
    await dialog.waitFor({ state: "hidden" })
    assert.strictEqual(await page.getByLabel("Text").inputValue(), "typed before the end")
    await context.close()
  })

  it("shows what people wrote as text, whatever it is", async () => {
    const { complaints, context, page } = await signIn()
    const nasty = `<img src=x onerror="window.taken=1"><script>window.taken=1</script> javascript:alert(1) ‮gnihtemos`
    await comment(nasty)
    await openConversation(page, "<img src=x")
    await page.getByText("javascript:alert(1)").first().waitFor()
    assert.isFalse(await page.evaluate(() => "taken" in window))
    assert.strictEqual(await page.locator('a[href^="javascript:"]').count(), 0)
    assert.deepStrictEqual(ofOurs(complaints), [])
    await context.close()
  })

  it("is closed to whoever has no link: a used one, a guessed one", async () => {
    const link = await linkOf()
    const contexts: Array<BrowserContext> = []
    for (const [address, isIn] of [
      [link, true],
      [link, false],
      [`${host.url}/console#${"a".repeat(43)}`, false]
    ] as const) {
      const { context, page } = await openPage(browser, { locale: "en-GB" })
      contexts.push(context)
      await page.goto(address)
      if (isIn) await page.getByRole("navigation").waitFor()
      else {
        await page.getByLabel("Admin token").waitFor()
        await assertAccessible(page, "signing in")
        assert.strictEqual(await page.getByRole("navigation").count(), 0)
      }
    }
    for (const context of contexts) await context.close()
  })
})
