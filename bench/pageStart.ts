import type { Browser } from "playwright-core"
import { startChromium } from "../examples/http-host/test/support/chromium.ts"
import { runCliProcess, startHost, temporaryFolder } from "../examples/http-host/test/support/hostProcess.ts"
import type { Benchmark } from "./Benchmark.ts"
import { quantile } from "./statistics.ts"

/** Visits that are measured, each by a link of its own in an empty browser; one before them warms the host. */
const visits = 9
const painted_ms = 500
const ready_ms = 1_000

/** When something was seen first, and when the pages could be chosen and conversations stood there. */
const visit = async (browser: Browser, link: string) => {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, locale: "en-GB" })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const look = (): void => {
      const root = document.querySelector("loopbox-console")?.shadowRoot
      const inbox = root?.querySelector("loopbox-inbox")?.shadowRoot
      if (root?.querySelector("nav a") && inbox?.querySelector("ul[role=list] li"))
        Reflect.set(window, "ready", performance.now())
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.goto(link)
  const ready: number = await (await page.waitForFunction(() => Reflect.get(window, "ready"))).jsonValue()
  const painted = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN
  )
  await context.close()
  return { painted, ready }
}

/** What somebody waits who opens the console by its link. */
export const pageStart: Benchmark = {
  name: "page-start",
  description: `from opening a link of the console until its pages and conversations are there, in Chromium: the worst of ${visits} against ${ready_ms} ms; first paint against ${painted_ms} ms in the notes`,
  better: "lower",
  wanted: 1,
  run: async () => {
    const { folder, remove } = temporaryFolder()
    const host = await startHost(folder, {})
    const browser = await startChromium()
    try {
      const measured: Array<Awaited<ReturnType<typeof visit>>> = []
      for (let n = 0; n <= visits; n++) {
        const { output } = await runCliProcess(["console"], folder)
        measured.push(await visit(browser, /http\S+#[\w-]+/.exec(output)?.[0] ?? output))
      }
      const warm = measured.slice(1)
      const painted = warm.map((one) => one.painted)
      const ready = warm.map((one) => one.ready)
      return {
        ours: Math.max(...ready),
        baseline: ready_ms,
        unit: "ms",
        notes: [
          `there: median ${quantile(ready, 0.5).toFixed(0)} ms, worst ${Math.max(...ready).toFixed(0)}`,
          `first paint: median ${quantile(painted, 0.5).toFixed(0)} ms, worst ${Math.max(...painted).toFixed(0)} (${painted_ms} asked)`,
          `the first visit after the start: painted ${measured[0]?.painted.toFixed(0)} ms, there ${measured[0]?.ready.toFixed(0)} ms`
        ]
      }
    } finally {
      await browser.close()
      await host.stop()
      remove()
    }
  }
}
