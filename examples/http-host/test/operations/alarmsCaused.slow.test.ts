import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { tinyMp4 } from "@loopbox/testing/fakes/tinyMp4"
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { toneWav } from "../../src/cli/toneWav.ts"
import { administrator, customer, request } from "../support/apiClient.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until } from "../support/hostProcess.ts"
import { metaDelivery } from "../support/metaDelivery.ts"
import { type OwnServer, serverPrograms, startOwnServer } from "../support/ownServer.ts"

const appSecret = "a-secret-of-an-app-of-meta"
const account = "17841405309211844"
const rules = join(import.meta.dirname, "../../../../deploy/prometheus/alerts.yaml")
/** Debian's, where it is installed or named. */
const promtool = process.env["LOOPBOX_PROMTOOL"] ?? "promtool"
const hasPromtool = spawnSync(promtool, ["--version"]).status === 0

interface Scrape {
  readonly at: number
  /** What stands before the value, with the labels that Prometheus adds. */
  readonly series: ReadonlyMap<string, number>
  readonly counters: ReadonlySet<string>
}

const scrape = async (url: string): Promise<Scrape> => {
  const answer = await request(`${url}/metrics`).catch(() => undefined)
  const text = answer?.text ?? ""
  const types = new Map(Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = "", type]) => [name, type]))
  const rows = Array.from(
    text.matchAll(/^(\w+)(?:\{(.*)\})? ([-+\deE.]+)$/gm),
    ([, name = "", labels = "", value = ""]) => {
      const all = [...(labels === "" ? [] : [labels]), 'instance="a"', 'job="loopbox"'].join(",")
      return { name, key: `${name}{${all}}`, value: Number(value) }
    }
  )
  const up: readonly [string, number] = ['up{instance="a",job="loopbox"}', answer?.status === 200 ? 1 : 0]
  return {
    at: performance.now(),
    series: new Map([...rows.map(({ key, value }) => [key, value] as const), up]),
    counters: new Set(rows.flatMap(({ key, name }) => (types.get(name) === "counter" ? [key] : [])))
  }
}

/** How long the fault lasts: what was seen between two scrapes goes on. */
const faultSeconds = 1_800

/** Whether the alarm fires if what was scraped goes on, and does not where all stays as it was before the fault. */
const judge = (folder: string, alarm: string, before: Scrape, during: Scrape) => {
  const seconds = Math.max(1, Math.round((during.at - before.at) / 1000))
  const length = Math.ceil(faultSeconds / seconds)
  const [, expression = ""] =
    new RegExp(`alert: ${alarm}\\n *expr: ['"](.*)['"]\\n`).exec(readFileSync(rules, "utf8")) ?? []
  const isMeant = (key: string) => expression.includes(key.slice(0, key.indexOf("{")))
  const valuesOf = (key: string, isFault: boolean): string => {
    const [first = 0, second = 0] = [before.series.get(key), during.series.get(key)]
    if (!isFault) return `${first.toFixed(6)}+0x${length}`
    return during.counters.has(key)
      ? `${first.toFixed(6)}+${Math.max(0, second - first).toFixed(6)}x${length}`
      : `${second.toFixed(6)}+0x${length}`
  }
  const keys = [...new Set([...before.series.keys(), ...during.series.keys()])].filter(isMeant)
  assert.isNotEmpty(keys, alarm)
  const test = (isFault: boolean) => ({
    interval: `${seconds}s`,
    input_series: keys.map((series) => ({ series, values: valuesOf(series, isFault) })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alarm}",alertstate="firing"}) > bool 0`,
        eval_time: `${seconds * (length - 1)}s`,
        exp_samples: isFault ? [{ labels: "{}", value: 1 }] : []
      }
    ]
  })
  const file = join(folder, `${alarm}.json`)
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({ rule_files: [rules], evaluation_interval: "30s", tests: [test(true), test(false)] })
  )
  const run = spawnSync(promtool, ["test", "rules", file], { encoding: "utf8" })
  assert.strictEqual(run.status, 0, `${alarm}: ${run.stdout}${run.stderr}`)
}

