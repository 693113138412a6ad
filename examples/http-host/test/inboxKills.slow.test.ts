import { assert } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { request } from "./support/apiClient.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until } from "./support/hostProcess.ts"
import { openSocket } from "./support/inboxClient.ts"

const places = temporaryFolder()
const { folder } = places
afterAll(places.remove)

const appSecret = "a-secret-of-an-app-of-meta"
const demoPage = "17841400000000001"
const rounds = 4
const commentsInRound = 40

const delivery = (id: string) => {
  const value = { id, text: `Number ${id}`, from: { id: "5", username: "reader" }, media: { id: "9" } }
  const entry = [{ id: demoPage, time: 1_771_322_400, changes: [{ field: "comments", value }] }]
  const body = JSON.stringify({ object: "instagram", entry })
  const signature = `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`
  return { method: "POST", body, headers: { "x-hub-signature-256": signature } }
}

/** Delivers comments one after the other; the ids of those that were answered 200. */
const deliverAll = async (host: HostProcess, ids: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const taken: Array<string> = []
  for (const id of ids) {
    const status = await request(`${host.url}/v1/webhooks/meta`, delivery(id)).then(
      (answer) => answer.status,
      () => 0
    )
    if (status === 200) taken.push(id)
  }
  return taken
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
      const delivering = deliverAll(host, ids)
      await sleep(150 + 100 * round)
      await host.stop("SIGKILL")
      taken.push(...(await delivering))
      host = await startHost(folder, variables)
    }
    assert.isAbove(taken.length, rounds)
    // What was cut off may be stored as well: the network does not know, and tries again.
    const again = await deliverAll(host, taken)
    assert.strictEqual(again.length, taken.length)

    const socket = await openSocket(host.url, key, `&after=${begun}`)
    const told = () =>
      socket.frames.flatMap(({ item, type }) =>
        type === "inbox.new_item" && item !== undefined ? [item.external_id] : []
      )
    await until("every event", () => (taken.every((id) => told().includes(id)) ? true : undefined), 90_000)
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
