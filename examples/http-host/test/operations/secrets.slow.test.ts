import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { randomBytes } from "node:crypto"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { settings } from "../../src/settings.ts"
import { administrator, customer, request } from "../support/apiClient.ts"
import { type HostProcess, startHost, temporaryFolder, type Variables } from "../support/hostProcess.ts"
import { freePort, type OwnServer, serverPrograms, startOwnServer } from "../support/ownServer.ts"
import { pageCommands } from "../support/pageCommands.ts"
import { describeUnmoved } from "../support/unmoved.ts"

const page = "docs/operations/secrets.md"

describe("docs/operations/secrets.md", () => {
  it("names every secret of the settings", () => {
    const text = readFileSync(join(import.meta.dirname, "../../../..", page), "utf8")
    for (const { isSecret, name } of Object.values(settings)) if (isSecret) assert.include(text, `\`${name}\``)
  })
})

describeUnmoved("it changes the password of a server of its own", serverPrograms !== undefined)(
  `${page}, on two hosts that are started again one by one`,
  () => {
    const places = temporaryFolder()
    const { folder } = places
    const work = join("/tmp", `loopbox-secrets-${process.pid}`)
    const commands = pageCommands(page, folder)
    const keys = { old: `old:${randomBytes(32).toString("base64")}`, fresh: "" }
    const tokens = { old: randomBytes(24).toString("hex"), fresh: "" }
    let server: OwnServer
    let variables: Variables = {}
    let hosts: ReadonlyArray<HostProcess> = []
    let ports: ReadonlyArray<string> = []
    let workspace = ""
    let isOver = false
    /** Answers of a caller who goes on all the time, at whichever of both hosts answers, as a load balancer sees to. */
    const answers = new Map<number, number>()
    let asking: Promise<void> | undefined

    const start = (at: number) => startHost(folder, variables, ["--port", ports[at] ?? ""])
    const startAgain = async (more: Variables) => {
      variables = { ...variables, ...more }
      for (const [at, host] of hosts.entries()) {
        await host.stop()
        const again = await start(at)
        hosts = hosts.with(at, again)
      }
    }
    const well = ({ code, output }: { readonly code: number; readonly output: string }): string => {
      assert.strictEqual(code, 0, output)
      return output
    }
    const run = async (name: string, more: Variables = {}) =>
      well(await commands.run(name, { ...variables, LOOPBOX_URL: hosts[0]?.url, ...more }))
    const listed = async (token: string) => (await request(`${hosts[0]?.url}/v1/admin/workspaces`, { token })).status
    const member = (text: string, name: string): string => {
      const value = new RegExp(`"${name}": ?"([^"]+)"`).exec(text)?.[1]
      if (value === undefined) throw new Error(`no ${name} in ${text}`)
      return value
    }

    beforeAll(async () => {
      server = await startOwnServer(work)
      ports = [String(await freePort()), String(await freePort())]
      server.run("ALTER ROLE loopbox PASSWORD 'first'")
      const url = new URL(server.createDatabase("loopbox"))
      url.password = "first"
      const access = join(server.clusterFolder, "pg_hba.conf")
      writeFileSync(access, `host loopbox all 127.0.0.1/32 scram-sha-256\n${readFileSync(access, "utf8")}`)
      server.run("SELECT pg_reload_conf()")
      variables = {
        DATABASE_URL: url.toString(),
        LOOPBOX_SECRET_KEYS: keys.old,
        LOOPBOX_ADMIN_TOKEN: tokens.old,
        LOOPBOX_BLOBS: join(folder, "blobs"),
        LOOPBOX_NETWORKS: "sandbox",
        LOOPBOX_DATA: join(folder, "data")
      }
      hosts = [await start(0), await start(1)]
      const admin = administrator(hosts[0]?.url ?? "", tokens.old)
      workspace = await admin.createWorkspace("growth")
      const key = await admin.createOwnerKey(workspace)
      await admin.connectPage(workspace, "104", undefined, { check: false })
      variables = { ...variables, LOOPBOX_API_KEY: key }
      const media = await customer(hosts[0]?.url ?? "", key).upload(Uint8Array.from(animatedGif([10])))
      asking = (async () => {
        while (!isOver) {
          for (const port of ports) {
            const asked = request(`http://127.0.0.1:${port}/v1/media/${media}`, { token: variables["LOOPBOX_API_KEY"] })
            // One that is not there is left to the other.
            const answer = await asked.catch(() => undefined)
            if (answer !== undefined) answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
          }
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      })()
    })
    afterAll(async () => {
      isOver = true
      await asking
      await Promise.all(hosts.map((host) => host.stop("SIGKILL")))
      server.stop()
      rmSync(work, { recursive: true, force: true })
      places.remove()
    })

    it("replaces the secret keys and the admin token", async () => {
      keys.fresh = (await run("new-key")).trim()
      tokens.fresh = (await run("new-admin-token")).trim()
      await startAgain({
        LOOPBOX_SECRET_KEYS: `${keys.fresh},${keys.old}`,
        LOOPBOX_ADMIN_TOKEN: `${tokens.fresh},${tokens.old}`
      })
      const sealed = await run("reseal")
      assert.match(sealed, /1 are sealed by "2027a"/)
      assert.deepStrictEqual([await listed(tokens.old), await listed(tokens.fresh)], [200, 200])
      await startAgain({ LOOPBOX_SECRET_KEYS: keys.fresh, LOOPBOX_ADMIN_TOKEN: tokens.fresh })
      assert.deepStrictEqual([await listed(tokens.old), await listed(tokens.fresh)], [401, 200])
    })

    it("replaces the database's password", async () => {
      await run("new-role", { ADMIN_URL: server.adminUrl, NEW_PASSWORD: "second" })
      const url = new URL(server.url("loopbox"))
      url.username = "loopbox_2027a"
      url.password = "second"
      await startAgain({ DATABASE_URL: url.toString() })
      await run("old-role", { ADMIN_URL: server.adminUrl })
      assert.strictEqual(
        server.run("SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = 'loopbox'"),
        "loopbox_2027a"
      )
      assert.strictEqual((await commands.run("reseal", variables)).code, 0)
    })

    it("replaces an API key and an endpoint's secret", async () => {
      const old = variables["LOOPBOX_API_KEY"]
      const keysOf = `${hosts[0]?.url}/v1/admin/workspaces/${workspace}/api-keys`
      const oldId = member((await request(keysOf, { token: tokens.fresh })).text, "id")
      const made = member(await run("new-api-key", { WORKSPACE: workspace, MEMBER: "owner" }), "key")
      variables = { ...variables, LOOPBOX_API_KEY: made }
      await run("old-api-key", { WORKSPACE: workspace, OLD_KEY_ID: oldId })
      const statusOf = async (token: string | undefined) =>
        (await request(`${hosts[1]?.url}/v1/media`, { token })).status
      assert.deepStrictEqual([await statusOf(old), await statusOf(made)], [401, 200])

      const endpoint = await request(`${hosts[0]?.url}/v1/webhook-endpoints?inbox_scope=workspace`, {
        method: "POST",
        token: variables["LOOPBOX_API_KEY"],
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ url: "http://127.0.0.1:9/hooks", events: ["inbox.new_item"] })
      })
      const rotated = await run("endpoint-secret", { ENDPOINT: member(endpoint.text, "id") })
      assert.notStrictEqual(member(rotated, "secret"), member(endpoint.text, "secret"))
    })

    it("answered all the while, and left no command of the page out", () => {
      assert.deepStrictEqual([...answers.keys()].toSorted(), [200])
      assert.isAbove(answers.get(200) ?? 0, 50)
      assert.deepStrictEqual(commands.left(), [])
    })
  }
)
