import type { Benchmark } from "./Benchmark.ts"
import { now_ms } from "./sockets/crowdMessages.ts"
import { listenTo } from "./sockets/listener.ts"
import { median, quantile } from "./statistics.ts"
import { deliver, makeInbox, socketUrl, withInboxHosts } from "./withInboxHosts.ts"

const webhooks = 300
const warmings = 20
/** Milliseconds at the median, with the socket on another node. */
const promised_ms = 250

/** How long a customer waits for what a network says. */
export const webhookToSocket: Benchmark = {
  name: "webhook-to-socket",
  description: `from a signed webhook to its frame, ${webhooks} times, with the socket on another node: median against ${promised_ms} ms`,
  better: "lower",
  wanted: 1,
  run: () =>
    withInboxHosts(async (start) => {
      const [here, there] = [await start(), await start()]
      const inbox = await makeInbox(here, "17841400000000002")
      const near = await listenTo(socketUrl(here), inbox.key)
      const far = await listenTo(socketUrl(there), inbox.key)
      const waited = { near_ms: new Array<number>(), far_ms: new Array<number>() }
      for (let count = 0; count < warmings + webhooks; count++) {
        const id = `180000000000${String(count).padStart(5, "0")}`
        const [nearFrom, farFrom] = [near.heard.length, far.heard.length]
        const start_ms = now_ms()
        const [, nearFrame, farFrame] = await Promise.all([
          deliver(here, inbox, [id]),
          near.find(id, nearFrom),
          far.find(id, farFrom)
        ])
        if (count < warmings) continue
        waited.near_ms.push(nearFrame.at_ms - start_ms)
        waited.far_ms.push(farFrame.at_ms - start_ms)
      }
      near.close()
      far.close()
      const line = (where: string, values_ms: ReadonlyArray<number>) =>
        `socket on ${where}: median ${median(values_ms).toFixed(1)} ms, p99 ${quantile(values_ms, 0.99).toFixed(1)} ms`
      return {
        ours: median(waited.far_ms),
        baseline: promised_ms,
        unit: "ms",
        notes: [line("the node that takes the webhook", waited.near_ms), line("another node", waited.far_ms)]
      }
    })
}
