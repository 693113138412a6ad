import { assert } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Locator, Page } from "playwright-core"
import { afterAll, describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture } from "../support/chromium.ts"
import { startConsoleHost } from "../support/consoleHost.ts"
import { until } from "../support/hostProcess.ts"
import { assertFocusKept, pressOn, tabTo, typeInto } from "../support/keyboard.ts"
import { receiver } from "../support/receiver.ts"

const { host, places, sandbox, signIn } = await startConsoleHost({ LOOPBOX_WEBHOOKS_PRIVATE: "on" })

/** An address of a customer's. */
const hooks = await receiver("thanks")

afterAll(() => hooks.close())

const rows = (page: Page): Locator => page.getByRole("list", { name: "Conversations" }).getByRole("listitem")

const go = async (page: Page, name: string): Promise<void> => {
  await pressOn(page, page.getByRole("navigation").getByRole("link", { name }))
  await page.waitForFunction((title) => document.title.startsWith(title), name)
}

const sentTexts = async (): Promise<ReadonlyArray<string>> => {
  const sent: ReadonlyArray<{ readonly text: string }> = JSON.parse(await sandbox("sent", "--json"))
  return sent.map(({ text }) => text)
}

const awaitSent = (text: string) =>
  until(`${text} at the network`, async () => ((await sentTexts()).includes(text) ? true : undefined))

describe("the console by the keyboard alone", () => {
  it("sees, answers, assigns, resolves and searches", async () => {
    const { context, page } = await signIn()
    await sandbox("comment", "--network", "instagram", "Is it waterproof?")
    const row = rows(page).filter({ hasText: "Is it waterproof?" }).first()
    await row.waitFor()
    await tabTo(page, page.getByRole("button", { name: "Skip to the content" }), "Shift+Tab")
    await page.keyboard.press("Enter")
    await tabTo(page, rows(page).getByRole("button").and(page.locator("[tabindex='0']")))
    for (let n = 0; n < 40 && !(await row.getByRole("button").evaluate((one) => one.matches(":focus"))); n++)
      await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.getByRole("article", { name: /.+/ }).first().waitFor()
    await page.keyboard.press("r")
    await until("the field's focus", async () =>
      (await page.getByRole("textbox", { name: "Your answer" }).evaluate((one) => one.matches(":focus")))
        ? true
        : undefined
    )
    await page.keyboard.type("It is, down to ten metres.")
    await page.keyboard.press("Control+Enter")
    await awaitSent("It is, down to ten metres.")
    await page.keyboard.press("Escape")
    await page.keyboard.press("a")
    await typeInto(page, page.getByRole("textbox", { name: "Name" }), "Ada")
    await page.keyboard.press("Enter")
    await page.getByText("Assigned to Ada").first().waitFor()
    await assertFocusKept(page, "assigning")
    await until("the end of the menu", async () =>
      (await page.getByRole("textbox", { name: "Name" }).isVisible()) ? undefined : true
    )
    await pressOn(page, page.getByRole("button", { name: "Resolve" }))
    await page.getByRole("button", { name: "Reopen" }).waitFor()
    await assertFocusKept(page, "resolving")
    await page.keyboard.press("/")
    await page.keyboard.type("waterproof")
    await until("what was found", async () => ((await rows(page).count()) === 1 ? true : undefined))
    await context.close()
  })

  it("converts a GIF, and publishes a post", async () => {
    const { context, page } = await signIn()
    const gif = join(places.folder, "demo.gif")
    execFileSync(process.execPath, [fileURLToPath(new URL("../../../../scripts/makeGif.mjs", import.meta.url)), gif])
    await go(page, "Media")
    const chooser = page.waitForEvent("filechooser")
    await pressOn(page, page.getByRole("button", { name: "Choose a file" }))
    await (await chooser).setFiles(gif)
    await page.locator("[data-status=succeeded] video").first().waitFor({ timeout: 60_000 })
    await tabTo(page, page.locator("[data-status=succeeded] video"))
    await go(page, "Posts")
    await typeInto(page, page.getByLabel("Text", { exact: true }), "By the keyboard alone")
    await pressOn(page, page.getByRole("checkbox", { name: /Threads/ }).first(), "Space")
    await page.getByText("It fits all of them.").waitFor()
    await pressOn(page, page.getByRole("button", { name: "Publish", exact: true }))
    await awaitSent("By the keyboard alone")
    await assertFocusKept(page, "publishing")
    await context.close()
  })

  it("connects an account, through the network's dialog and back", async () => {
    const { context, page } = await signIn()
    await go(page, "Accounts")
    await pressOn(page, page.getByRole("button", { name: "Connect an account" }))
    await pressOn(page, page.locator("loopbox-accounts").getByRole("button", { name: /\bX$/ }))
    await page.waitForURL((url) => url.origin !== new URL(host.url).origin)
    await pressOn(page, page.getByRole("navigation").getByRole("link").first())
    await pressOn(page, page.getByRole("button", { name: "Allow" }))
    await page.waitForURL((url) => url.pathname.startsWith("/console/accounts"))
    await page.getByText("The account is connected.").waitFor()
    await context.close()
  })

  it("adds an address for webhooks, and has a delivery sent again", async () => {
    const { context, page } = await signIn()
    await go(page, "Webhooks")
    await pressOn(page, page.getByRole("button", { name: "Add an address" }))
    // The dialog is there to be written into, and its secret to be read.
    await page.getByRole("dialog").waitFor()
    await page.keyboard.type(hooks.url(200))
    await page.keyboard.press("Enter")
    await page.getByText(/^whsec_/).waitFor()
    await until("the secret's focus", async () =>
      (await page.getByText(/^whsec_/).evaluate((one) => one.matches(":focus"))) ? true : undefined
    )
    await pressOn(page, page.getByRole("button", { name: "I have kept it" }))
    await page.getByRole("dialog").waitFor({ state: "hidden" })
    await assertFocusKept(page, "keeping the secret")
    await pressOn(page, page.getByRole("button", { name: hooks.url(200) }))
    await page.getByRole("button", { name: "Send an example" }).waitFor()
    await assertFocusKept(page, "opening an address")
    await pressOn(page, page.getByRole("button", { name: "Send an example" }))
    await page.getByText("Delivered").first().waitFor()
    await pressOn(page, page.getByRole("button", { name: /inbox\.new_item/ }))
    const before = hooks.received.length
    await pressOn(page, page.getByRole("button", { name: "Send again" }))
    await until("another delivery", () => (hooks.received.length > before ? true : undefined))
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "hidden" })
    await assertFocusKept(page, "closing a delivery")
    await pressOn(page, page.getByRole("button", { name: "All addresses" }))
    await page.getByRole("button", { name: hooks.url(200) }).waitFor()
    await assertFocusKept(page, "going back to the addresses")
    await context.close()
  })

  it("breaks a network, mends it, and signs out", async () => {
    const { context, page } = await signIn()
    await go(page, "Sandbox")
    await pressOn(page, page.getByRole("button", { name: "Take an answer in silence" }))
    await page.getByText("What is written is seen after 10 seconds.").waitFor()
    await pressOn(page, page.getByRole("button", { name: "Mend it all" }))
    await page.getByText("Nothing is broken.").waitFor()
    await assertFocusKept(page, "mending")
    await pressOn(page, page.getByRole("button", { name: "Token ends" }))
    await page.getByText("Token has ended", { exact: true }).waitFor()
    await assertFocusKept(page, "the end of a token")
    await pressOn(page, page.getByRole("button", { name: "Let it work again" }))
    await page.getByText("Access works").waitFor()
    await assertFocusKept(page, "its return")
    await pressOn(page, page.getByRole("link", { name: "See what the console says of it." }))
    await page.waitForFunction(() => document.title.startsWith("Accounts"))
    await assertFocusKept(page, "a way to another page")
    await pressOn(page, page.getByRole("button", { name: "Settings" }))
    await pressOn(page, page.getByRole("button", { name: "Sign out" }))
    await page.getByLabel("Admin token").waitFor()
    await assertFocusKept(page, "signing out")
    await context.close()
  })
})

