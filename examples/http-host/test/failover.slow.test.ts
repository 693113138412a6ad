import { assert } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { afterAll, it } from "vitest"
import { administrator, request } from "./support/apiClient.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until, type Variables } from "./support/hostProcess.ts"
import { openSocket } from "./support/inboxClient.ts"
import { follow, lastNumber, walk, workspaceScope } from "./support/inboxStream.ts"
import { metaDelivery } from "./support/metaDelivery.ts"
import { postgresPrograms, startReplicated } from "./support/replicatedPostgres.ts"
import { describeUnmoved } from "./support/unmoved.ts"

const appSecret = "a-secret-of-an-app-of-meta"
const adminToken = randomBytes(24).toString("hex")
const page = "17841405309211844"

const delivery = (id: string) => {
  const value = { id, text: `Number ${id}`, from: { id: "5", username: "reader" }, media: { id: "9" } }
  const entry = [{ id: page, time: 1_771_322_400, changes: [{ field: "comments", value }] }]
  return metaDelivery(appSecret, { object: "instagram", entry })
}

const places = temporaryFolder()
const closers: Array<() => unknown> = [places.remove]
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const start = async (name: string, url: string, blobs = "blobs"): Promise<HostProcess> => {
  const variables: Variables = {
    DATABASE_URL: url,
    LOOPBOX_DATA: join(places.folder, name),
    LOOPBOX_BLOBS: join(places.folder, blobs),
    LOOPBOX_SECRET_KEYS: `first:${Buffer.alloc(32, 7).toString("base64")}`,
    LOOPBOX_ADMIN_TOKEN: adminToken,
    LOOPBOX_META_APP_SECRETS: appSecret,
    LOOPBOX_NETWORKS: "sandbox",
    LOOPBOX_FFMPEG: await ffmpegPath()
  }
  const host = await startHost(places.folder, variables)
  closers.push(() => host.stop("SIGKILL"))
  return host
}

/** A workspace with an Instagram account; its key. */
const connect = async (url: string): Promise<string> => {
  const admin = administrator(url, adminToken)
  const workspace = await admin.createWorkspace("basic")
  const key = await admin.createOwnerKey(workspace)
  await admin.connectAccount(workspace, "instagram", page)
  return key
}

/** Comments that come in at both hosts until it is over; what was answered 200, and what else was answered. */
const deliverEverywhere = (hosts: ReadonlyArray<HostProcess>) => {
  const taken = new Set<string>()
  const others: Array<string> = []
  let isOver = false
  let lastRefusal_ms = 0
  const lane = async (host: HostProcess, name: number) => {
    for (let at = 0; !isOver; at++) {
      const id = `19${name}00000000${String(at).padStart(6, "0")}`
      const answer = await request(`${host.url}/v1/webhooks/meta`, delivery(id))
      if (answer.status === 200) taken.add(id)
      else {
        lastRefusal_ms = performance.now()
        if (answer.status !== 503 || answer.headers.get("retry-after") === null) others.push(answer.text)
        await sleep(50)
      }
    }
  }
  const lanes = Promise.all(hosts.flatMap((host, i) => [lane(host, 2 * i), lane(host, 2 * i + 1)]))
  const stop = async () => {
    isOver = true
    await lanes
  }
  return { taken, others, stop, lastRefusal_ms: () => lastRefusal_ms }
}

// Debian's PostgreSQL has the programs that replicate; .ci/run installs it.
describeUnmoved("it kills a primary of its own", postgresPrograms !== undefined)(
  "hosts whose primary dies, with a standby in their address",
  () => {
    it("go on at the standby within 15 s, have all that they said they had, and tell it once", async () => {
      const servers = await startReplicated("synchronous")
      closers.push(servers.remove)
      const hosts = [await start("one", servers.url), await start("two", servers.url)]
      const [one, two] = hosts
      const urlOf = (host: HostProcess | undefined) => host?.url ?? ""
      const key = await connect(urlOf(one))
      const following = follow(() => urlOf(two), key, await lastNumber(urlOf(one), key))

      const { lastRefusal_ms, others, stop, taken } = deliverEverywhere(hosts)
      await until("some answers", () => (taken.size >= 100 ? true : undefined))
      await servers.kill()
      const died_ms = performance.now()
      servers.promote()
      const before = taken.size
      await until("answers of the new primary", () => (taken.size >= before + 200 ? true : undefined))
      await stop()
      assert.isBelow(lastRefusal_ms() - died_ms, 15_000)
      assert.deepStrictEqual(others, [])

      const listed = await until("all that was taken", async () => {
        const items = await walk(urlOf(one), key, workspaceScope)
        return items.length >= taken.size ? items.map(({ external_id }) => external_id) : undefined
      })
      assert.strictEqual(new Set(listed).size, listed.length)
      const stored = new Set(listed)
      assert.deepStrictEqual(
        Array.from(taken).filter((id) => !stored.has(id)),
        []
      )
      const last = await lastNumber(urlOf(one), key)
      await until("the last event", async () => ((await lastNumber(urlOf(two), key)) >= last ? true : undefined))
      await sleep(1_000)
      const { events } = await following.stop()
      const born = events.flatMap((event) => (event.type === "inbox.new_item" ? [event.item.external_id] : []))
      assert.deepStrictEqual(born.toSorted(), listed.toSorted())
      const numbers = events.map(({ seq }) => seq)
      assert.deepStrictEqual(
        numbers,
        numbers.toSorted((a, b) => a - b)
      )
      // Once, though the listener follows the servers beside the pools.
      assert.lengthOf((one?.output() ?? "").match(/another server of the database is the primary now/g) ?? [], 1)
      const metrics = (await request(`${urlOf(one)}/metrics`)).text
      assert.match(metrics, /loopbox_database_primary_changes_total(\{[^}]*\})? 1$/m)
    })

    it("tell their sockets to look anew where an asynchronous standby had not got what was acknowledged", async () => {
      const servers = await startReplicated("asynchronous")
      closers.push(servers.remove)
      const host = await start("three", servers.url, "other blobs")
      const key = await connect(host.url)
      const deliver = (id: string) => request(`${host.url}/v1/webhooks/meta`, delivery(id))
      const listed = async () => (await walk(host.url, key, workspaceScope)).map(({ external_id }) => external_id)
      const hasAll = (ids: ReadonlyArray<string>) =>
        until("the items", async () => {
          const found = await listed()
          return ids.every((id) => found.includes(id)) ? true : undefined
        })
      const kept = "19900000000000001"
      assert.strictEqual((await deliver(kept)).status, 200)
      await hasAll([kept])
      await servers.caughtUp()
      const socket = await openSocket(host.url, key)
      await servers.cutStandby()
      const lost = ["19900000000000002", "19900000000000003", "19900000000000004"]
      for (const id of lost) assert.strictEqual((await deliver(id)).status, 200)
      await hasAll([kept, ...lost])
      await until("the events", () => (socket.frames.length > lost.length ? true : undefined))
      await servers.kill()
      servers.promote()
      const resync = await until("the word to look anew", () =>
        socket.frames.find(({ type }) => type === "resync_required")
      )
      assert.isBelow(resync.seq ?? 0, socket.frames[lost.length]?.seq ?? 0)
      assert.deepStrictEqual(await listed(), [kept])
      const next = "19900000000000005"
      await until("an answer of the new primary", async () => ((await deliver(next)).status === 200 ? true : undefined))
      await until("its event", () => socket.frames.find(({ item }) => item?.external_id === next))
      assert.deepStrictEqual((await listed()).toSorted(), [kept, next])
      socket.close()
    })
  }
)
