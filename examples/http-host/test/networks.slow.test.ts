import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, it } from "vitest"
import { temporaryFolder } from "./support/hostProcess.ts"
import { runCli } from "./support/runCli.ts"

const places = temporaryFolder()
const networks = createServer((_, response) => response.writeHead(404).end("{}"))
let baseUrl = ""
beforeAll(async () => {
  await new Promise<void>((resolve) => networks.listen(0, "127.0.0.1", resolve))
  const address = networks.address()
  baseUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
})
afterAll(() => {
  networks.close()
  places.remove()
})
const cli = (args: string, variables = {}) =>
  runCli(args.split(" "), places.folder, { LOOPBOX_NETWORKS: "live", ...variables })

interface Login {
  readonly network: string
  readonly login: string
  readonly redirect_url: string
  readonly webhook_url: string
  readonly deauthorize_url: string | null
  readonly data_deletion_url: string | null
  readonly settings: ReadonlyArray<{ readonly name: string; readonly is_set: boolean }>
  readonly missing: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<string>
}

const publicUrl = "https://inbox.example.com"
const secrets = { LOOPBOX_META_APP_SECRETS: "a-secret-of-meta", LOOPBOX_INSTAGRAM_APP_SECRETS: "a-secret-of-instagram" }

describe("loopbox config --networks", () => {
  it("prints what to paste at each network, and which settings are missing", async () => {
    const { code, output } = await cli("config --networks --json", {
      LOOPBOX_PUBLIC_URL: publicUrl,
      LOOPBOX_META_APP_ID: "1234567890",
      LOOPBOX_CONNECT_SCOPES_X: "tweet.read, users.read offline.access",
      ...secrets
    })
    assert.strictEqual(code, 0, output)
    assert.notInclude(output, "a-secret-of")
    const logins: ReadonlyArray<Login> = JSON.parse(output)
    assert.deepStrictEqual(
      logins.map(({ login, network }) => `${network}/${login}`),
      ["instagram/instagram", "instagram/facebook", "facebook/facebook", "threads/threads", "x/x"]
    )
    const [instagram, , facebook, , x] = logins
    assert.deepStrictEqual(instagram?.missing, ["LOOPBOX_INSTAGRAM_APP_ID"])
    assert.deepInclude(facebook, {
      redirect_url: `${publicUrl}/connect/callback/facebook`,
      webhook_url: `${publicUrl}/v1/webhooks/meta`,
      deauthorize_url: `${publicUrl}/v1/webhooks/meta/deauthorize`,
      data_deletion_url: `${publicUrl}/v1/webhooks/meta/data-deletion`,
      missing: []
    })
    assert.deepInclude(x, {
      webhook_url: `${publicUrl}/v1/webhooks/x`,
      deauthorize_url: null,
      missing: ["LOOPBOX_X_CLIENT_ID"],
      scopes: ["tweet.read", "users.read", "offline.access"]
    })
  })

  it("says the same in words, and that the addresses are not public", async () => {
    const { code, output } = await cli("config --networks", { LOOPBOX_NETWORKS: "sandbox" })
    assert.strictEqual(code, 0, output)
    assert.match(output, /^ +redirect +http:\/\/127\.0\.0\.1:8080\/connect\/callback\/threads$/m)
    assert.match(output, /^ +LOOPBOX_THREADS_APP_ID +not set \(for connecting\)$/m)
    assert.include(output, "LOOPBOX_PUBLIC_URL must name the one by which networks reach the host")
    assert.include(output, "The networks are a sandbox here")
  })

  it("prints nothing that the guide does not know", async () => {
    const guide = readFileSync(new URL("../../../docs/guides/going-live.md", import.meta.url), "utf8")
    const logins: ReadonlyArray<Login> = JSON.parse((await cli("config --networks --json")).output)
    for (const { scopes, settings } of logins) {
      for (const { name } of settings) assert.include(guide, `\`${name}\``)
      for (const scope of scopes) assert.include(guide, `\`${scope}\``)
    }
  })
})

describe("loopbox doctor --networks", () => {
  it("finds what was mixed up or left out, and says what it could not look at", async () => {
    const { code, output } = await cli("doctor --networks", {
      LOOPBOX_PUBLIC_URL: "http://127.0.0.1:9",
      LOOPBOX_META_APP_ID: "1234567890",
      LOOPBOX_INSTAGRAM_APP_ID: "1234567890",
      LOOPBOX_INSTAGRAM_BASE_URL: baseUrl,
      LOOPBOX_FACEBOOK_BASE_URL: "http://127.0.0.1:9",
      ...secrets
    })
    assert.strictEqual(code, 1, output)
    assert.match(output, /^failed +instagram app +LOOPBOX_INSTAGRAM_APP_ID is the Meta app's id/m)
    assert.match(output, /^failed +facebook app .* no webhooks come: LOOPBOX_META_VERIFY_TOKEN not set\.$/m)
    assert.match(output, /^unchecked +threads app +not set up: LOOPBOX_THREADS_APP_ID/m)
    assert.include(output, `${baseUrl} answers`)
    assert.match(output, /^failed +facebook host/m)
    assert.match(output, /^failed +public address .* is this machine's own/m)
    assert.match(output, /^unchecked +media link/m)
    assert.notInclude(output, "a-secret-of")
    assert.notInclude(output, "threads host")
  })

  it("finds nothing wrong with a sandbox", async () => {
    const { code, output } = await cli("doctor --networks --json", { LOOPBOX_NETWORKS: "sandbox" })
    assert.strictEqual(code, 0, output)
    const findings: ReadonlyArray<{ readonly name: string; readonly status: string }> = JSON.parse(output)
    assert.deepInclude(
      findings.map(({ name, status }) => [name, status]),
      ["instagram app", "ok"]
    )
  })
})
