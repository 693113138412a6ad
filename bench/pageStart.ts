import { join } from "node:path"
import type { Browser } from "playwright-core"
import { startChromium } from "../examples/http-host/test/support/chromium.ts"
import { addAda, copyPage, startBackend } from "../examples/http-host/test/support/elementsExample.ts"
import { runCliProcess, startHost, temporaryFolder } from "../examples/http-host/test/support/hostProcess.ts"
import { freePort } from "../examples/http-host/test/support/ownServer.ts"
import type { Benchmark } from "./Benchmark.ts"
import { quantile } from "./statistics.ts"

/** Visits that are measured, each in an empty browser; one before them warms the host. */
const visits = 9
const painted_ms = 500
const ready_ms = 1_000

/** When something was seen first, and when conversations stood there; in the console, when the pages could be chosen, too. */
const visit = async (browser: Browser, address: string) => {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, locale: "en-GB" })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const look = (): void => {
      const frame = document.querySelector("loopbox-console")
      const canBeChosen = frame === null || frame.shadowRoot?.querySelector("nav a")
      const inbox = (frame?.shadowRoot ?? document).querySelector("loopbox-inbox")?.shadowRoot
      if (canBeChosen && inbox?.querySelector("ul[role=list] li")) Reflect.set(window, "ready", performance.now())
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.goto(address)
  const ready: number = await (await page.waitForFunction(() => Reflect.get(window, "ready"))).jsonValue()
  const painted = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN
  )
  await context.close()
  return { painted, ready }
}

type Visit = Awaited<ReturnType<typeof visit>>

const visitOften = async (browser: Browser, addressOf: () => Promise<string>): Promise<ReadonlyArray<Visit>> => {
  const measured: Array<Visit> = []
  for (let n = 0; n <= visits; n++) measured.push(await visit(browser, await addressOf()))
  return measured
}

const worstOf = (times: ReadonlyArray<number>): string =>
  `median ${quantile(times, 0.5).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)}`

const notesOf = (what: string, [first, ...warm]: ReadonlyArray<Visit>): ReadonlyArray<string> => [
  `${what}: there ${worstOf(warm.map((one) => one.ready))}; first paint ${worstOf(warm.map((one) => one.painted))} (${painted_ms} asked)`,
  `${what}, the first visit after the start: painted ${first?.painted.toFixed(0)} ms, there ${first?.ready.toFixed(0)} ms`
]

/** What somebody waits who opens the console by its link, or a plain page that holds the inbox and nothing else of ours. */
export const pageStart: Benchmark = {
  name: "page-start",
  description: `from opening a link of the console, or a plain page with <loopbox-inbox>, until the conversations are there, in Chromium: the worst of ${visits} visits each against ${ready_ms} ms; first paint against ${painted_ms} ms in the notes`,
  better: "lower",
  wanted: 1,
  run: async () => {
    const { folder, remove } = temporaryFolder()
    const port = await freePort()
    const host = await startHost(folder, { LOOPBOX_CORS_ORIGINS: `http://127.0.0.1:${port}` })
    const browser = await startChromium()
    const data = join(folder, ".loopbox")
    const workspace = await addAda(folder, data)
    const backend = await startBackend({ page: copyPage(folder, host.url), port, host, data, workspace })
    try {
      const console = await visitOften(browser, async () => {
        const { output } = await runCliProcess(["console"], folder)
        return /http\S+#[\w-]+/.exec(output)?.[0] ?? output
      })
      const element = await visitOften(browser, () => Promise.resolve(backend.url))
      const warm = [...console.slice(1), ...element.slice(1)]
      return {
        ours: Math.max(...warm.map(({ ready }) => ready)),
        baseline: ready_ms,
        unit: "ms",
        notes: [...notesOf("console", console), ...notesOf("element", element)]
      }
    } finally {
      await browser.close()
      backend.stop()
      await host.stop()
      remove()
    }
  }
}
