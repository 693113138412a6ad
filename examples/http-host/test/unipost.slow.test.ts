import * as NodeWS from "@effect/platform-node/NodeWS"
import { assert } from "@effect/vitest"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { request } from "./support/apiClient.ts"
import { type HostProcess, startHost, until } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"

// The requests of UniPost's public SDK, version 0.6.2, as it sends them, and what it reads in their answers. They are
// written down, for the package is in no registry that this project installs from.

const places = await preparedFolder()
const { folder } = places
let host: HostProcess
let key: string
beforeAll(async () => {
  host = await startHost(folder, { LOOPBOX_COMPATIBILITY: "unipost" })
  key = readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()
}, 300_000)
afterAll(async () => {
  await host.stop("SIGKILL")
  places.remove()
})

const scope = "inbox_scope=workspace"
const ask = (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) =>
  request(`${host.url}${path}`, {
    method,
    token: key,
    redirect: "manual",
    headers: {
      "user-agent": "@unipost/sdk/0.6.2",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

/** The `data` of an answer, as the SDK's types have it. */
const read = <S extends Schema.ConstraintDecoder<unknown>>(
  data: S,
  { json, status, text }: Awaited<ReturnType<typeof ask>>
) => {
  assert.isBelow(status, 300, text)
  return Schema.decodeUnknownSync(data)(Predicate.isObject(json) && "data" in json ? json.data : undefined)
}

const Item = Schema.Struct({
  id: Schema.String,
  external_id: Schema.String,
  social_account_id: Schema.String,
  source: Schema.Literals(["ig_comment", "ig_dm", "threads_reply", "fb_comment", "fb_dm", "x_reply"]),
  thread_status: Schema.Literals(["open", "assigned", "resolved"]),
  assigned_to: Schema.NullOr(Schema.String),
  is_own: Schema.Boolean,
  account_name: Schema.String,
  account_platform: Schema.Literals(["instagram", "threads", "facebook", "twitter"])
})
const Operation = Schema.Struct({
  status: Schema.String,
  completion_attempts: Schema.Int,
  reconciliation_required: Schema.Boolean,
  response_inbox_item_id: Schema.String
})
const Detail = Schema.Struct({
  account_id: Schema.String,
  platform: Schema.String,
  account_name: Schema.String,
  media_found: Schema.Int,
  comments_found: Schema.Int
})
const Sync = Schema.Struct({
  new_items: Schema.Int,
  accounts_checked: Schema.Int,
  errors: Schema.Array(Schema.Unknown),
  details: Schema.Array(Detail)
})
const counts = { accepted: Schema.Int, suppressed: Schema.Int, duplicates: Schema.Int, read: Schema.Int }
const Backfill = Schema.Struct({
  confirmation_required: Schema.Literal(false),
  accounts_checked: Schema.Int,
  ...counts
})
const Confirmation = Schema.Struct({
  confirmation_required: Schema.Literal(true),
  confirmation_token: Schema.String,
  accounts_checked: Schema.Int
})
const Media = Schema.Struct({
  id: Schema.String,
  status: Schema.Literals(["pending", "uploaded"]),
  upload_url: Schema.optionalKey(Schema.String),
  expires_at: Schema.String
})

/** The newest item of somebody on Instagram, or the one that the network calls so, once it has come. */
const findItem = (externalId?: string) =>
  until("an item", async () =>
    read(Schema.Array(Item), await ask("GET", `/v1/inbox?${scope}&limit=501`)).find(
      ({ external_id, is_own, source }) =>
        source === "ig_comment" && !is_own && (externalId === undefined || external_id === externalId)
    )
  )

describe("UniPost's SDK against a host in its mode (api-2.md §17)", () => {
  it("lists, reads and moves items", async () => {
    const { id } = await findItem()
    for (const limit of [0, 501]) {
      assert.isNotEmpty(read(Schema.Array(Item), await ask("GET", `/v1/inbox?${scope}&is_own=false&limit=${limit}`)))
    }
    read(Schema.Struct({ count: Schema.Int }), await ask("GET", `/v1/inbox/unread-count?${scope}`))
    assert.strictEqual(read(Item, await ask("GET", `/v1/inbox/${id}?${scope}`)).account_platform, "instagram")
    assert.strictEqual((await ask("POST", `/v1/inbox/${id}/read?${scope}`)).status, 204)
    const move = async (thread_status: string, assigned_to?: string) =>
      read(Item, await ask("POST", `/v1/inbox/${id}/thread-state?${scope}`, { thread_status, assigned_to }))
    for (const status of ["open", "assigned", "resolved"]) {
      const moved = await move(status, "owner_123")
      assert.deepStrictEqual([moved.thread_status, moved.assigned_to], [status, "owner_123"])
    }
    assert.isNull((await move("open", "")).assigned_to)
    const context = await ask("GET", `/v1/inbox/${id}/media-context?${scope}`)
    read(Schema.Struct({ id: Schema.String, permalink: Schema.String }), context)
    read(Schema.Struct({ marked: Schema.Int }), await ask("POST", `/v1/inbox/mark-all-read?${scope}`))
  })

  it("replies once, by the operation that its header names, and hears of it", async () => {
    // Somebody's of now: a simulator that was started again knows nothing of what it told before.
    const { code, output } = await runCli(["sandbox", "comment", "Thanks?", "--network", "instagram", "--json"], folder)
    assert.strictEqual(code, 0, output)
    const said: { readonly id: string } = JSON.parse(output)
    const { id } = await findItem(said.id)
    const address = `${host.url.replace("http", "ws")}/v1/inbox/ws?${scope}`
    const socket = new NodeWS.WebSocket(address, { headers: { authorization: `Bearer ${key}` } })
    const frames: Array<string> = []
    socket.on("message", (data) => frames.push(String(data)))
    await until("the socket", () => frames[0])
    const reply = () =>
      ask("POST", `/v1/inbox/${id}/reply?${scope}`, { text: "Thanks!" }, { "idempotency-key": "recorded-1" })
    const sent = await reply()
    const operationId = sent.headers.get("x-unipost-operation-id") ?? ""
    assert.isTrue(read(Item, sent).is_own)
    assert.strictEqual((await reply()).headers.get("x-unipost-operation-id"), operationId)
    const status = await ask("GET", `/v1/inbox/x-outbound-operations/${operationId}?${scope}`)
    assert.strictEqual(read(Operation, status).response_inbox_item_id, read(Item, sent).id)
    const told = await until("the event", () => frames.find((frame) => frame.includes(read(Item, sent).id)))
    assert.include(told, "inbox.")
    await until("the account's name", () => frames.find((frame) => /new_item.*"account_name":"Demo Shop"/.test(frame)))
    socket.terminate()
  })

  it("polls, and reads the past of X", async () => {
    await findItem()
    const synced = read(Sync, await ask("POST", `/v1/inbox/sync?${scope}`))
    assert.deepStrictEqual([...new Set(synced.details.map(({ account_name }) => account_name))], ["Demo Shop"])
    const backfill = (more: object) => {
      const x_backfill = { include_replies: true, include_dms: true, ...more }
      return ask("POST", `/v1/inbox/sync?${scope}`, { x_backfill })
    }
    const account = synced.details.find(({ platform }) => platform === "twitter")?.account_id
    const one = read(Backfill, await backfill({ account_id: account, lookback_days: 30, max_items: 20 }))
    assert.strictEqual(one.accounts_checked, 1)
    const costly = read(Confirmation, await backfill({ max_items: 500 }))
    assert.strictEqual(costly.accounts_checked, 1)
    read(Backfill, await backfill({ max_items: 500, confirmation_token: costly.confirmation_token }))
    assert.strictEqual(read(Backfill, await backfill({ include_replies: false })).read, 0)
  })

  it("uploads files, and the same one once", async () => {
    const bytes = new Uint8Array(animatedGif([10, 20]))
    const reserved = { filename: "cat.gif", content_type: "image/gif", size_bytes: bytes.length, content_hash: "abc" }
    const media = read(Media, await ask("POST", "/v1/media", reserved))
    const put = await request(media.upload_url ?? "", {
      method: "PUT",
      body: bytes,
      headers: { "content-type": "image/gif" }
    })
    assert.strictEqual(put.status, 200)
    assert.strictEqual(read(Media, await ask("GET", `/v1/media/${media.id}`)).status, "uploaded")
    const again = await ask("POST", "/v1/media", reserved)
    assert.deepStrictEqual([again.status, read(Media, again).id], [200, media.id])
    assert.strictEqual((await ask("DELETE", `/v1/media/${media.id}`)).status, 200)
  })
})
