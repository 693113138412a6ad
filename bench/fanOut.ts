import { once } from "node:events"
import { request } from "../examples/http-host/test/support/apiClient.ts"
import type { HostProcess } from "../examples/http-host/test/support/hostProcess.ts"
import type { Benchmark } from "./Benchmark.ts"
import { type Crowd, forkProgram, startCrowd } from "./sockets/crowd.ts"
import { now_ms } from "./sockets/crowdMessages.ts"
import { listenTo } from "./sockets/listener.ts"
import { median } from "./statistics.ts"
import { type BenchInbox, deliver, makeInbox, socketUrl, withInboxHosts } from "./withInboxHosts.ts"

const sockets = 5_000
const warmings = 5
const rounds = 60

/** How long an event takes: from the request that causes it, and from its first frame, to its last. */
const time = async (crowd: Crowd, cause: () => Promise<unknown>) => {
  const start_ms = now_ms()
  const { first_ms, last_ms } = await crowd.frames(sockets, cause)
  return { handed_ms: last_ms - first_ms, whole_ms: last_ms - start_ms }
}

/** One more move of a thread, and nothing else happens. */
const moveThread = async ({ url }: HostProcess, { key }: BenchInbox, item: string, round: number) => {
  const { status, text } = await request(`${url}/v1/inbox/${item}/thread-state?inbox_scope=workspace`, {
    method: "POST",
    token: key,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ thread_status: round % 2 === 0 ? "resolved" : "open" })
  })
  if (status !== 200) throw new Error(`thread-state: ${status} ${text}`)
}

/** An item, and the text of the frame that its thread's move makes. */
const prepare = async (host: HostProcess, inbox: BenchInbox) => {
  const listener = await listenTo(socketUrl(host), inbox.key)
  await deliver(host, inbox, ["18000000000000001"])
  const item = /"id":"(itm_\w+)"/.exec((await listener.find("inbox.new_item")).text)?.[1] ?? ""
  await moveThread(host, inbox, item, 0)
  const { text } = await listener.find("inbox.thread_updated")
  listener.close()
  return { item, text }
}

/** What an event costs for each of many sockets, beside what `ws` and the machine take for it. */
export const fanOut: Benchmark = {
  name: "fan-out",
  description: `one event to ${sockets} sockets: frames in a millisecond from the first to the last, against a bare ws server that sends the same frame to the same client process`,
  better: "higher",
  wanted: 0.9,
  run: () =>
    withInboxHosts(async (start) => {
      const host = await start()
      const inbox = await makeInbox(host, "17841400000000002")
      const { item, text } = await prepare(host, inbox)
      const bare = forkProgram("./bareProcess.ts")
      const crowd = startCrowd()
      try {
        const [{ port }] = await once(bare, "message")
        await crowd.frames(sockets, () => crowd.open(socketUrl(host), `Bearer ${inbox.key}`, sockets))
        await crowd.open(`ws://127.0.0.1:${port}/`, "none", sockets)
        const runs: Array<{
          readonly ours: Awaited<ReturnType<typeof time>>
          readonly bare: Awaited<ReturnType<typeof time>>
        }> = []
        for (let round = 1; round <= warmings + rounds; round++) {
          const ours = await time(crowd, () => moveThread(host, inbox, item, round))
          const theirs = await time(crowd, () => request(`http://127.0.0.1:${port}/`, { method: "POST", body: text }))
          if (round > warmings) runs.push({ ours, bare: theirs })
        }
        const of = (read: (run: (typeof runs)[number]) => number) => median(runs.map(read))
        return {
          ours: sockets / of(({ ours }) => ours.handed_ms),
          baseline: sockets / of((run) => run.bare.handed_ms),
          unit: "frames a millisecond",
          // The machine's mood changes from round to round, so each is compared with its neighbour.
          ratio: of((run) => run.bare.handed_ms / run.ours.handed_ms),
          notes: [
            `from the request (ours: with its transaction) to the last frame: ${of(({ ours }) => ours.whole_ms).toFixed(1)} ms, bare ${of((run) => run.bare.whole_ms).toFixed(1)} ms`
          ]
        }
      } finally {
        bare.kill()
        await crowd.stop()
      }
    })
}
