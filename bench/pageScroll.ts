import { startChromium } from "../examples/http-host/test/support/chromium.ts"
import type { Benchmark } from "./Benchmark.ts"
import { startPageServer } from "./pageServer.ts"

const threads = 100_000
const longest_ms = 400_000
/** A task above it is felt. */
const felt_ms = 50

/** What held a page up from now on, once its list is there. Runs in the page. */
const watchTasks = async () => {
  const root = document.querySelector("loopbox-inbox")?.shadowRoot
  while (!root?.querySelector("ul[role=list]")) await new Promise((resolve) => setTimeout(resolve, 50))
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const tasks: Array<number> = []
  Reflect.set(window, "tasks", tasks)
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ["longtask"]
  })
}

/** Where a page's list stands, and what it has drawn. */
const lookAtList = () => {
  const list = document.querySelector("loopbox-inbox")?.shadowRoot?.querySelector("ul[role=list]")
  const places = Array.from(list?.children ?? [], (item) => Number(item.getAttribute("aria-posinset")))
  return { reached: Math.max(0, ...places), nodes: list?.querySelectorAll("*").length ?? 0 }
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * The longest that a task of the page itself kept a processor, in milliseconds. Other work on a machine of few cores makes
 * a task last longer than that, whatever the page does.
 */
const longestOwn_ms = (trace: Buffer): number => {
  const { traceEvents }: { readonly traceEvents: ReadonlyArray<TraceEvent> } = JSON.parse(trace.toString())
  const idOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
  const pages = new Set(
    traceEvents
      .filter(({ args, name }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map((event) => idOf(event))
  )
  let longest_us = 0
  for (const event of traceEvents) {
    if (event.name === "ThreadControllerImpl::RunTask" && pages.has(idOf(event)))
      longest_us = Math.max(longest_us, event.tdur ?? 0)
  }
  return longest_us / 1_000
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
      await page.evaluate(watchTasks)
      await browser.startTracing(page, { categories: ["toplevel"] })
      await page.mouse.move(200, 500)
      const begun = performance.now()
      let found = { reached: 0, nodes: 0 }
      let mostNodes = 0
      // A wheel as a reader turns it: nothing in the page asks where anything stands. A look now and then does.
      for (let turn = 0; found.reached < threads; turn++) {
        await page.mouse.wheel(0, 3_000)
        if (turn % 20 !== 0) continue
        found = await page.evaluate(lookAtList)
        mostNodes = Math.max(mostNodes, found.nodes)
        if (performance.now() - begun > longest_ms) throw new Error(`only ${found.reached} of ${threads} were reached`)
      }
      const taken_ms = performance.now() - begun
      const own_ms = longestOwn_ms(await browser.stopTracing())
      const tasks = await page.evaluate((): ReadonlyArray<number> => Reflect.get(window, "tasks"))
      return {
        ours: Math.max(0, ...tasks),
        baseline: felt_ms,
        unit: "ms",
        notes: [
          `${tasks.length} tasks took more than ${felt_ms} ms in ${(taken_ms / 1_000).toFixed(0)} s`,
          `the longest kept a processor for ${own_ms.toFixed(0)} ms itself`,
          `the list had ${mostNodes} elements at most`
        ]
      }
    } finally {
      await browser.close()
      server.close()
    }
  }
}
