import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, it } from "vitest"
import { hasPromtool, judgeAlarm, scrape, scrapeUntil } from "../support/alarms.ts"
import { request } from "../support/apiClient.ts"
import { citus } from "../support/citusDatabase.ts"
import { type HostProcess, startHost, temporaryFolder, type Variables } from "../support/hostProcess.ts"
import { freePort } from "../support/ownServer.ts"
import { runCli } from "../support/runCli.ts"
import { runbookPage } from "../support/runbook.ts"
import { describeUnmoved } from "../support/unmoved.ts"

const program = join(import.meta.dirname, "../../../../.ci/citus.sh")

// A cluster of its own, for its worker is stopped. Where the extension isn't installed (LOOPBOX_TEST_CITUS), this is left out.
describeUnmoved("it stops a server of its own", citus !== undefined && hasPromtool)("LoopboxNodeAway", () => {
  const { folder, remove } = temporaryFolder()
  const cluster = join("/tmp", `loopbox-nodes-${process.pid}`)
  let ports: ReadonlyArray<string> = []
  let settings: Variables = {}
  let host: HostProcess | undefined

  /** Starts the servers that do not run, and gives the coordinator's address. */
  const startServers = (): string => {
    const { status, stderr, stdout } = spawnSync("bash", [program, cluster, ...ports], { encoding: "utf8" })
    assert.strictEqual(status, 0, stderr)
    return stdout.trim().split("\n").at(-1) ?? ""
  }
  const stopServer = (place: number): void => {
    const [pid] = readFileSync(join(cluster, `n${place}`, "postmaster.pid"), "utf8").split("\n")
    process.kill(Number(pid), "SIGINT")
  }
  const command = async (...args: ReadonlyArray<string>): Promise<string> => {
    const { code, output } = await runCli(args, folder, settings)
    assert.strictEqual(code, 0, output)
    return output
  }

  beforeAll(async () => {
    ports = [await freePort(), await freePort(), await freePort()].map(String)
    settings = {
      DATABASE_URL: startServers(),
      LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
      LOOPBOX_BLOBS: join(folder, "blobs"),
      LOOPBOX_ADMIN_TOKEN: randomBytes(24).toString("hex")
    }
    await command("migrate")
    await command("db", "distribute", "--shards", "4")
    host = await startHost(folder, settings, ["--port", "0"])
  })
  afterAll(async () => {
    await host?.stop("SIGKILL")
    for (const place of [0, 1, 2]) stopServer(place)
    rmSync(cluster, { recursive: true, force: true })
    remove()
  })

  it("fires while a worker's server is stopped, and ends when it is started again, as the page says", async () => {
    const url = host?.url ?? assert.fail()
    const away = "loopbox_database_nodes_away"
    const before = await scrape({ api: url })
    stopServer(2)
    const during = await scrapeUntil({ api: url }, away, (value) => value === 1)
    // The workspaces of the other node are served.
    assert.strictEqual((await request(`${url}/readyz`)).status, 200)
    const page = runbookPage("LoopboxNodeAway", folder, settings)
    const [doctor, health] = Array.from(page.look().values(), ({ output }) => output)
    assert.match(doctor ?? "", new RegExp(`^failed +nodes .*${ports[2]}`, "m"))
    // Only what does not answer is in this list.
    assert.include(health ?? "", String(ports[2]))
    startServers()
    const after = await scrapeUntil({ api: url }, away, (value) => value === 0)
    judgeAlarm(folder, "LoopboxNodeAway", { before, during, after, endsWithin: 1 })
    assert.match(await command("doctor"), /ok +nodes +all 3 nodes answer/)
  })
})
