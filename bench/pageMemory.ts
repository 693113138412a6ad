import type { Page } from "playwright-core"
import { startChromium } from "../examples/http-host/test/support/chromium.ts"
import { sleep, until } from "../examples/http-host/test/support/hostProcess.ts"
import type { Benchmark } from "./Benchmark.ts"
import { startPageServer } from "./pageServer.ts"

/** A first page of them, so that the list holds the same ones all the time: what grows then is left behind by events. */
const threads = 100
/** An hour at 20 a second. */
const events = 72_000
const atOnce = 200

/** What the page's scripts hold once all that is garbage is gone. */
const heap_MiB = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  for (let times = 0; times < 3; times++) await session.send("HeapProfiler.collectGarbage")
  const { usedSize } = await session.send("Runtime.getHeapUsage")
  await session.detach()
  return usedSize / 1_048_576
}

/** Whether a page that stays open keeps growing. */
export const pageMemory: Benchmark = {
  name: "page-memory",
  description: `heap of a page after ${events} events (an hour at 20 a second, told as fast as it takes them), against that after a tenth`,
  better: "lower",
  wanted: 1.1,
  run: async () => {
    const server = await startPageServer(threads)
    const browser = await startChromium()
    try {
      const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
      await page.goto(server.url)
      await until("the page's socket", () => (server.isHeard() ? true : undefined))
      const found: Array<number> = []
      let seq = 0
      for (const part of [0.1, 0.5, 1]) {
        while (seq < events * part) {
          for (let n = 0; n < atOnce; n++) server.tell(++seq)
          await sleep(50)
        }
        // Until what was told last is drawn, and what is read of it has come.
        await page.getByText(`Event ${seq}`).first().waitFor({ timeout: 120_000 })
        await sleep(2_000)
        found.push(await heap_MiB(page))
      }
      const [tenth = 0, half = 0, whole = 0] = found
      return {
        ours: whole,
        baseline: tenth,
        unit: "MiB",
        notes: [`after a tenth ${tenth.toFixed(1)} MiB, after half ${half.toFixed(1)}, at the end ${whole.toFixed(1)}`]
      }
    } finally {
      await browser.close()
      server.close()
    }
  }
}
