import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { afterAll, beforeAll, it } from "vitest"
import { administrator, customer, request } from "./support/apiClient.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until } from "./support/hostProcess.ts"
import { startLoad } from "./support/load.ts"
import { type OwnServer, serverFolder, serverPrograms, startOwnServer } from "./support/ownServer.ts"
import { startSlowProxy } from "./support/slowProxy.ts"
import { makeSmallDisk } from "./support/smallDisk.ts"
import { describeUnmoved } from "./support/unmoved.ts"

const appSecret = "a-secret-of-an-app-of-meta"
const account = "17841405309211844"

describeUnmoved("it breaks a server of its own", serverPrograms !== undefined)(
  "a host whose database is broken under load",
  () => {
    const places = temporaryFolder()
    const { folder } = places
    const work = join("/tmp", `loopbox-faults-${process.pid}`)
    // Room enough, until a test takes it away.
    const disk = makeSmallDisk(work, "700m")
    let server: OwnServer
    let proxy: Awaited<ReturnType<typeof startSlowProxy>>
    let host: HostProcess
    let load: ReturnType<typeof startLoad>

    beforeAll(async () => {
      server = await startOwnServer(serverFolder(join(work, "server")), { min_wal_size: "32MB", max_wal_size: "64MB" })
      proxy = await startSlowProxy(server.port)
      const url = new URL(server.createDatabase("loopbox"))
      url.port = String(proxy.port)
      const adminToken = randomBytes(24).toString("hex")
      host = await startHost(folder, {
        DATABASE_URL: url.toString(),
        LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
        LOOPBOX_ADMIN_TOKEN: adminToken,
        LOOPBOX_FFMPEG: await ffmpegPath(),
        LOOPBOX_META_APP_SECRETS: appSecret,
        LOOPBOX_NETWORKS: "sandbox",
        LOOPBOX_POLL_EVERY: "off",
        LOOPBOX_RATE_LIMIT: "off",
        LOOPBOX_LEASE: "5 seconds"
      })
      const admin = administrator(host.url, adminToken)
      const limits = { active_jobs: 100, gif_conversions_per_24h: 10_000 }
      const workspace = await admin.createWorkspace("enterprise", limits)
      await admin.connectAccount(workspace, "instagram", account)
      const key = await admin.createOwnerKey(workspace)
      load = startLoad({ url: host.url, key, appSecret, account, calls: customer(host.url, key) })
      await load.untilAnswered(50)
    })
    afterAll(async () => {
      await host.stop("SIGKILL")
      proxy.stop()
      server.stop()
      disk.remove()
      places.remove()
    })

    /** The server's processes. */
    const processes = (): ReadonlyArray<number> => {
      const children = spawnSync("sh", ["-c", `pgrep -P ${server.pid()}`], { encoding: "utf8" }).stdout
      return [server.pid(), ...children.split("\n").filter(Boolean).map(Number)]
    }
    const signal = (name: NodeJS.Signals) => {
      for (const pid of processes()) spawnSync("kill", [`-${name.slice(3)}`, String(pid)])
    }

    /** Ends well: callers are answered as before, in the process that was there before, and nothing but 503 was answered between. */
    const isHealed = async (unavailable: number) => {
      await load.untilAnswered(50)
      const ready = async () => ((await request(`${host.url}/readyz`)).status === 200 ? true : undefined)
      await until("readiness", ready, 60_000)
      assert.deepStrictEqual(load.wrong, [])
      assert.isAtLeast(load.counts.unavailable, unavailable)
    }

    it("goes on when it stood still for 10 seconds", async () => {
      const before = load.counts.unavailable
      signal("SIGSTOP")
      await sleep(10_000)
      // On a slow machine no call may have waited for its whole time yet.
      await until("the first refusal", () => (load.counts.unavailable > before ? true : undefined), 20_000)
      signal("SIGCONT")
      await isHealed(before + 1)
    })

    it("goes on when it was gone for 10 seconds and was started again", async () => {
      const before = load.counts.unavailable
      server.stop("immediate")
      await sleep(10_000)
      server.start()
      await isHealed(before + 1)
    })

    it("goes on when its connections were cut in the middle of whatever they did", async () => {
      for (let time = 0; time < 25; time++) {
        server.run("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'loopbox'")
        await sleep(100)
      }
      await isHealed(0)
    })

    it("goes on while every statement is answered late", async () => {
      proxy.delay(150)
      await sleep(8_000)
      proxy.delay(0)
      await isHealed(0)
    })

    it.skipIf(!disk.isSmall)("goes on when its disk was full", async () => {
      const before = load.counts.unavailable
      disk.fill()
      // It may stop itself, as it does when its log cannot be written; then somebody starts it again.
      await until("the first refusal", () => (load.counts.unavailable > before ? true : undefined), 60_000)
      await sleep(5_000)
      disk.giveBack()
      if (!server.isRunning()) server.start()
      await isHealed(before + 1)
    })

    it("has all that was acknowledged, once", async () => {
      const told = await load.settle()
      assert.isAbove(told.delivered, 100)
      assert.isAbove(told.submitted, 10)
      // Each call to the database is given up in time.
      assert.isBelow(load.slowest(), 30_000)
      assert.strictEqual((await host.stop()).code, 0)
    })
  }
)
