import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import * as Schema from "effect/Schema"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { administrator, customer, request } from "./support/apiClient.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import { type HostProcess, startHost, temporaryFolder, until } from "./support/hostProcess.ts"
import { listItems, sendReply } from "./support/inboxClient.ts"
import { metaDelivery } from "./support/metaDelivery.ts"
import { receiver } from "./support/receiver.ts"
import { makeDatabase } from "./support/testServer.ts"

/** The UUID of an id, which is the trace of what has it. */
const traceIdOf = (id: string): string =>
  Array.from(id.slice(id.lastIndexOf("_") + 1))
    .reduce((number, digit) => number * 32n + BigInt("0123456789abcdefghjkmnpqrstvwxyz".indexOf(digit)), 0n)
    .toString(16)
    .padStart(32, "0")

const Exported = Schema.Struct({
  resourceSpans: Schema.Array(
    Schema.Struct({
      scopeSpans: Schema.Array(
        Schema.Struct({ spans: Schema.Array(Schema.Struct({ name: Schema.String, traceId: Schema.String })) })
      )
    })
  )
})
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Exported))

/** A collector that keeps the names of spans by their trace, and which process sent them. */
const startCollector = async () => {
  const traces = new Map<string, Set<string>>()
  const server = createServer((asked, response) => {
    let body = ""
    asked.setEncoding("utf8").on("data", (text: string) => (body += text))
    asked.on("end", () => {
      const [, process = ""] = (asked.url ?? "").split("/")
      if (asked.url?.endsWith("/v1/traces") === true) {
        for (const { scopeSpans } of decode(body).resourceSpans)
          for (const { name, traceId } of scopeSpans.flatMap(({ spans }) => spans))
            traces.set(traceId, (traces.get(traceId) ?? new Set()).add(`${process} ${name}`))
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    traces,
    stop: () => server.close()
  }
}

describe("one trace of an API process and a worker", () => {
  const places = temporaryFolder()
  const { folder } = places
  const adminToken = randomBytes(24).toString("hex")
  const page = "100000000000001"
  const instagram = "17841405309211844"
  const appSecret = "a-secret-of-an-app-of-meta"
  const hosts: Array<HostProcess> = []
  let collector: Awaited<ReturnType<typeof startCollector>>
  let hooks: Awaited<ReturnType<typeof receiver>>
  let api: HostProcess
  let key = ""
  let account = ""

  beforeAll(async () => {
    collector = await startCollector()
    hooks = await receiver()
    const shared = {
      DATABASE_URL: await makeDatabase(),
      LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
      LOOPBOX_ADMIN_TOKEN: adminToken,
      LOOPBOX_BLOBS: join(folder, "blobs"),
      LOOPBOX_FFMPEG: await ffmpegPath(),
      LOOPBOX_META_APP_SECRETS: appSecret,
      LOOPBOX_WEBHOOKS_PRIVATE: "on"
    }
    const start = async (name: string, variables: Readonly<Record<string, string>>) => {
      const own = { LOOPBOX_DATA: join(folder, name), OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/${name}` }
      const host = await startHost(folder, { ...shared, ...own, ...variables }, ["--role", name, "--port", "0"])
      hosts.push(host)
      return host
    }
    // The networks live in the API process, where the worker asks them.
    api = await start("api", { LOOPBOX_NETWORKS: "sandbox" })
    const { sandbox_url } = JSON.parse(readFileSync(join(folder, "api", "serve.json"), "utf8"))
    const admin = administrator(api.url, adminToken)
    const workspace = await admin.createWorkspace("growth")
    account = await admin.connectPage(workspace, page)
    await admin.connectAccount(workspace, "instagram", instagram)
    key = await admin.createOwnerKey(workspace)
    await start("worker", {
      LOOPBOX_NETWORKS: "live",
      LOOPBOX_FACEBOOK_BASE_URL: `${sandbox_url}/facebook`,
      LOOPBOX_INSTAGRAM_BASE_URL: `${sandbox_url}/instagram`
    })
  })
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.stop("SIGKILL")))
    collector.stop()
    hooks.close()
    places.remove()
  })

  const post = (path: string, body: unknown) =>
    request(`${api.url}${path}?inbox_scope=workspace`, {
      method: "POST",
      token: key,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  const idIn = (text: string) => /"id":"([a-z]+_[0-9a-z]{26})"/.exec(text)?.[1] ?? ""
  /** Until the trace of a record holds these, each by its process. */
  const holds = (id: string, ...wanted: ReadonlyArray<string>) =>
    until(
      `${wanted.join(", ")} in the trace of ${id}`,
      () => {
        const found = collector.traces.get(traceIdOf(id))
        return wanted.every((one) => found?.has(one)) ? true : undefined
      },
      30_000
    )

  it("is that of a conversion", async () => {
    const calls = customer(api.url, key)
    const job = await calls.submit(await calls.upload(Uint8Array.from(animatedGif([10, 20]))))
    await calls.settled(job.id)
    await holds(job.id, "api job.accepted", "worker job.run", "worker jobs.runClaim")
  })

  it("is that of a post, and of the webhook that tells of it", async () => {
    const endpoint = await post("/v1/webhook-endpoints", { url: hooks.url(200), events: ["post.*"] })
    assert.strictEqual(endpoint.status, 201, endpoint.text)
    const made = await post("/v1/posts", { text: "Hello", targets: [{ social_account_id: account }] })
    assert.isBelow(made.status, 300, made.text)
    await holds(idIn(made.text), "api post.accepted", "worker post.publish")
    await until("the webhook", () => hooks.received[0])
    const list = await request(
      `${api.url}/v1/webhook-endpoints/${idIn(endpoint.text)}/deliveries?inbox_scope=workspace`,
      { token: key }
    )
    await holds(idIn(list.text), "worker delivery.written", "worker delivery.attempt")
  })

  it("is that of a reply", async () => {
    const value = { id: "18000000000000001", text: "Hello", from: { id: "5", username: "reader" }, media: { id: "9" } }
    const entry = [{ id: instagram, time: 1_771_322_400, changes: [{ field: "comments", value }] }]
    await request(`${api.url}/v1/webhooks/meta`, metaDelivery(appSecret, { object: "instagram", entry }))
    const item = await until("the item", async () => (await listItems(api.url, key))[0])
    const sent = await sendReply(api.url, key, item.id, "Thank you", "one")
    await holds(sent.operationId, "api reply.accepted", "worker reply.run")
  })
})