/** Curves are drawn in the colours of their legend. */
const assertCurvesTold = async (page: Page): Promise<void> => {
  const chart = page.locator("loopbox-console-chart canvas").first()
  await chart.waitFor()
  const isColoured = await chart.evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) return false
    const data =
      canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray()
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.slice(at, at + 3)
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 80) return true
    }
    return false
  })
  assert.isTrue(isColoured, "curves have no colours")
}

describe("the console for whoever needs larger letters and less motion", () => {
  it("has room at 200 % on every page, and nothing in it moves", async () => {
    // A window of 1440 by 900 at 200 %.
    const { context, page } = await signIn({
      viewport: { width: 720, height: 450 },
      deviceScaleFactor: 2,
      reducedMotion: "reduce"
    })
    const links = page.getByRole("navigation").getByRole("link")
    const count = await links.count()
    assert.isAtLeast(count, 6)
    for (let at = 0; at < count; at++) {
      await links.nth(at).click()
      await page.locator(".loading-state").first().waitFor({ state: "detached" })
      const title = await page.title()
      await assertFits(page, `${title} at 200 %`)
      await assertAccessible(page, `${title} at 200 %`)
      await keepPicture(page, `200 ${title}`)
      assert.deepStrictEqual(await page.evaluate(findMoving), [], title)
      if (title.startsWith("Activity")) await assertCurvesTold(page)
    }
    await context.close()
  })
})

/** Whatever moves for longer than an eye sees, in a page and its shadows. Runs in the page. */
const findMoving = (): ReadonlyArray<string> => {
  const moving: Array<string> = []
  const look = (root: Document | ShadowRoot): void => {
    for (const one of root.querySelectorAll("*")) {
      const { animationDuration, animationName, transitionDuration } = getComputedStyle(one)
      const isAnimated = animationName !== "none" && Number.parseFloat(animationDuration) > 0.02
      if (isAnimated || Number.parseFloat(transitionDuration) > 0.02) moving.push(`${one.tagName} ${one.className}`)
      if (one instanceof HTMLVideoElement && one.autoplay) moving.push("a video that plays by itself")
      if (one.shadowRoot !== null) look(one.shadowRoot)
    }
  }
  look(document)
  return moving
}
