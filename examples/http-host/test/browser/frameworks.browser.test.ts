import { assert } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, describe, it } from "vitest"
import { assertAccessible, judgeAccess, keepPicture, openPage, startChromium } from "../support/chromium.ts"
import { openConversation } from "../support/consoleVisit.ts"
import { addAda, startBackend } from "../support/elementsExample.ts"
import { buildFrameworkPage } from "../support/frameworkPage.ts"
import { startHost, until } from "../support/hostProcess.ts"
import { freePort } from "../support/ownServer.ts"
import { preparedFolder } from "../support/preparedFolder.ts"
import { runCli } from "../support/runCli.ts"

const places = await preparedFolder()
const data = join(places.folder, ".loopbox")
const port = await freePort()
const host = await startHost(places.folder, { LOOPBOX_CORS_ORIGINS: `http://127.0.0.1:${port}` })
const browser: Browser = await startChromium()
const workspace = await addAda(places.folder, data)
afterAll(async () => {
  await browser.close()
  await host.stop()
  places.remove()
})

/** Opens a page by the examples' backend, until `visit` has ended. */
const withPage = async (folder: string, visit: (page: Page) => Promise<void>): Promise<void> => {
  const backend = await startBackend({ page: folder, port, host, data, workspace })
  const { complaints, context, page } = await openPage(browser, { locale: "en-GB" })
  try {
    await page.goto(backend.url)
    await visit(page)
    assert.deepStrictEqual(
      complaints.filter((line) => !/ERR_NAME_NOT_RESOLVED|favicon/.test(line)),
      []
    )
  } finally {
    await context.close()
    backend.stop()
  }
}

const sandbox = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { code, output } = await runCli(["sandbox", ...args], places.folder, { LOOPBOX_DATA: data })
  assert.strictEqual(code, 0, output)
  return output
}

const rowsIn = (inbox: Locator) => inbox.getByRole("list", { name: "Conversations" }).getByRole("listitem")

/** What an inbox is for, in a page of whatever makes. */
const useInbox = async (page: Page, name: string): Promise<void> => {
  const inbox = page.locator("loopbox-inbox")
  await rowsIn(inbox).first().waitFor()
  await sandbox("comment", "--network", "instagram", `Do you ship to ${name}?`)
  const row = rowsIn(inbox).filter({ hasText: `Do you ship to ${name}?` })
  await row.first().waitFor()
  // What the element tells, the framework draws.
  await until("the heading", async () => (/\([1-9]\d*\)/.test(await page.locator("h1").innerText()) ? true : undefined))
  await openConversation(inbox, `Do you ship to ${name}?`)
  const field = inbox.getByRole("textbox", { name: /answer/i })
  await field.fill(`We do ship to ${name}.`)
  await field.press("Control+Enter")
  await until("the answer at the network", async () =>
    (await sandbox("sent", "--json")).includes(`We do ship to ${name}.`) ? true : undefined
  )
  await inbox
    .getByRole("article", { name: /.+/ })
    .filter({ hasText: `We do ship to ${name}.` })
    .waitFor()
  await assertAccessible(page, `the page in ${name}`)
  await keepPicture(page, `elements-${name}`)
}

describe("the elements in pages of frameworks", () => {
  it("React 19: an item arrives while one looks, the page hears of it, and an answer leaves", async () => {
    await withPage(buildFrameworkPage("react", host.url), (page) => useInbox(page, "React"))
  })

  it("Vue 3: an item arrives while one looks, the page hears of it, and an answer leaves", async () => {
    await withPage(buildFrameworkPage("vue", host.url), (page) => useInbox(page, "Vue"))
  })
})

describe("two inboxes on one page", () => {
  it("live side by side: each its own filter, conversation and keys, both hear what arrives", async () => {
    const folder = join(places.folder, "two")
    mkdirSync(folder)
    writeFileSync(
      join(folder, "index.html"),
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Two inboxes</title>
<link rel="stylesheet" href="/page.css"><script type="module" src="/elements/loopbox-inbox.js"></script>
<script type="module" src="/page.js"></script>
<main><h1>Two</h1><loopbox-inbox id="one" base-url="${host.url}"></loopbox-inbox>
<loopbox-inbox id="two" base-url="${host.url}"></loopbox-inbox></main></html>`
    )
    writeFileSync(
      join(folder, "page.css"),
      "main { display: flex; flex-wrap: wrap; } h1 { width: 100%; } loopbox-inbox { height: 80vh; width: 50%; }"
    )
    writeFileSync(
      join(folder, "page.js"),
      `for (const element of document.querySelectorAll("loopbox-inbox"))
  element.getToken = async () => (await fetch("/my/loopbox-token")).text()`
    )
    await sandbox("comment", "--network", "instagram", "The first of two")
    await withPage(folder, async (page) => {
      const one = page.locator("#one")
      const two = page.locator("#two")
      await openConversation(one, "The first of two")
      await one.getByRole("textbox", { name: /answer/i }).fill("Half written in one")
      await rowsIn(two).first().waitFor()
      assert.strictEqual(await two.getByRole("textbox", { name: /answer/i }).count(), 0)
      await two.getByRole("searchbox").fill("nothing has such words")
      await until("an empty list", async () => ((await rowsIn(two).count()) === 0 ? true : undefined))
      await sandbox("comment", "--network", "instagram", "The second of two")
      await rowsIn(one).filter({ hasText: "The second of two" }).first().waitFor()
      await two.getByRole("searchbox").fill("")
      const second = rowsIn(two).filter({ hasText: "The second of two" })
      await second.first().waitFor()
      // A key is for the inbox that has the focus.
      await second.first().getByRole("button").focus()
      await page.keyboard.press("Enter")
      await two.getByRole("article", { name: /.+/ }).filter({ hasText: "The second of two" }).first().waitFor()
      assert.strictEqual(await one.getByRole("textbox", { name: /answer/i }).inputValue(), "Half written in one")
      const answer = two.getByRole("textbox", { name: /answer/i })
      await answer.fill("Seen in both")
      await answer.press("Control+Enter")
      await until("the answer at the network", async () =>
        (await sandbox("sent", "--json")).includes("Seen in both") ? true : undefined
      )
      await rowsIn(one).filter({ hasText: "Seen in both" }).first().waitFor()
      // Landmarks of the same name are the one thing that two of an element have alike.
      assert.deepStrictEqual(
        (await judgeAccess(page)).filter((line) => !line.startsWith("landmark-unique")),
        []
      )
      await keepPicture(page, "elements-two")
    })
  })
})
