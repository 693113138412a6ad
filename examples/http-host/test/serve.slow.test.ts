import * as PgClient from "@effect/sql-pg/PgClient"
import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, it } from "vitest"
import { administrator, customer, request } from "./support/apiClient.ts"
import {
  allOutput,
  type HostProcess,
  runCliProcess,
  sleep,
  startHost,
  temporaryFolder,
  until
} from "./support/hostProcess.ts"
import { embeddedUrl, onDatabase } from "./support/databaseDump.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"
import { describeUnmoved } from "./support/unmoved.ts"

const run = promisify(execFile)
const places = temporaryFolder()
afterAll(places.remove)
const { folder } = places
const data = join(folder, ".loopbox")
const secret = (name: string): string => readFileSync(join(data, name), "utf8").trim()

describeUnmoved("it has settings")("loopbox serve, with nothing configured", () => {
  it("makes a Demo workspace and prints commands that upload, convert and download as they are", async () => {
    const host = await startHost(folder)
    // It is told after the line by which a host is known to listen.
    const printed = await until("the commands", () => {
      const output = host.output()
      return output.includes("loopbox-demo.mp4") ? output : undefined
    })
    assert.include(printed, secret("demo-key"))
    assert.include(printed, join(data, "admin-token"))
    assert.notInclude(printed, secret("admin-token"))
    assert.notInclude(printed, secret("secret-keys"))
    assert.notInclude(printed, secret("dashboard-key"))
    for (const name of ["demo-key", "admin-token", "secret-keys", "dashboard-key"]) {
      assert.strictEqual(statSync(join(data, name)).mode & 0o777, 0o600, name)
    }
    assert.strictEqual(statSync(data).mode & 0o066, 0)

    const commands = printed.split("\n").filter((line) => /^(node|curl|JOB=)/.test(line))
    // A look into the inbox, then from the GIF to the MP4.
    assert.strictEqual(commands.length, 4)
    // Each in a shell of its own: nothing is handed on but files.
    for (const command of commands) await run("sh", ["-c", command], { cwd: folder })
    const video = readFileSync(join(folder, "loopbox-demo.mp4"))
    assert.strictEqual(video.subarray(4, 8).toString("latin1"), "ftyp")

    // The reader's own Node may be too old for Loopbox; the answer to a comment is printed so that it is not needed.
    const answer = printed.split("\n").find((line) => line.startsWith("until ITEM=")) ?? "false"
    writeFileSync(join(folder, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
    const path = `${folder}:${process.env["PATH"]}`
    const { stdout } = await run("sh", ["-c", answer], { cwd: folder, env: { ...process.env, PATH: path } })
    assert.strictEqual(stdout.match(/Thank you for asking!/g)?.length, 2, stdout)
    const ended = await host.stop()
    assert.strictEqual(ended.code, 0)
  })

  it("finds the same data at the second start and says where the key is", async () => {
    const host = await startHost(folder)
    const key = secret("demo-key")
    await until("where the key is", () => (host.output().includes(join(data, "demo-key")) ? true : undefined))
    assert.notInclude(host.output(), key)
    const list = await request(`${host.url}/v1/media/gif-conversions`, { token: key })
    assert.include(list.text, '"succeeded"')
    assert.strictEqual((await host.stop("SIGINT")).code, 0)
    assert.isFalse(existsSync(join(data, "serve.json")))
  })

  it("shows the tour at the start that can listen, if the first one found its port taken", async () => {
    const other = await preparedFolder()
    const taken = createServer()
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, "127.0.0.1", () => {
        const address = taken.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    )
    try {
      assert.strictEqual((await runCliProcess(["serve", "--port", String(port)], other.folder)).code, 1)
      const second = await startHost(other.folder)
      await until("the tour", () => (second.output().includes("loopbox-demo.mp4") ? true : undefined))
      await second.stop()
      const third = await startHost(other.folder)
      await until("its places", () => (third.output().includes("Loopbox serves") ? true : undefined))
      assert.notInclude(third.output(), "loopbox-demo.mp4")
      await third.stop()
    } finally {
      taken.close()
      other.remove()
    }
  })

  it("goes on where the database goes away before the link to the console is made", async () => {
    const own = temporaryFolder()
    try {
      const before = await startHost(own.folder)
      const url = embeddedUrl(join(own.folder, ".loopbox"))
      await onDatabase(
        url,
        Effect.gen(function* () {
          const sql = yield* PgClient.PgClient
          yield* sql`CREATE FUNCTION is_away() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN RAISE EXCEPTION ''away'' USING ERRCODE = ''57P03''; END'`
          yield* sql`CREATE TRIGGER away BEFORE INSERT ON console_grants FOR EACH ROW EXECUTE FUNCTION is_away()`
        })
      )
      await before.stop()
      const host = await startHost(own.folder)
      await until("the warning", () => (host.output().includes("what to try is not shown") ? true : undefined))
      assert.strictEqual((await request(`${host.url}/readyz`)).status, 200)
      assert.strictEqual((await host.stop()).code, 0)
    } finally {
      own.remove()
    }
  })

  it("goes on after kill -9, with what it had accepted", async () => {
    const before = await startHost(folder, { LOOPBOX_LEASE: "3 seconds" })
    const key = secret("demo-key")
    const gif = await customer(before.url, key).upload(Uint8Array.from(animatedGif([10, 20])))
    const { id } = await customer(before.url, key).submit(gif)
    await before.stop("SIGKILL")
    const after = await startHost(folder)
    const job = await customer(after.url, key).settled(id)
    assert.strictEqual(job.status, "succeeded")
    const video = await customer(after.url, key).download(job.output_media_id ?? "")
    assert.isAbove(video.length, 1000)
    const ready = await request(`${after.url}/readyz`)
    assert.strictEqual(ready.status, 200, ready.text)
    await after.stop()
    assert.deepStrictEqual(
      existsSync(join(data, "scratch"))
        ? readdirSync(join(data, "scratch")).flatMap((name) => readdirSync(join(data, "scratch", name)))
        : [],
      []
    )
  })

  describe("while one host runs", () => {
    let host: HostProcess
    beforeAll(async () => {
      host = await startHost(folder)
    })
    afterAll(async () => {
      await host.stop()
    })

    it("refuses a second host on the same data folder and names the holder", async () => {
      const second = await runCliProcess(["serve", "--port", "0"], folder)
      assert.strictEqual(second.code, 1)
      assert.include(second.output, String(host.pid))
    })

    it("says that the port is taken, and closes what it opened", async () => {
      const other = await preparedFolder()
      const second = await runCliProcess(["serve", "--port", new URL(host.url).port], other.folder)
      assert.strictEqual(second.code, 1)
      assert.match(second.output, /Cannot listen on 127\.0\.0\.1:\d+: it is taken/)
      assert.isFalse(existsSync(join(other.folder, ".loopbox", "postgres", "data", "postmaster.pid")))
      other.remove()
    })

    it("is administered by commands that find it through the data folder", async () => {
      const cli = async (...args: ReadonlyArray<string>) => runCli([...args, "--json"], folder)
      const made = await cli("workspace", "create", "--name", "Acme", "--plan", "basic")
      assert.strictEqual(made.code, 0, made.output)
      const { id } = JSON.parse(made.output)
      assert.include((await cli("workspace", "list")).output, id)
      assert.strictEqual((await cli("workspace", "update", id, "--plan", "team")).code, 0)
      assert.strictEqual((await cli("member", "set", id, "u1", "--role", "admin")).code, 0)
      const issued = JSON.parse((await cli("key", "create", id, "--name", "k", "--creator", "u1")).output)
      assert.match(issued.key, /^lbx_test_/)
      assert.strictEqual((await request(`${host.url}/v1/media`, { token: issued.key })).status, 200)
      assert.strictEqual((await cli("key", "revoke", id, issued.id)).code, 0)
      assert.strictEqual((await request(`${host.url}/v1/media`, { token: issued.key })).status, 401)
      assert.strictEqual((await cli("member", "remove", id, "u1")).code, 0)
      assert.strictEqual((await cli("workspace", "erase", id)).code, 1)
      assert.strictEqual((await cli("workspace", "erase", id, "--yes")).code, 0)
      const wrong = await cli("workspace", "update", id, "--plan", "team")
      assert.strictEqual(wrong.code, 1)
      assert.match(wrong.output, /^loopbox: .*NOT_FOUND/)
      const doctor = await runCli(["doctor", "--repair"], folder)
      assert.strictEqual(doctor.code, 0, doctor.output)
      assert.include(doctor.output, "the unread counters agree with the items")
      const admin = administrator(host.url, secret("admin-token"))
      assert.match(await admin.createWorkspace("free"), /^ws_/)
    })
  })

  it("writes no secret but the key that it shows once", async () => {
    await sleep(0)
    const output = allOutput(folder)
    assert.notInclude(output, secret("admin-token"))
    for (const part of secret("secret-keys").split(",")) assert.notInclude(output, part.split(":")[1] ?? part)
    assert.strictEqual(output.split(secret("demo-key")).length - 1, 1)
  })
})
