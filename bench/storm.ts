import { sleep } from "../examples/http-host/test/support/hostProcess.ts"
import type { HostProcess } from "../examples/http-host/test/support/hostProcess.ts"
import type { Benchmark } from "./Benchmark.ts"
import { startCrowd } from "./sockets/crowd.ts"
import { now_ms } from "./sockets/crowdMessages.ts"
import { type Listener, listenTo } from "./sockets/listener.ts"
import { median, quantile } from "./statistics.ts"
import { type BenchInbox, deliver, makeInbox, socketUrl, withInboxHosts } from "./withInboxHosts.ts"

const samples = 500
const every_ms = 40
/** What the other workspace makes: so many webhooks a second, with so many events each. */
const webhooksPerSecond = 50
const eventsInWebhook = 10

let made = 0
const nextId = (): string => `18${String(made++).padStart(15, "0")}`

/** How long each of many events takes from its webhook to a socket. */
const latencies = async (host: HostProcess, inbox: BenchInbox, listener: Listener, count: number) => {
  const waited_ms: Array<number> = []
  for (let sample = 0; sample < count; sample++) {
    const id = nextId()
    const from = listener.heard.length
    const start_ms = now_ms()
    const [, frame] = await Promise.all([deliver(host, inbox, [id]), listener.find(id, from)])
    waited_ms.push(frame.at_ms - start_ms)
    await sleep(Math.max(0, every_ms - (now_ms() - start_ms)))
  }
  return waited_ms
}

/** Delivers at a steady pace until it is told to end; answers how many events a second it came to. */
const startStorm = (host: HostProcess, inbox: BenchInbox) => {
  const start_ms = now_ms()
  let begun = 0
  const pending = new Set<Promise<unknown>>()
  let failure: Error | undefined
  const tick = setInterval(() => {
    while (begun < ((now_ms() - start_ms) / 1000) * webhooksPerSecond) {
      begun++
      const sent = deliver(host, inbox, Array.from({ length: eventsInWebhook }, nextId))
        .catch((error: Error) => {
          failure = error
        })
        .finally(() => pending.delete(sent))
      pending.add(sent)
    }
  }, 5)
  return async () => {
    clearInterval(tick)
    const seconds = (now_ms() - start_ms) / 1000
    await Promise.all(pending)
    if (failure !== undefined) throw failure
    return { events: begun * eventsInWebhook, perSecond: (begun * eventsInWebhook) / seconds }
  }
}

/** What one customer notices of another's busy day. */
export const storm: Benchmark = {
  name: "storm",
  description: `from a webhook to a socket of one workspace while another gets ${webhooksPerSecond * eventsInWebhook} events a second: p99 against the same without it`,
  better: "lower",
  wanted: 2,
  run: () =>
    withInboxHosts(async (start) => {
      const host = await start()
      const quiet = await makeInbox(host, "17841400000000002")
      const busy = await makeInbox(host, "17841400000000003")
      const listener = await listenTo(socketUrl(host), quiet.key)
      const crowd = startCrowd()
      try {
        await crowd.open(socketUrl(host), `Bearer ${busy.key}`, 10)
        await latencies(host, quiet, listener, 50)
        const idle_ms = await latencies(host, quiet, listener, samples)
        const endStorm = startStorm(host, busy)
        await sleep(2_000)
        const busy_ms = await latencies(host, quiet, listener, samples)
        const { events, perSecond } = await endStorm()
        listener.close()
        const line = (when: string, values_ms: ReadonlyArray<number>) =>
          `${when}: median ${median(values_ms).toFixed(1)} ms, p99 ${quantile(values_ms, 0.99).toFixed(1)} ms`
        return {
          ours: quantile(busy_ms, 0.99),
          baseline: quantile(idle_ms, 0.99),
          unit: "ms",
          notes: [
            line("idle", idle_ms),
            line("in the storm", busy_ms),
            `the other workspace got ${events} events, ${perSecond.toFixed(0)} a second`
          ]
        }
      } finally {
        await crowd.stop()
      }
    })
}
