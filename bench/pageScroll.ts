import { startChromium } from "../examples/http-host/test/support/chromium.ts"
import type { Benchmark } from "./Benchmark.ts"
import { startPageServer } from "./pageServer.ts"

const threads = 100_000
/** A task above it is felt. */
const felt_ms = 50

/** Scrolls through all conversations, and lists what held the page up. Runs in the page. */
const scrollAll = async (wanted: number) => {
  const tasks: Array<number> = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ["longtask"]
  })
  const root = document.querySelector("loopbox-inbox")?.shadowRoot
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const listOf = () => root?.querySelector("ul[role=list]")
  for (let tries = 0; !listOf() && tries < 1_000; tries++) await frame()
  // The first drawing is not part of the way.
  tasks.length = 0
  const begun = performance.now()
  let mostNodes = 0
  let last = 0
  for (let still = 0; still < 600;) {
    const list = listOf()
    const scroller = list?.parentElement
    if (!list || !scroller) break
    scroller.scrollTop += 3_000
    await frame()
    mostNodes = Math.max(mostNodes, list.querySelectorAll("*").length)
    const place = Number(list.lastElementChild?.getAttribute("aria-posinset") ?? 0)
    still = scroller.scrollTop === last ? still + 1 : 0
    last = scroller.scrollTop
    if (place >= wanted) break
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  const items = Array.from(listOf()?.children ?? [], (item) => Number(item.getAttribute("aria-posinset")))
  return { tasks, mostNodes, reached: Math.max(...items), taken_ms: performance.now() - begun }
}

/** What a reader feels who scrolls through everything. */
export const pageScroll: Benchmark = {
  name: "page-scroll",
  description: `the longest task of a page whose inbox is scrolled through ${threads} conversations, against ${felt_ms} ms, in Chromium`,
  better: "lower",
  wanted: 1,
  run: async () => {
    const server = await startPageServer(threads)
    const browser = await startChromium()
    try {
      const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
      await page.goto(server.url)
      const { mostNodes, reached, taken_ms, tasks } = await page.evaluate(scrollAll, threads)
      if (reached !== threads) throw new Error(`the end was not reached: ${reached} of ${threads}`)
      return {
        ours: Math.max(0, ...tasks),
        baseline: felt_ms,
        unit: "ms",
        notes: [
          `${tasks.length} tasks took more than ${felt_ms} ms in ${(taken_ms / 1_000).toFixed(0)} s`,
          `the list had ${mostNodes} elements at most`
        ]
      }
    } finally {
      await browser.close()
      server.close()
    }
  }
}