describe.skipIf(serverPrograms === undefined || !hasPromtool)("alarms, by faults that are caused on a host", () => {
  const places = temporaryFolder()
  const { folder } = places
  const work = join("/tmp", `loopbox-alarms-${process.pid}`)
  const adminToken = randomBytes(24).toString("hex")
  let server: OwnServer
  let host: HostProcess
  let key = ""

  beforeAll(async () => {
    server = await startOwnServer(work)
    // Without a worker, so that what is accepted waits.
    host = await startHost(
      folder,
      {
        DATABASE_URL: server.createDatabase("loopbox"),
        LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
        LOOPBOX_ADMIN_TOKEN: adminToken,
        LOOPBOX_META_APP_SECRETS: appSecret,
        LOOPBOX_NETWORKS: "sandbox",
        LOOPBOX_TEST_CLOCK: "on",
        LOOPBOX_DATABASE_POOL: "2",
        LOOPBOX_RATE_LIMIT: "off",
        LOOPBOX_AUTH_RATE_LIMIT: "off"
      },
      ["--role", "api", "--port", "0"]
    )
    const admin = administrator(host.url, adminToken)
    const workspace = await admin.createWorkspace("growth")
    await admin.connectAccount(workspace, "instagram", account)
    key = await admin.createOwnerKey(workspace)
  })
  afterAll(async () => {
    await host.stop("SIGKILL")
    server.stop()
    rmSync(work, { recursive: true, force: true })
    places.remove()
  })

  const valueOf = ({ series }: Scrape, name: string, part = ""): number =>
    Math.max(0, ...Array.from(series, ([one, value]) => (one.startsWith(name) && one.includes(part) ? value : 0)))
  /** Scrapes until a metric is so high. */
  const above = (name: string, least: number, part = "") =>
    until(
      `${name} above ${least}`,
      async () => {
        const found = await scrape(host.url)
        return valueOf(found, name, part) > least ? found : undefined
      },
      60_000,
      200
    )
  const list = (token = key) => request(`${host.url}/v1/inbox?inbox_scope=workspace`, { token }).catch(() => undefined)

  it("fires when credentials are refused by the hundred", async () => {
    const before = await scrape(host.url)
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 20 }, () => list("lbx_test_wrong")))
    judge(folder, "LoopboxRefusedCredentials", before, await scrape(host.url))
  })

  it("fires when nobody works", async () => {
    const before = await scrape(host.url)
    const calls = customer(host.url, key)
    await calls.submit(await calls.upload(Uint8Array.from(animatedGif([10]))))
    const video = Uint8Array.from(tinyMp4({ width: 64, height: 64, pictures: 30 }))
    await calls.layOver({
      video_media_id: await calls.upload(video, "video/mp4", "a.mp4"),
      audio_media_id: await calls.upload(Uint8Array.from(toneWav(1)), "audio/wav", "a.wav")
    })
    const value = { id: "18000000000000001", text: "Hello", from: { id: "5", username: "reader" }, media: { id: "9" } }
    const entry = [{ id: account, time: 1_771_322_400, changes: [{ field: "comments", value }] }]
    const webhook = metaDelivery(appSecret, { object: "instagram", entry })
    assert.strictEqual((await request(`${host.url}/v1/webhooks/meta`, webhook)).status, 200)
    await request(`${host.url}/v1/admin/test/clock`, {
      method: "POST",
      token: adminToken,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ advance: "10 minutes" })
    })
    await above("loopbox_webhook_deliveries_oldest_pending_seconds", 120)
    await above("loopbox_overlays_oldest_queued_seconds", 300)
    const during = await above("loopbox_conversions_oldest_queued_seconds", 300)
    judge(folder, "LoopboxConversionsWait", before, during)
    judge(folder, "LoopboxOverlaysWait", before, during)
    judge(folder, "LoopboxWebhooksWait", before, during)
  })

  it("fires when statements wait for a connection", async () => {
    const before = await scrape(host.url)
    const signal = (name: string) =>
      spawnSync("sh", ["-c", `kill -${name} ${server.pid()} $(pgrep -P ${server.pid()})`])
    signal("STOP")
    const asked = Promise.all(Array.from({ length: 20 }, () => list()))
    const during = await above("loopbox_database_pool_connections", 0, 'state="waiting"')
    signal("CONT")
    await asked
    judge(folder, "LoopboxPoolStarved", before, during)
  })

  it("fires when the database is gone", async () => {
    const before = await scrape(host.url)
    server.stop()
    for (let round = 0; round < 20; round++) {
      await list()
      await sleep(200)
    }
    const during = await scrape(host.url)
    server.start()
    judge(folder, "LoopboxDatabaseUnavailable", before, during)
    judge(folder, "LoopboxErrors", before, during)
  })

  it("fires when the process stands still, and when it is gone", async () => {
    const before = await scrape(host.url)
    process.kill(host.pid, "SIGSTOP")
    await sleep(4_000)
    process.kill(host.pid, "SIGCONT")
    judge(folder, "LoopboxEventLoopBlocked", before, await above("loopbox_event_loop_lag_seconds", 1))
    await host.stop("SIGKILL")
    judge(folder, "LoopboxDown", before, await scrape(host.url))
  })
})
