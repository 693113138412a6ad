import { assert } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"

/** Debian's package; another by LOOPBOX_CHROMIUM. */
const program = process.env["LOOPBOX_CHROMIUM"] ?? "/usr/bin/chromium"

export const startChromium = (more: ReadonlyArray<string> = []): Promise<Browser> => {
  if (!existsSync(program))
    throw new Error(`There is no browser at ${program}: install chromium, or set LOOPBOX_CHROMIUM.`)
  // Its own sandbox needs rights that a container's root does not have.
  return chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage", ...more] })
}

/** Sizes of windows that are looked at: a desk, a tablet, and the narrowest telephone. */
export const windows = {
  desk: { width: 1440, height: 900 },
  tablet: { width: 900, height: 1200 },
  telephone: { width: 360, height: 740 }
} as const

/** A page whose every complaint is kept: errors of scripts, of its console, and violations of its policy. */
export const openPage = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({ viewport: windows.desk, ...options })
  // Against what hangs: another file of tests has a browser and a host on the same cores.
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("pageerror", (error) => complaints.push(`${error}`))
  page.on("console", (line) => {
    if (line.type() === "error") complaints.push(`${line.text()} (${line.location().url})`)
  })
  return { context, page, complaints }
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: ReadonlyArray<{ readonly target: ReadonlyArray<unknown>; readonly failureSummary?: string }>
}

/** What axe finds on a page by WCAG 2.2 AA and its own best practices, a line each; a page's policy does not stop it. */
export const judgeAccess = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Through the debugger: a page that lets no inline script run is judged as it is.
  const session = await page.context().newCDPSession(page)
  const { result: known } = await session.send("Runtime.evaluate", { expression: "typeof axe" })
  // Half a megabyte, which a page that stays needs once.
  if (known.value === "undefined") await session.send("Runtime.evaluate", { expression: `${axe}\n;undefined` })
  const { exceptionDetails, result } = await session.send("Runtime.evaluate", {
    expression: "axe.run(document).then((found) => JSON.stringify(found.violations))",
    awaitPromise: true,
    returnByValue: true
  })
  await session.detach()
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  const violations: ReadonlyArray<Finding> = JSON.parse(String(result.value))
  return violations.flatMap(({ help, id, nodes }) =>
    nodes.map(({ failureSummary = "", target }) => `${id} (${help}) at ${JSON.stringify(target)}: ${failureSummary}`)
  )
}

export const assertAccessible = async (page: Page, what: string): Promise<void> =>
  assert.deepStrictEqual(await judgeAccess(page), [], what)

/**
 * What of a page cannot be seen: elements that stand beyond its window, or have to be scrolled sideways, and text that is cut
 * without a sign that there is more. Commands, fields and tabs scroll sideways, and nothing else. Runs in the page, shadow
 * roots too.
 */
const lookForCuts = (): ReadonlyArray<string> => {
  const found: Array<string> = []
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide in a window of ${clientWidth}`)
  const around = (element: Element): Element | undefined => {
    const root = element.getRootNode()
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : undefined)
  }
  const isClipped = (element: Element): boolean => {
    for (let at = around(element); at !== undefined; at = around(at)) {
      if (getComputedStyle(at).overflowX !== "visible" && at !== document.body) return true
    }
    return false
  }
  const look = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot !== null) look(element.shadowRoot)
      const { height, left, right, width } = element.getBoundingClientRect()
      // What only a screen reader reads has one pixel.
      if (width <= 1 || height <= 1 || !element.checkVisibility({ visibilityProperty: true })) continue
      const words = (element.textContent ?? "").trim().replaceAll(/\s+/g, " ").slice(0, 60)
      const name = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${words}"`
      if ((right > clientWidth + 1 || left < -1) && !isClipped(element)) found.push(`${name} ends at ${right}`)
      const { overflowX, textOverflow } = getComputedStyle(element)
      const isCut = element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
      if (isCut && /hidden|clip/.test(overflowX) && textOverflow !== "ellipsis" && words !== "")
        found.push(`${name} is cut`)
    }
  }
  look(document)
  return found
}

/** Nothing is cut, and nothing has to be scrolled sideways. */
export const assertFits = async (page: Page, what: string): Promise<void> =>
  assert.deepStrictEqual(await page.evaluate(lookForCuts), [], `${what} does not fit its window`)

/** Keeps a picture where LOOPBOX_SCREENSHOTS names a folder, for whoever looks at them. */
export const keepPicture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["LOOPBOX_SCREENSHOTS"]
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
