import { assert } from "@effect/vitest"
import { join } from "node:path"
import { bodyText } from "@loopbox/core/networks/networkText"
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, describe, it } from "vitest"
import { request } from "../support/apiClient.ts"
import { assertAccessible, keepPicture, openPage, startChromium, windows } from "../support/chromium.ts"
import { clickUntil, goTo, makeVisits, ofOurs } from "../support/consoleVisit.ts"
import { addAda, copyPage, startBackend } from "../support/elementsExample.ts"
import { startHost } from "../support/hostProcess.ts"
import { assertHarmless, markup, rightToLeft } from "../support/hostileWords.ts"
import { metaDelivery } from "../support/metaDelivery.ts"
import { freePort } from "../support/ownServer.ts"
import { preparedFolder } from "../support/preparedFolder.ts"
import { askHost, rewriteList } from "../support/rewriting.ts"

const appSecret = "a-secret-of-an-app-of-meta"
/** The Page of Demo's account at Facebook. */
const facebookPage = "100000000000001"

const places = await preparedFolder()
const data = join(places.folder, ".loopbox")
const port = await freePort()
const host = await startHost(places.folder, {
  LOOPBOX_CORS_ORIGINS: `http://127.0.0.1:${port}`,
  LOOPBOX_META_APP_SECRETS: appSecret
})
const browser: Browser = await startChromium()
const { signIn } = makeVisits(browser, places.folder)
const workspace = await addAda(places.folder, data)
const example = copyPage(places.folder, host.url)
const backend = await startBackend({ page: example, port, host, data, workspace })

afterAll(async () => {
  await browser.close()
  backend.stop()
  await host.stop()
  places.remove()
})

interface Written {
  /** How its conversation begins in the list. */
  readonly start: string
  readonly text: string
  readonly author: string
}

const written: ReadonlyArray<Written> = [
  { start: "Markup:", text: `Markup: ${markup}`, author: markup },
  {
    start: "Links:",
    text: `Links: javascript:alert(1) data:text/html,x https://shop.test/"onmouseover="alert(1) [a](javascript:alert(1))`,
    author: "javascript:alert(1)"
  },
  { start: "Turned:", text: `Turned: ${rightToLeft}gnihtemos`, author: `${rightToLeft}adA` },
  { start: "Megabyte:", text: `Megabyte: ${"word ".repeat(200_000)}`, author: "A. Megabyte" },
  { start: "Unbroken:", text: `Unbroken: https://shop.test/${"a".repeat(1_000_000)}`, author: "U".repeat(5_000) },
  { start: "Emoji:", text: `Emoji: ${"😀".repeat(10_000)}`, author: "😀".repeat(200) },
  { start: "Family:", text: `Family: ${"👩‍👩‍👧‍👦".repeat(10_000)}`, author: "👩‍👩‍👧‍👦" }
]

/** As a network tells of it, signed. */
const deliver = async ({ author, text }: Written, n: number): Promise<void> => {
  const at = Math.floor(Date.now() / 1_000) - 60 + n
  const value = {
    item: "comment",
    verb: "add",
    comment_id: `77${n}_${n}`,
    post_id: `${facebookPage}_77${n}`,
    parent_id: `${facebookPage}_77${n}`,
    from: { id: `90${n}`, name: author },
    message: text,
    created_time: at
  }
  const entry = [{ id: facebookPage, time: at, changes: [{ field: "feed", value }] }]
  const { status } = await request(`${host.url}/v1/webhooks/meta`, metaDelivery(appSecret, { object: "page", entry }))
  assert.strictEqual(status, 200)
}
for (const [n, one] of written.entries()) await deliver(one, n)

/** The posts that these comments say they are on were never at the network. */
const ofThePage = (complaints: ReadonlyArray<string>) =>
  ofOurs(complaints).filter((line) => !/media-context|favicon/.test(line))

/** Of a text that is longer than anybody reads its beginning is shown, and all of it when it is asked for, by keyboard. */
const showAll = async (words: Locator): Promise<void> => {
  const more = words.getByRole("button", { expanded: false })
  if ((await more.count()) === 0) return
  const beginning = (await words.locator(".plain-text").textContent()) ?? ""
  assert.isTrue(beginning.isWellFormed() && beginning.endsWith("…"))
  await more.press("Enter")
  const less = words.getByRole("button", { name: "Show less" })
  await less.waitFor()
  assert.isTrue(await less.evaluate((one) => one.matches(":focus")), "the focus is lost")
}

