/**
 * `npm run pictures`: the pictures of the console that README shows, in docs/pictures, taken in a real browser of a host
 * with simulated networks. They are made by whoever changes how the console looks; no check compares them.
 */
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { chromium, type Page } from "playwright-core"

const root = fileURLToPath(new URL("..", import.meta.url))
const bin = join(root, "examples/http-host/bin/loopbox.js")
const pictures = join(root, "docs/pictures")
const folder = mkdtempSync(join(tmpdir(), "loopbox pictures "))
const largest = 200_000

/** Starts a host that has everything of its own, and gives its first link. */
const startHost = () => {
  const host = spawn(process.execPath, [bin, "serve"], {
    cwd: folder,
    env: { ...process.env, LOOPBOX_PORT: "0", LOOPBOX_DATA: join(folder, "data") },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const link = new Promise<string>((resolve, reject) => {
    let output = ""
    host.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
      const found = /http\S+\/console#[\w-]+\s/.exec(output)?.[0]
      if (found !== undefined) resolve(found.trim())
    })
    host.once("exit", () => reject(new Error(`The host ended:\n${output}`)))
  })
  const ended = new Promise<void>((resolve) => host.once("exit", () => resolve()))
  return { link, stop: () => (host.kill("SIGTERM"), ended) }
}

const open = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("navigation").getByRole("link", { name }).click()
  await page.waitForFunction((title) => document.title.startsWith(title), name)
}

const keep = async (page: Page, name: string): Promise<void> => {
  // What moves comes to rest; what arrived just now has its place.
  await page.waitForTimeout(1_500)
  const path = join(pictures, `console-${name}.png`)
  await page.screenshot({ path })
  const { size } = statSync(path)
  if (size > largest) throw new Error(`${path} has ${size} bytes: ${largest} at most`)
  console.log(`${path}: ${size} bytes`)
}

const takePictures = async (page: Page, link: string): Promise<void> => {
  await page.goto(link)
  await page.getByRole("navigation").waitFor()
  const rows = page.locator("loopbox-inbox").getByRole("listitem")
  await rows.nth(5).waitFor({ timeout: 120_000 })
  await rows.nth(1).click()
  const answer = page.getByRole("textbox", { name: /answer/i })
  await answer.fill("Thank you for asking! I look it up and tell you today.")
  await answer.press("Control+Enter")
  await keep(page, "inbox")

  const gif = join(folder, "demo.gif")
  execFileSync(process.execPath, [join(root, "scripts/makeGif.mjs"), gif])
  await open(page, "Media")
  await page.locator("input[type=color]").fill("#ffcc00")
  await page.locator("input[type=file]").setInputFiles(gif)
  await page.locator("[data-status=succeeded]").waitFor({ timeout: 60_000 })
  await keep(page, "media")

  await open(page, "Posts")
  const text = page.getByLabel("Text", { exact: true })
  await text.fill("New in the shop: three colours, from Monday on.")
  for (const network of ["Threads", "Facebook"]) await page.getByRole("checkbox", { name: network }).first().check()
  await page.getByText("It fits all of them.").waitFor()
  await page.getByRole("button", { name: "Publish", exact: true }).click()
  await page.locator('[data-status="published"]').first().waitFor({ timeout: 60_000 })
  await text.fill("What would you like to see next? Tell us below.")
  for (const network of ["Threads", "X"]) await page.getByRole("checkbox", { name: network }).first().check()
  await page.getByText("It fits all of them.").waitFor()
  await keep(page, "posts")

  await open(page, "Activity")
  // A minute of points, or its curves are hardly any.
  await page.waitForTimeout(60_000)
  await keep(page, "activity")
}

mkdirSync(pictures, { recursive: true })
const host = startHost()
const browser = await chromium.launch({
  executablePath: process.env["LOOPBOX_CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"]
})
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-GB", colorScheme: "light" })
  await takePictures(page, await host.link)
} finally {
  await browser.close()
  await host.stop()
  rmSync(folder, { recursive: true, force: true })
}
