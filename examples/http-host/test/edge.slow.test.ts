import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { request } from "./support/apiClient.ts"
import { type HostProcess, startHost, until } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"

const places = await preparedFolder()
const running: Array<HostProcess> = []
afterAll(async () => {
  await Promise.all(running.map((host) => host.stop("SIGKILL")))
  places.remove()
})
const { folder } = places
const secret = (name: string): string => readFileSync(join(folder, ".loopbox", name), "utf8").trim()
const requestLines = (output: string) =>
  output
    .split("\n")
    .filter((line) => line.includes('"message":"request"'))
    .map((line): Record<string, unknown> => JSON.parse(line))

describe("LOOPBOX_OPS_PORT", () => {
  it("moves what operators ask to a port of its own, which commands find", async () => {
    const host = await startHost(folder, {
      LOOPBOX_OPS_PORT: "0",
      LOOPBOX_CORS_ORIGINS: "https://app.example,http://localhost:3000"
    })
    running.push(host)
    const ops = /"ops_address":"([^"]+)"/.exec(host.output())?.[1] ?? ""
    const token = secret("admin-token")
    // A busy machine may be slower than a check of readiness waits.
    const isAnswered = async (path: string) => (await request(`${ops}${path}`, { token })).status === 200 || undefined
    for (const path of ["/metrics", "/readyz", "/v1/admin/workspaces"]) {
      assert.strictEqual((await request(`${host.url}${path}`, { token })).status, 404, path)
      await until(`${path} at the operators' port`, () => isAnswered(path))
    }
    for (const path of ["/livez", "/openapi.json"]) {
      const answer = await request(`${host.url}${path}`, { headers: { origin: "http://localhost:3000" } })
      assert.strictEqual(answer.status, 200, path)
    }
    const list = await runCli(["workspace", "list", "--json"], folder)
    assert.strictEqual(list.code, 0, list.output)
    assert.include(list.output, "Demo")
    const doctor = await runCli(["doctor"], folder)
    assert.strictEqual(doctor.code, 0, doctor.output)
    assert.match(doctor.output, /PostgreSQL \d+/)
    const page = await request(`${host.url}/v1/media`, { headers: { origin: "https://app.example" } })
    assert.strictEqual(page.headers.get("access-control-allow-origin"), "https://app.example")
    assert.strictEqual((await host.stop()).code, 0)
  })
})

describe("LOOPBOX_ACCESS_LOG", () => {
  it("is a line of JSON for each request, without secrets; off it is none", async () => {
    const host = await startHost(folder)
    running.push(host)
    const token = secret("demo-key")
    await request(`${host.url}/v1/inbox?inbox_scope=managed_user&external_user_id=customer_1`, { token })
    await request(`${host.url}/v1/inbox/ws?inbox_scope=workspace&token=eyJhbGciOiJub25lIn0.e30.secret-token`)
    await request(`${host.url}/v1/admin/workspaces`, { token: secret("admin-token") })
    const stranger = await request(`${host.url}/readyz`)
    assert.notInclude(stranger.text, folder)
    assert.notMatch(stranger.text, /PostgreSQL/)
    const { output } = await host.stop()
    const lines = requestLines(output)
    const inbox = lines.find(({ route }) => route === "/v1/inbox")
    assert.deepInclude(inbox, { method: "GET", status: 200, level: "info" })
    assert.match(String(inbox?.["workspace_id"]), /^ws_/)
    assert.match(String(inbox?.["key_id"]), /^key_/)
    assert.match(String(inbox?.["request_id"]), /^req_/)
    assert.isNumber(inbox?.["ms"])
    assert.isTrue(lines.some(({ route, status }) => route === "/v1/inbox/ws" && status === 401))
    for (const line of lines.map((one) => JSON.stringify(one))) {
      for (const word of [token, secret("admin-token"), "secret-token", "customer_1"]) assert.notInclude(line, word)
    }

    const silent = await startHost(folder, { LOOPBOX_ACCESS_LOG: "off" })
    running.push(silent)
    await request(`${silent.url}/v1/media`, { token })
    assert.deepStrictEqual(requestLines((await silent.stop()).output), [])
  })
})

describe("settings of the ports", () => {
  it("are named when they are wrong", async () => {
    const { code, output } = await runCli(["config"], folder, {
      LOOPBOX_CORS_ORIGINS: "https://app.example/path",
      LOOPBOX_TRUSTED_PROXIES: "10.0.0.0/33",
      LOOPBOX_AUTH_RATE_LIMIT: "many",
      LOOPBOX_OPS_PORT: "70000",
      LOOPBOX_MAX_CONNECTIONS: "1",
      LOOPBOX_MAX_SOCKETS_PER_KEY: "0",
      LOOPBOX_BODY_MEMORY: "1 GiB",
      LOOPBOX_STOP_PAUSE: "1 hour",
      LOOPBOX_ACCESS_LOG: "perhaps",
      LOOPBOX_DASHBOARD_JWKS_URL: "http://id.example/keys"
    })
    assert.strictEqual(code, 1)
    for (const name of [
      "CORS_ORIGINS",
      "TRUSTED_PROXIES",
      "AUTH_RATE_LIMIT",
      "OPS_PORT",
      "MAX_CONNECTIONS",
      "MAX_SOCKETS_PER_KEY",
      "BODY_MEMORY",
      "STOP_PAUSE",
      "ACCESS_LOG",
      "DASHBOARD_JWKS_URL"
    ]) {
      assert.match(output, new RegExp(`LOOPBOX_${name} must be`))
    }
    // No browser's page has such an origin, and it is compared as a whole.
    const wild = await runCli(["config"], folder, { LOOPBOX_CORS_ORIGINS: "https://*.example.com" })
    assert.match(wild.output, /LOOPBOX_CORS_ORIGINS must be/)
    const same = await runCli(["config"], folder, { LOOPBOX_OPS_PORT: "8080" })
    assert.strictEqual(same.code, 1)
    assert.include(same.output, "LOOPBOX_OPS_PORT must be another port than LOOPBOX_PORT")
  })
})
