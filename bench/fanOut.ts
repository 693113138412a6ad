import { once } from "node:events"
import { request } from "../examples/http-host/test/support/apiClient.ts"
import type { HostProcess } from "../examples/http-host/test/support/hostProcess.ts"
import type { Benchmark } from "./Benchmark.ts"
import { type Crowd, forkProgram, startCrowd } from "./sockets/crowd.ts"
import { now_ms } from "./sockets/crowdMessages.ts"
import { listenTo } from "./sockets/listener.ts"
import { memory_MiB } from "./sockets/memory.ts"
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

/** What each of the sockets takes that `open` opens at a server, in kB. */
const memoryOfEach = async (pid: number | undefined, open: () => Promise<unknown>): Promise<number> => {
  const before_MiB = memory_MiB(pid ?? 0)
  await open()
  return ((memory_MiB(pid ?? 0) - before_MiB) * 1_024) / sockets
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
  description: `one event to ${sockets} sockets: frames in a millisecond from the first to the last, against a bare ws server that sends the same frame to the same client process; and beside Socket.IO`,
  better: "higher",
  wanted: 0.95,
  run: () =>
    withInboxHosts(async (start) => {
      const host = await start()
      const inbox = await makeInbox(host, "17841400000000002")
      const { item, text } = await prepare(host, inbox)
      const [bare, peer] = [forkProgram("./bareProcess.ts"), forkProgram("./socketIoProcess.ts")]
      const crowd = startCrowd()
      try {
        const [[{ port }], [{ port: peerPort }]] = await Promise.all([once(bare, "message"), once(peer, "message")])
        const oursOfEach_kB = await memoryOfEach(host.pid, () =>
          crowd.frames(sockets, () => crowd.open(socketUrl(host), `Bearer ${inbox.key}`, sockets))
        )
        const bareOfEach_kB = await memoryOfEach(bare.pid, () => crowd.open(`ws://127.0.0.1:${port}/`, "none", sockets))
        const peerUrl = `ws://127.0.0.1:${peerPort}/socket.io/?EIO=4&transport=websocket`
        // It says hello twice: to the connection, and to the namespace that the client has asked for.
        const peerOfEach_kB = await memoryOfEach(peer.pid, () =>
          crowd.frames(2 * sockets, () => crowd.open(peerUrl, "none", sockets, "40"))
        )
        const runs: Array<Record<"ours" | "bare" | "peer", Awaited<ReturnType<typeof time>>>> = []
        const post = (to: number) => request(`http://127.0.0.1:${to}/`, { method: "POST", body: text })
        for (let round = 1; round <= warmings + rounds; round++) {
          const run = {
            ours: await time(crowd, () => moveThread(host, inbox, item, round)),
            bare: await time(crowd, () => post(port)),
            peer: await time(crowd, () => post(peerPort))
          }
          if (round > warmings) runs.push(run)
        }
        const of = (read: (run: (typeof runs)[number]) => number) => median(runs.map(read))
        return {
          ours: sockets / of(({ ours }) => ours.handed_ms),
          baseline: sockets / of((run) => run.bare.handed_ms),
          unit: "frames a millisecond",
          // The machine's mood changes from round to round, so each is compared with its neighbour.
          ratio: of((run) => run.bare.handed_ms / run.ours.handed_ms),
          notes: [
            `from the request (ours: with its transaction) to the last frame: ${of(({ ours }) => ours.whole_ms).toFixed(1)} ms, bare ${of((run) => run.bare.whole_ms).toFixed(1)} ms`,
            `Socket.IO: ${(sockets / of((run) => run.peer.handed_ms)).toFixed(1)} frames a millisecond; ours does ${of((run) => run.peer.handed_ms / run.ours.handed_ms).toFixed(2)} times as many`,
            `memory of each socket: ours ${oursOfEach_kB.toFixed(1)} kB, Socket.IO ${peerOfEach_kB.toFixed(1)}, bare ${bareOfEach_kB.toFixed(1)}`
          ]
        }
      } finally {
        bare.kill()
        peer.kill()
        await crowd.stop()
      }
    })
}
