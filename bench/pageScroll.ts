import { startChromium } from "../examples/http-host/test/support/chromium.ts"
import type { Benchmark } from "./Benchmark.ts"
import { startPageServer } from "./pageServer.ts"

const threads = 100_000
/** The whole way ends after so long. */
const patience_ms = 400_000
/** A task above it is felt. */
const felt_ms = 50

/** Until the list is there, and what it loads at once. Runs in the page. */
const waitForList = async () => {
  const root = document.querySelector("loopbox-inbox")?.shadowRoot
  while (!root?.querySelector("ul[role=list]")) await new Promise((resolve) => setTimeout(resolve, 50))
  await new Promise((resolve) => setTimeout(resolve, 1_000))
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
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * The longest task of the page, the longest that one kept a processor itself, in milliseconds, and how many were felt.
 * Other work on a machine of few cores makes a task last longer than that, whatever the page does.
 */
const judgeTasks = (trace: Buffer) => {
  const { traceEvents }: { readonly traceEvents: ReadonlyArray<TraceEvent> } = JSON.parse(trace.toString())
  const idOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
  const pages = new Set(
    traceEvents
      .filter(({ args, name }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map((event) => idOf(event))
  )
  let longest_us = 0
  let longestOwn_us = 0
  let felt = 0
  for (const event of traceEvents) {
    if (event.name !== "ThreadControllerImpl::RunTask" || !pages.has(idOf(event))) continue
    const { dur = 0, tdur = 0 } = event
    longest_us = Math.max(longest_us, dur)
    longestOwn_us = Math.max(longestOwn_us, tdur)
    if (dur > felt_ms * 1_000) felt += 1
  }
  if (longest_us === 0) throw new Error("the trace has no task of the page")
  return { longest_ms: longest_us / 1_000, longestOwn_ms: longestOwn_us / 1_000, felt }
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
      await page.evaluate(waitForList)
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
        if (performance.now() - begun > patience_ms) throw new Error(`only ${found.reached} of ${threads} were reached`)
      }
      const taken_ms = performance.now() - begun
      const { felt, longest_ms, longestOwn_ms } = judgeTasks(await browser.stopTracing())
      return {
        ours: longest_ms,
        baseline: felt_ms,
        unit: "ms",
        notes: [
          `${felt} tasks took more than ${felt_ms} ms in ${(taken_ms / 1_000).toFixed(0)} s`,
          `the longest kept a processor for ${longestOwn_ms.toFixed(0)} ms itself`,
          `the list had ${mostNodes} elements at most`
        ]
      }
    } finally {
      await browser.close()
      server.close()
    }
  }
}
