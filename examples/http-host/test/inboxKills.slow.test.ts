import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { request } from "./support/apiClient.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until } from "./support/hostProcess.ts"
import { clusterFolder, postmaster } from "./support/embeddedServer.ts"
import { openSocket } from "./support/inboxClient.ts"
import { lastNumber, replay, walk, workspaceScope } from "./support/inboxStream.ts"
import { metaDelivery } from "./support/metaDelivery.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { describeUnmoved } from "./support/unmoved.ts"

const places = await preparedFolder()
const { folder } = places
afterAll(places.remove)

const appSecret = "a-secret-of-an-app-of-meta"
const demoPage = "17841400000000001"
const rounds = 4
const commentsInRound = 40

const delivery = (id: string) => {
  const value = { id, text: `Number ${id}`, from: { id: "5", username: "reader" }, media: { id: "9" } }
  const entry = [{ id: demoPage, time: 1_771_322_400, changes: [{ field: "comments", value }] }]
  return metaDelivery(appSecret, { object: "instagram", entry })
}

/** Delivers comments one after the other; adds the ids of those that were answered 200. */
const deliverAll = async (host: HostProcess, ids: ReadonlyArray<string>, taken: Array<string>): Promise<void> => {
  for (const id of ids) {
    const status = await request(`${host.url}/v1/webhooks/meta`, delivery(id)).then(
      (answer) => answer.status,
      () => 0
    )
    if (status === 200) taken.push(id)
  }
}

describe("kill -9 of a host that takes webhooks", () => {
  it("loses nothing that was answered 200, stores it once, and tells it once over a resumed socket", async () => {
    const variables = { LOOPBOX_META_APP_SECRETS: appSecret }
    let host = await startHost(folder, variables)
    const key = readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()
    const first = await openSocket(host.url, key)
    const begun = first.frames[0]?.seq ?? 0
    first.close()

    const taken: Array<string> = []
    for (let round = 0; round < rounds; round++) {
      const ids = Array.from({ length: commentsInRound }, (_, at) => `18${round}00000000${String(at).padStart(4, "0")}`)
      const before = taken.length
      const delivering = deliverAll(host, ids, taken)
      // A number of answers, not a time, so that a slow machine is killed amid the deliveries as well.
      await until("some answers", () => (taken.length >= before + 5 * (round + 1) ? true : undefined), 120_000, 1)
      await host.stop("SIGKILL")
      await delivering
      host = await startHost(folder, variables)
    }
    // What was cut off may be stored as well: the network does not know, and tries again.
    const again: Array<string> = []
    await deliverAll(host, taken, again)
    assert.strictEqual(again.length, taken.length)

    const socket = await openSocket(host.url, key, `&after=${begun}`)
    const told = () =>
      socket.frames.flatMap(({ item, type }) =>
        type === "inbox.new_item" && item !== undefined ? [item.external_id] : []
      )
    await until("every event", () => (taken.every((id) => told().includes(id)) ? true : undefined))
    assert.strictEqual(new Set(told()).size, told().length)
    const numbers = socket.frames.flatMap(({ seq, type }) => (type === "hello" || seq === undefined ? [] : [seq]))
    assert.deepStrictEqual(
      numbers,
      numbers.toSorted((a, b) => a - b)
    )
    socket.close()
    assert.strictEqual((await host.stop()).code, 0)
  })
})

describeUnmoved("it kills the embedded server")("PostgreSQL that is restarted while webhooks come in", () => {
  it("loses nothing that was answered 200, and is 503 meanwhile", async () => {
    const own = temporaryFolder()
    const data = join(own.folder, ".loopbox")
    const host = await startHost(own.folder, { LOOPBOX_META_APP_SECRETS: appSecret })
    try {
      const key = readFileSync(join(data, "demo-key"), "utf8").trim()
      const begun = await lastNumber(host.url, key)
      const statuses = new Set<number>()
      const taken = new Set<string>()
      let isOver = false
      const lane = async (name: number) => {
        for (let at = 0; !isOver; at++) {
          const id = `19${name}00000000${String(at).padStart(6, "0")}`
          const { status } = await request(`${host.url}/v1/webhooks/meta`, delivery(id))
          statuses.add(status)
          if (status === 200) taken.add(id)
          else await sleep(50)
        }
      }
      const lanes = Promise.all([0, 1, 2, 3].map(lane))
      for (const signal of ["SIGINT", "SIGKILL"] as const) {
        await sleep(1_500)
        process.kill(Number(postmaster(clusterFolder(data))[0]), signal)
        const before = taken.size
        await until("a delivery after the restart", () => (taken.size > before + 100 ? true : undefined))
      }
      isOver = true
      await lanes
      assert.deepStrictEqual(statuses, new Set([200, 503]))

      const isOurs = (externalId: string) => externalId.startsWith("19")
      const born = await until("every event", async () => {
        const events = await replay(host.url, key, workspaceScope, begun)
        const ids = events.flatMap((event) => (event.type === "inbox.new_item" ? [event.item.external_id] : []))
        return ids.filter(isOurs).length >= taken.size ? ids.filter(isOurs) : undefined
      })
      assert.strictEqual(new Set(born).size, born.length)
      const listed = (await walk(host.url, key, workspaceScope)).map(({ external_id }) => external_id).filter(isOurs)
      assert.deepStrictEqual(listed.toSorted(), born.toSorted())
      const stored = new Set(listed)
      assert.deepStrictEqual(
        Array.from(taken).filter((id) => !stored.has(id)),
        []
      )
      assert.strictEqual((await host.stop()).code, 0)
    } finally {
      await host.stop("SIGKILL")
      own.remove()
    }
  })
})
