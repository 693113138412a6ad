import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, it } from "vitest"
import { administrator, customer, type JobAnswer } from "../support/apiClient.ts"
import { ffmpegPath } from "../support/ffmpeg.ts"
import { type HostProcess, startHost, temporaryFolder } from "../support/hostProcess.ts"
import {
  freePort,
  type OwnServer,
  serverFolder,
  serverProgram,
  serverPrograms,
  startOwnServer
} from "../support/ownServer.ts"
import { pageCommands } from "../support/pageCommands.ts"
import { preparedFolder } from "../support/preparedFolder.ts"
import { makeDatabase } from "../support/testServer.ts"
import { describeUnmoved } from "../support/unmoved.ts"

const page = "docs/operations/backup-and-restore.md"
const gif = Uint8Array.from(animatedGif([10, 20]))
const places = temporaryFolder()
const { folder } = places
const commands = pageCommands(page, folder)
afterAll(places.remove)

const convert = async (calls: ReturnType<typeof customer>): Promise<JobAnswer> =>
  calls.settled((await calls.submit(await calls.upload(gif))).id)

/** Of a page's output that ends well. */
const well = ({ code, output }: { readonly code: number; readonly output: string }): string => {
  assert.strictEqual(code, 0, output)
  return output
}

// Debian has one; elsewhere these commands are not run, and the last test says so.
describeUnmoved("it restores a server of its own", serverPrograms !== undefined)(
  "docs/operations/backup-and-restore.md, with a server",
  () => {
    // The server's account has to reach them.
    const work = serverFolder(join("/tmp", `loopbox-backup-${process.pid}`))
    const backup = serverFolder(join(work, "a backup"))
    const blobs = join(work, "blobs")
    let server: OwnServer
    let host: HostProcess
    let calls: ReturnType<typeof customer>
    let secrets: Readonly<Record<string, string>> = {}
    let first: JobAnswer
    const admin = { LOOPBOX_ADMIN_TOKEN: randomBytes(24).toString("hex") }

    beforeAll(async () => {
      server = await startOwnServer(join(work, "server"))
      secrets = {
        DATABASE_URL: server.createDatabase("loopbox"),
        LOOPBOX_SECRET_KEYS: `one:${randomBytes(32).toString("base64")}`,
        LOOPBOX_BLOBS: blobs,
        LOOPBOX_FFMPEG: await ffmpegPath(),
        LOOPBOX_NETWORKS: "sandbox"
      }
      host = await startHost(folder, { ...secrets, ...admin })
      const administration = administrator(host.url, admin.LOOPBOX_ADMIN_TOKEN)
      const key = await administration.createKey(await administration.createWorkspace("growth"))
      secrets = { ...secrets, LOOPBOX_API_KEY: key }
      calls = customer(host.url, key)
      first = await convert(calls)
    })
    afterAll(async () => {
      await host.stop("SIGKILL")
      server.stop()
      rmSync(work, { recursive: true, force: true })
    })

    it("has a backup, which a drill restores into an empty place and proves", async () => {
      well(await commands.run("backup", { ...secrets, BACKUP: backup }))
      const drill = {
        ...secrets,
        BACKUP: backup,
        DRILL: join(work, "drill"),
        DRILL_URL: server.url("loopbox_drill"),
        DRILL_PORT: String(await freePort())
      }
      well(await commands.run("drill", drill))
      const proof = well(await commands.run("drill-proof", drill))
      assert.include(proof, "all 2 files that records name are there")
      assert.match(proof, /workspaces\|items\|jobs\|newest_job\n1\|0\|1\|/)
      assert.deepStrictEqual(
        Buffer.from(readFileSync(join(drill.DRILL, "video.mp4"))),
        Buffer.from(await calls.download(first.output_media_id ?? ""))
      )
      // What the proof is worth: one file less is found.
      const [workspace = ""] = readdirSync(join(drill.DRILL, "blobs")).filter((name) => name.startsWith("ws_"))
      const [file = ""] = readdirSync(join(drill.DRILL, "blobs", workspace))
      rmSync(join(drill.DRILL, "blobs", workspace, file))
      const less = await commands.run("drill-proof", drill)
      assert.strictEqual(less.code, 1)
      assert.include(less.output, "1 of 2 files are missing or have another size: med_")
    })

    it("goes back to a moment", async () => {
      const onServer = {
        ...secrets,
        BACKUP: backup,
        ADMIN_URL: server.adminUrl,
        PGDATA: server.clusterFolder,
        RESTORED: join(work, "server", "restored"),
        RESTORED_PORT: String(await freePort())
      }
      const asServer = { asServer: true, cwd: work }
      well(await commands.run("archive", onServer, asServer))
      const second = await convert(calls)
      well(await commands.run("base", onServer, asServer))
      const third = await convert(calls)
      const moment = server.run("SELECT now()")
      const fourth = await convert(calls)
      server.run("SELECT pg_switch_wal()")
      well(await commands.run("point-in-time", { ...onServer, MOMENT: moment }, asServer))
      const url = `postgresql://loopbox@127.0.0.1:${onServer.RESTORED_PORT}/loopbox`
      const restored = serverProgram("psql", url, "-Atc", "SELECT id FROM media_jobs")
      serverProgram("pg_ctl", "stop", "-m", "immediate", "-D", onServer.RESTORED)
      for (const { id } of [first, second, third]) assert.include(restored, id)
      assert.notInclude(restored, fourth.id)
    })
  }
)

describeUnmoved("it is about the embedded server")(
  "docs/operations/backup-and-restore.md, with the embedded database",
  () => {
    it("has a backup, an empty place to restore it to, and a way to a server", async () => {
      const own = await preparedFolder()
      const data = join(own.folder, ".loopbox")
      const host = await startHost(own.folder)
      const key = readFileSync(join(data, "demo-key"), "utf8").trim()
      const job = await convert(customer(host.url, key))
      const variables = {
        LOOPBOX_DATA: data,
        BACKUP: join(own.folder, "backup"),
        DRILL: join(own.folder, "drill"),
        LOOPBOX_FFMPEG: await ffmpegPath()
      }
      well(await commands.run("embedded-backup", variables, { cwd: own.folder }))
      await host.stop()
      const proof = well(await commands.run("embedded-restore", variables, { cwd: own.folder }))
      assert.include(proof, "all 2 files that records name are there")

      const url = await makeDatabase()
      const moved = well(await commands.run("move", { ...variables, SERVER_URL: url }, { cwd: own.folder }))
      assert.include(moved, "all 2 files that records name are there")
      const after = await startHost(own.folder, {
        DATABASE_URL: url,
        LOOPBOX_SECRET_KEYS: readFileSync(join(data, "secret-keys"), "utf8").trim(),
        LOOPBOX_BLOBS: join(data, "blobs"),
        LOOPBOX_NETWORKS: "sandbox"
      })
      assert.deepStrictEqual(await customer(after.url, key).job(job.id), job)
      await after.stop()
      own.remove()
    })

    it("leaves no command of the page out", () => {
      const needServer = ["backup", "drill", "drill-proof", "archive", "base", "point-in-time"]
      const left = commands.left()
      assert.deepStrictEqual(left, serverPrograms === undefined ? needServer : [])
      if (left.length > 0) process.stderr.write(`No PostgreSQL of the system: not run: ${left.join(", ")}\n`)
    })
  }
)
