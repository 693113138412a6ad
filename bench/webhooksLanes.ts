import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import * as Schema from "effect/Schema"
import type { Benchmark } from "./Benchmark.ts"
import { quantile } from "./statistics.ts"
import { type EndpointHost, withEndpointHost } from "./webhookEndpoints.ts"
import { withServer } from "./withServer.ts"

const healthy = 25

/** Those that are held up by themselves: nobody listens, never an answer, one after two seconds, two of 500 first. */
const others = { gone: 5, silent: 5, slow: 10, failing: 5 } as const

/** Between two events, how many of a measurement, and how many before it, until what is held up has piled up. */
const pause_ms = 100
const measured = 100
const before = 40

/** Without the others and with them, in turns: whatever else slows the machine down slows both. */
const turns = 2

/** Answers by the first part of the path, in a thread of its own; of healthy ones it keeps how old the event was. */
const receiver = `
  const { parentPort } = require("node:worker_threads")
  let ages = []
  const tries = new Map()
  parentPort.on("message", () => { parentPort.postMessage({ ages }); ages = [] })
  require("node:http").createServer((request, response) => {
    const now = Date.now()
    const parts = []
    request.on("data", (part) => parts.push(part)).on("end", () => {
      const kind = request.url.split("/")[1]
      if (kind === "silent") return
      if (kind === "slow") return void setTimeout(() => response.writeHead(204).end(), 2000)
      const id = request.headers["webhook-id"]
      const tried = (tries.get(id) ?? 0) + 1
      if (kind === "failing") tries.set(id, tried)
      if (kind === "failing" && tried <= 2) return void response.writeHead(500).end()
      if (kind === "well") ages.push(now - Date.parse(JSON.parse(Buffer.concat(parts).toString()).timestamp))
      response.writeHead(204).end()
    })
  }).listen(0, "127.0.0.1", function () { parentPort.postMessage({ port: this.address().port }) })`

const portMessage = Schema.decodeUnknownSync(Schema.Tuple([Schema.Struct({ port: Schema.Int })]))
const agesMessage = Schema.decodeUnknownSync(Schema.Tuple([Schema.Struct({ ages: Schema.Array(Schema.Finite) })]))

const takeAges = async (worker: Worker): Promise<ReadonlyArray<number>> => {
  const answer = once(worker, "message")
  worker.postMessage("take")
  return agesMessage(await answer)[0].ages
}

/** Lets events happen at a steady pace; how long each took to the healthy receivers, in milliseconds. */
const measure = async ({ comment }: EndpointHost, worker: Worker, name: string): Promise<ReadonlyArray<number>> => {
  const tell = async (what: string, count: number) => {
    for (let n = 0; n < count; n++) await Promise.all([comment([`${name}-${what}-${n}`]), sleep(pause_ms)])
  }
  await tell("before", before)
  await takeAges(worker)
  await tell("measured", measured)
  await sleep(1_000)
  return takeAges(worker)
}

/** From an event's time to the receiver, of endpoints that answer at once, beside those that don't. */
export const webhooksLanes: Benchmark = {
  name: "webhooks-lanes",
  description: `p99 from event to receiver of ${healthy} healthy endpoints beside as many dead, slow and failing ones, against without these`,
  better: "lower",
  wanted: 1.5,
  run: () =>
    withServer({}, async ({ url }) => {
      const worker = new Worker(receiver, { eval: true })
      try {
        const [{ port }] = portMessage(await once(worker, "message"))
        return await withEndpointHost(url, async (host) => {
          for (let n = 0; n < healthy; n++) await host.addEndpoint(`http://127.0.0.1:${port}/well/${n}`)
          const unwell: Array<string> = []
          for (const [kind, count] of Object.entries(others)) {
            for (let n = 0; n < count; n++) {
              const at = kind === "gone" ? 1 : port
              unwell.push(await host.addEndpoint(`http://127.0.0.1:${at}/${kind}/${n}`))
            }
          }
          const all: { readonly without: Array<number>; readonly beside: Array<number> } = { without: [], beside: [] }
          for (let turn = 0; turn < turns; turn++) {
            for (const which of ["without", "beside"] as const) {
              const status = which === "without" ? "disabled" : "enabled"
              for (const id of unwell) await host.call("PATCH", `/v1/webhook-endpoints/${id}`, { status })
              all[which].push(...(await measure(host, worker, `${which}-${turn}`)))
            }
          }
          const expected = turns * measured * healthy
          if (all.without.length < expected || all.beside.length < expected) {
            throw new Error(`${all.without.length} and ${all.beside.length} of ${expected} deliveries arrived in time`)
          }
          const line = (what: string, ages: ReadonlyArray<number>): string =>
            `${what}: median ${quantile(ages, 0.5)} ms, p99 ${quantile(ages, 0.99)} ms, longest ${quantile(ages, 1)} ms`
          return {
            ours: quantile(all.beside, 0.99),
            baseline: quantile(all.without, 0.99),
            unit: "milliseconds",
            notes: [line("without", all.without), line("beside", all.beside)]
          }
        })
      } finally {
        await worker.terminate()
      }
    })
}
