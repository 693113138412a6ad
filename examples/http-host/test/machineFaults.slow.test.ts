import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { randomBytes } from "node:crypto"
import { globSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, it } from "vitest"
import { administrator, customer, request } from "./support/apiClient.ts"
import { fakedClock, faketime, losableNames, writeFfmpeg } from "./support/brokenMachine.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until } from "./support/hostProcess.ts"
import { startLoad } from "./support/load.ts"
import { type OwnServer, serverFolder, serverPrograms, startOwnServer } from "./support/ownServer.ts"
import { makeSmallDisk } from "./support/smallDisk.ts"
import { describeUnmoved } from "./support/unmoved.ts"

const appSecret = "a-secret-of-an-app-of-meta"
const account = "17841405309211844"
const gif = Uint8Array.from(animatedGif([10, 20]))

describeUnmoved("it loses the name of a server of its own", serverPrograms !== undefined)(
  "a host whose machine is broken",
  () => {
    const places = temporaryFolder()
    const { folder } = places
    const work = join("/tmp", `loopbox-machine-${process.pid}`)
    const small = join(work, "small")
    const clock = join(folder, "clock")
    const names = losableNames(folder)
    const disk = makeSmallDisk(small, "24m")
    let server: OwnServer
    let ffmpeg: Awaited<ReturnType<typeof writeFfmpeg>>
    let host: HostProcess
    let calls: ReturnType<typeof customer>
    let key = ""

    beforeAll(async () => {
      server = await startOwnServer(serverFolder(join(work, "server")))
      const url = new URL(server.createDatabase("loopbox"))
      // A name, which has to be looked up.
      url.hostname = "localhost"
      ffmpeg = await writeFfmpeg(folder)
      const adminToken = randomBytes(24).toString("hex")
      host = await startHost(folder, {
        ...fakedClock(clock),
        ...names.variables,
        DATABASE_URL: url.toString(),
        LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
        LOOPBOX_ADMIN_TOKEN: adminToken,
        LOOPBOX_BLOBS: join(small, "blobs"),
        LOOPBOX_FFMPEG: ffmpeg.program,
        LOOPBOX_PROCESSING_LIMIT: "3 seconds",
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
      key = await admin.createOwnerKey(workspace)
      calls = customer(host.url, key)
    })
    afterAll(async () => {
      await host.stop("SIGKILL")
      server.stop()
      disk.remove()
      rmSync(work, { recursive: true, force: true })
      places.remove()
    })

    const convert = async () => calls.settled((await calls.submit(await calls.upload(gif))).id, 30_000)
    const untilReady = () =>
      until("readiness", async () => ((await request(`${host.url}/readyz`)).status === 200 ? true : undefined), 30_000)

    it("fails a job whose ffmpeg hangs or lies, shows nobody what it made, and goes on with the next", async () => {
      for (const mode of ["hang", "nothing", "garbage", "other"]) {
        ffmpeg.set(mode)
        const job = await convert()
        const code = mode === "hang" ? /^processing_timeout$/ : /^gif_(?:conversion|decode)_failed$/
        assert.strictEqual(job.status, "failed", mode)
        assert.match(job.error?.code ?? "", code, mode)
        assert.isNull(job.output_media_id, mode)
        ffmpeg.set("work")
        assert.strictEqual((await convert()).status, "succeeded", mode)
      }
      // A folder goes after its job has ended, which a customer hears first.
      const scratch = join(folder, ".loopbox", "scratch")
      // Of each process, of each of its works.
      await until("an empty scratch folder", () =>
        globSync("*/*/*", { cwd: scratch }).length === 0 ? true : undefined
      )
    })

    it.skipIf(!disk.isSmall)("takes no file and loses none while the disk of the files is full", async () => {
      ffmpeg.set("work")
      const before = await convert()
      const media = await calls.upload(gif)
      disk.fill()
      const refused = await request(`${host.url}/v1/media`, {
        method: "POST",
        token: key,
        headers: { "content-type": "image/gif" },
        body: gif
      })
      // Only a row: it waits, or fails in a way that may be tried again.
      const { id } = await calls.submit(media, "while-it-is-full")
      await sleep(3_000)
      disk.giveBack()
      assert.strictEqual(refused.status, 503, refused.text)
      assert.isTrue(refused.headers.has("retry-after"))
      await untilReady()
      const job = await calls.settled(id)
      if (job.status === "failed") assert.strictEqual(job.error?.code, "output_upload_failed")
      assert.strictEqual((await calls.settled((await calls.submit(media, "afterwards")).id)).status, "succeeded")
      assert.isAbove((await calls.download(before.output_media_id ?? "")).length, 1000)
      assert.strictEqual((await convert()).status, "succeeded")
    })

    it("goes on when no name could be looked up", async () => {
      const load = startLoad({ url: host.url, key, appSecret, account, calls })
      await load.untilAnswered(50)
      names.lose()
      server.run("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'loopbox'")
      await sleep(5_000)
      assert.isAbove(load.counts.unavailable, 0)
      names.giveBack()
      await load.untilAnswered(50)
      await untilReady()
      assert.deepStrictEqual(load.wrong, [])
      await load.settle()
    })

    it.skipIf(faketime === undefined)("goes on when the clock steps back an hour, and forward again", async () => {
      const load = startLoad({ url: host.url, key, appSecret, account, calls })
      await load.untilAnswered(50)
      const clockOf = async () => (await request(`${host.url}/livez`)).headers.get("date") ?? ""
      writeFileSync(clock, "-1h\n")
      await load.untilAnswered(100)
      assert.isBelow(Date.parse(await clockOf()), Date.now() - 3_500_000)
      await sleep(3_000)
      writeFileSync(clock, "+0\n")
      await load.untilAnswered(50)
      await untilReady()
      assert.deepStrictEqual(load.wrong, [])
      await load.settle()
      assert.strictEqual((await host.stop()).code, 0)
    })
  }
)
