import { assert } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Browser } from "playwright-core"
import { afterAll, describe, it } from "vitest"
import { administrator, customer, request } from "../support/apiClient.ts"
import { assertAccessible, keepPicture, startChromium, windows } from "../support/chromium.ts"
import { goTo, makeVisits, ofOurs } from "../support/consoleVisit.ts"
import { addAda } from "../support/elementsExample.ts"
import { startHost, until } from "../support/hostProcess.ts"
import { assertHarmless, markup, rightToLeft } from "../support/hostileWords.ts"
import { preparedFolder } from "../support/preparedFolder.ts"

const places = await preparedFolder()
const data = join(places.folder, ".loopbox")
const host = await startHost(places.folder, {})
const browser: Browser = await startChromium()
const { signIn } = makeVisits(browser, places.folder)
const workspace = await addAda(places.folder, data)
const key = await administrator(host.url, readFileSync(join(data, "admin-token"), "utf8").trim()).createOwnerKey(
  workspace
)

afterAll(async () => {
  await browser.close()
  await host.stop()
  places.remove()
})

const call = async (method: string, path: string, body?: object): Promise<unknown> => {
  const { status, text } = await request(`${host.url}/v1${path}?inbox_scope=workspace`, {
    method,
    token: key,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  assert.isTrue(status >= 200 && status < 300, `${method} ${path}: ${status} ${text}`)
  return JSON.parse(text)
}

/** The first thing of a list, which may still be filled. */
const firstId = (path: string): Promise<string> =>
  until(
    `something in ${path}`,
    async () => /"data":\[\{"id":"([^"]+)"/.exec(JSON.stringify(await call("GET", path)))?.[1]
  )

const turned = `${rightToLeft}dias`
const note = `Note: ${markup} ${turned} ${"😀".repeat(3_000)} [a](javascript:alert(1))`
const draft = `Draft: ${markup} javascript:alert(1) ${"u".repeat(150)}`

describe("what colleagues and programs of a customer write", () => {
  it("is text on every page: labels, assignees, notes, saved replies, drafts, names of files, endpoints", async () => {
    const thread = await firstId("/inbox/threads")
    const assignee = `${markup}${turned}`
    await call("PUT", `/inbox/threads/${thread}/labels`, {
      labels: [`<b onclick="x">${turned}`, "javascript:alert(1)"]
    })
    await call("POST", `/inbox/threads/${thread}/state`, { thread_status: "assigned", assigned_to: assignee })
    await call("POST", `/inbox/threads/${thread}/notes`, { text: note, author: markup })
    await call("POST", "/inbox/saved-replies", { name: `${markup.slice(0, 60)}`, text: `Saved: ${markup}` })
    const account = await firstId("/accounts")
    await call("POST", "/posts", { text: draft, targets: [{ social_account_id: account }], status: "draft" })
    await call("POST", "/webhook-endpoints", {
      url: `${host.url}/nowhere?${encodeURIComponent(markup)}`,
      description: `Endpoint: ${markup}`
    })
    const { settled, submit, upload } = customer(host.url, key)
    const gif = join(places.folder, "made.gif")
    execFileSync(process.execPath, [fileURLToPath(new URL("../../../../scripts/makeGif.mjs", import.meta.url)), gif])
    const file = Uint8Array.from(readFileSync(gif))
    await settled((await submit(await upload(file, "image/gif", `File: ${markup}.gif`))).id)

    for (const look of [
      { viewport: windows.desk, colorScheme: "light" },
      { viewport: windows.telephone, colorScheme: "dark" }
    ] as const) {
      const what = look.colorScheme
      const { complaints, context, page } = await signIn(look)
      const inbox = page.locator("loopbox-inbox")
      await inbox.locator(`[data-thread="${thread}"]`).click()
      await inbox.locator("article").first().waitFor()
      // Beside the conversation where there is room.
      if (look.viewport === windows.telephone) await inbox.getByRole("button", { name: "Details" }).click()
      await inbox.getByText("Note: <img").first().waitFor()
      await assertHarmless(page, `${what}: a conversation`)
      await assertAccessible(page, `${what}: a conversation`)
      await keepPicture(page, `colleagues conversation ${what}`)
      if (look.viewport === windows.telephone) {
        await inbox.getByRole("complementary").getByRole("button", { name: "Close details" }).click()
      }
      await inbox.getByRole("button", { name: "Saved replies" }).click()
      await inbox.getByText("Saved: <img").waitFor()
      await assertHarmless(page, `${what}: saved replies`)
      await page.keyboard.press("Escape")
      for (const [title, text] of [
        ["Posts", "Draft: <img"],
        // Of a name the host keeps what stands behind its last slash.
        ["Media", "script><svg"],
        ["Webhooks", "nowhere?"]
      ] as const) {
        await goTo(page, title)
        await page.getByText(text).first().waitFor()
        await assertHarmless(page, `${what}: ${title}`)
        await assertAccessible(page, `${what}: ${title}`)
        await keepPicture(page, `colleagues ${title} ${what}`)
      }
      assert.deepStrictEqual(ofOurs(complaints), [])
      await context.close()
    }
  })
})