/** Opens each conversation of an inbox, and looks at its words. */
const readAll = async (page: Page, what: string): Promise<void> => {
  const inbox = page.locator("loopbox-inbox")
  const rows = inbox.getByRole("list", { name: "Conversations" }).getByRole("listitem")
  for (const { start, text } of written) {
    const words = inbox.locator("article .words").filter({ hasText: start }).first()
    await clickUntil(rows.filter({ hasText: start }).first(), words)
    await showAll(words)
    const cutOff = await inbox.locator("#messages").evaluate((list) => list.scrollWidth - list.clientWidth)
    assert.isAtMost(cutOff, 0, `${what}: ${start} is wider than its conversation`)
    const shown = (await words.locator(".plain-text").textContent()) ?? ""
    // All that the host keeps of it.
    assert.isTrue(shown.trim() === bodyText(text).trim(), start)
    // What turns a text around ends with the text.
    assert.strictEqual(
      await words
        .locator("[dir=auto]")
        .first()
        .evaluate((one) => getComputedStyle(one).unicodeBidi),
      "isolate"
    )
    await assertHarmless(page, `${what}: ${start}`)
    const field = inbox.getByRole("textbox", { name: "Your answer" })
    await field.fill(`Seen: ${start}`)
    await keepPicture(page, `words ${what} ${start.slice(0, -1)}`)
    await field.fill("")
    await assertAccessible(page, `${what}: ${start}`)
  }
  const back = inbox.getByRole("button", { name: "Back to the conversations" })
  if (await back.isVisible()) await back.click()
  await inbox.locator(".name").filter({ hasText: rightToLeft }).first().waitFor()
}

describe("what strangers write", () => {
  it("is text in the console: markup, scripts, links, turned letters, a megabyte, 10,000 emoji", async () => {
    const { complaints, context, page } = await signIn()
    await readAll(page, "console")
    await goTo(page, "Sandbox")
    await page.getByRole("tab", { name: "Facebook" }).click()
    await assertHarmless(page, "sandbox")
    assert.deepStrictEqual(ofThePage(complaints), [])
    await context.close()
  })

  it("is text in the element of a page without a policy", async () => {
    const { complaints, context, page } = await openPage(browser, {
      locale: "en-GB",
      viewport: windows.telephone,
      colorScheme: "dark"
    })
    await page.goto(backend.url)
    await readAll(page, "element")
    assert.deepStrictEqual(ofThePage(complaints), [])
    await context.close()
  })

  it("is shown as a whole where a host keeps a megabyte", async () => {
    const { context, page } = await signIn({ viewport: windows.telephone })
    const body = `Kept: ${"word ".repeat(200_000)}https://shop.test/${"a".repeat(50_000)} end`
    await rewriteList(page, /\/inbox\/threads\/[^/]+\/items$/, ([first = {}]) => [{ ...first, body }])
    const inbox = page.locator("loopbox-inbox")
    const words = inbox.locator("article .words").filter({ hasText: "Kept:" }).first()
    await clickUntil(inbox.getByRole("listitem").filter({ hasText: "Markup:" }).first(), words)
    await showAll(words)
    assert.isTrue((await words.locator(".plain-text").textContent())?.trim() === body)
    await assertHarmless(page, "a megabyte")
    await words.getByRole("button", { name: "Show less" }).press("Enter")
    await words.getByRole("button", { name: /^Show all 1,0/ }).waitFor()
    await context.close()
  })

  it("is no address that is followed, whatever a network says that it is", async () => {
    const { context, page } = await signIn()
    const address = "javascript:window.taken=1"
    let changed = 0
    await page.route(/\/console\/v1\/(?:inbox|posts)/, async (route) => {
      const answer = await askHost(page, route)
      const text = await answer.text()
      const body = text
        .replaceAll(/"(url|permalink|media_url|author_avatar_url|avatar_url)":(?:null|"[^"]*")/g, (_, name) => {
          changed += 1
          return `"${name}":"${address}"`
        })
        .replaceAll(
          '"attachments":[]',
          `"attachments":[{"type":"image","url":"${address}"},{"type":"file","url":"${address}"}]`
        )
      await route.fulfill({ status: answer.status(), contentType: "application/json", body })
    })
    await page.reload()
    const inbox = page.locator("loopbox-inbox")
    const row = inbox.getByRole("listitem").filter({ hasText: "Markup:" }).first()
    await clickUntil(row, inbox.locator("article .attachment").first())
    await assertHarmless(page, "addresses in the inbox")
    await goTo(page, "Posts")
    await page.getByLabel("Text", { exact: true }).waitFor()
    await assertHarmless(page, "addresses of posts")
    assert.isAbove(changed, 10)
    await page.unrouteAll({ behavior: "wait" })
    await context.close()
  })
})
