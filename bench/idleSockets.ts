import { peakMemory_MiB, sleep } from "../examples/http-host/test/support/hostProcess.ts"
import type { Benchmark } from "./Benchmark.ts"
import { startCrowd } from "./sockets/crowd.ts"
import { memory_MiB } from "./sockets/memory.ts"
import { deliver, makeInbox, socketUrl, withInboxHosts } from "./withInboxHosts.ts"

const sockets = 10_000
const users = 100
/** MiB that the server may take. */
const allowed_MiB = 512
/** Two heartbeats, and a moment. */
const idle_ms = 65_000

/** What a socket costs that only waits. */
export const idleSockets: Benchmark = {
  name: "sockets",
  description: `peak memory of a host with ${sockets} idle sockets, half of them of ${users} managed users, over two heartbeats, against ${allowed_MiB} MiB`,
  better: "lower",
  wanted: 1,
  run: () =>
    withInboxHosts(async (start) => {
      const host = await start()
      const inbox = await makeInbox(host, "17841400000000002", users)
      const before_MiB = memory_MiB(host.pid)
      const crowd = startCrowd()
      try {
        const authorization = `Bearer ${inbox.key}`
        await crowd.open(socketUrl(host), authorization, sockets / 2)
        for (let user = 0; user < users; user++) {
          await crowd.open(socketUrl(host, `user_${user}`), authorization, sockets / 2 / users)
        }
        await sleep(idle_ms)
        const { leastPings, open } = await crowd.look()
        if (open !== sockets || leastPings < 2) throw new Error(`${open} sockets are open, pinged ${leastPings} times`)
        const idle_MiB = memory_MiB(host.pid)
        // They are not only open: an event of the workspace reaches those that follow all of it.
        const { first_ms, last_ms } = await crowd.frames(sockets / 2, () => deliver(host, inbox, ["18000000000000001"]))
        return {
          ours: peakMemory_MiB(host.pid),
          baseline: allowed_MiB,
          unit: "MiB",
          notes: [
            `resident: ${before_MiB.toFixed(0)} MiB without sockets, ${idle_MiB.toFixed(0)} MiB with ${sockets}`,
            `each was pinged at least ${leastPings} times; an event then took ${(last_ms - first_ms).toFixed(0)} ms to ${sockets / 2} of them`
          ]
        }
      } finally {
        await crowd.stop()
      }
    })
}
