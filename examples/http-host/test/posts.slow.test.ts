import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { customer, request } from "./support/apiClient.ts"
import { type HostProcess, startHost, until } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"

const Target = Schema.Struct({
  id: Schema.String,
  network: Schema.String,
  status: Schema.String,
  external_id: Schema.NullOr(Schema.String),
  url: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.Unknown)
})
const Post = Schema.Struct({ id: Schema.String, status: Schema.String, targets: Schema.Array(Target) })
const Refusal = Schema.Struct({
  error: Schema.Struct({
    details: Schema.optionalKey(
      Schema.Struct({ issues: Schema.Array(Schema.Struct({ path: Schema.String, code: Schema.String })) })
    )
  })
})
const Sent = Schema.Array(Schema.Struct({ network: Schema.String, id: Schema.String, text: Schema.String }))
const Item = Schema.Struct({
  id: Schema.String,
  source: Schema.String,
  body: Schema.String,
  post_id: Schema.NullOr(Schema.String)
})
const dataOf = <S extends Schema.ConstraintDecoder<unknown>>(data: S) =>
  Schema.decodeUnknownSync(Schema.Struct({ data }))
const postOf = dataOf(Post)
const itemsOf = dataOf(Schema.Array(Item))
const listOf = dataOf(Schema.Array(Schema.Struct({ id: Schema.String, network: Schema.String })))

const places = await preparedFolder()
const { folder } = places
let host: HostProcess
let key: string
beforeAll(async () => {
  host = await startHost(folder)
  key = readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()
})
afterAll(async () => {
  await host.stop("SIGKILL")
  places.remove()
})

const get = (path: string) => request(`${host.url}${path}`, { token: key })
const send = (path: string, body: unknown, idempotencyKey?: string) =>
  request(`${host.url}${path}`, {
    method: "POST",
    token: key,
    headers: {
      "content-type": "application/json",
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
    },
    body: JSON.stringify(body)
  })

const sent = async () => {
  const { code, output } = await runCli(["sandbox", "sent", "--json"], folder)
  assert.strictEqual(code, 0, output)
  return Schema.decodeUnknownSync(Sent)(JSON.parse(output))
}

const ended = (id: string) =>
  until(
    "the end of the post",
    async () => {
      const post = postOf((await get(`/v1/posts/${id}`)).json).data
      return post.status === "publishing" ? undefined : post
    },
    120_000,
    100
  )

describe("loopbox serve, with nothing configured: posts", () => {
  it("publishes the MP4 of a GIF to four networks, each once, and knows what is said below it", async () => {
    const api = customer(host.url, key)
    const gif = await api.upload(new Uint8Array(animatedGif(Array.from({ length: 30 }, () => 10))))
    const accounts = listOf((await get("/v1/accounts")).json).data
    const targets = accounts.map(({ id }) => ({ social_account_id: id, first_comment: "More soon." }))

    const early = await send("/v1/posts", { text: "Too early", media_ids: [gif], targets })
    assert.strictEqual(early.status, 400, early.text)
    const { issues } = Schema.decodeUnknownSync(Refusal)(early.json).error.details ?? { issues: [] }
    assert.isAtLeast(issues.filter(({ code }) => code === "gif_conversion_required").length, 2, early.text)

    const job = await api.settled((await api.submit(gif)).id)
    const body = { text: "Our new cat", media_ids: [job.output_media_id], targets }
    const made = await send("/v1/posts", body, "cat")
    assert.strictEqual(made.status, 202, made.text)
    const { id } = postOf(made.json).data
    const again = await send("/v1/posts", body, "cat")
    assert.deepStrictEqual([again.status, postOf(again.json).data.id], [202, id])
    assert.strictEqual((await send("/v1/posts", { ...body, text: "Another" }, "cat")).status, 409)

    const post = await ended(id)
    assert.strictEqual(post.status, "published", JSON.stringify(post))
    assert.sameMembers(
      post.targets.map(({ network, status }) => `${network} ${status}`),
      ["instagram published", "facebook published", "threads published", "x published"]
    )
    const networks = (await sent()).filter(({ text }) => text === "Our new cat").map(({ network }) => network)
    assert.deepStrictEqual(networks.toSorted(), ["facebook", "instagram", "threads", "x"])
    const commented = await until(
      "the first comments",
      async () => {
        const texts = (await sent()).filter(({ text }) => text.includes("More soon."))
        return texts.length >= 4 ? texts : undefined
      },
      120_000,
      200
    )
    assert.deepStrictEqual(commented.map(({ network }) => network).toSorted(), networks.toSorted())

    for (const { external_id, network } of post.targets) {
      const args = ["--network", network, "--post", external_id ?? ""]
      const said = await runCli(["sandbox", "comment", `What a cat, ${network}!`, ...args, "--json"], folder)
      assert.strictEqual(said.code, 0, said.output)
    }
    const below = async () =>
      itemsOf((await get(`/v1/inbox?inbox_scope=workspace&is_own=false&post_id=${id}`)).json).data
    const comments = await until(
      "the comments",
      async () => {
        const items = await below()
        return items.length === 4 ? items : undefined
      },
      120_000,
      100
    )
    assert.deepStrictEqual(new Set(comments.map(({ post_id }) => post_id)), new Set([id]))
    for (const network of networks) assert.isTrue(comments.some(({ body }) => body.endsWith(`What a cat, ${network}!`)))
    const asked = comments.find(({ source }) => source === "fb_comment")
    const answer = { text: "Her name is Loop." }
    const answered = await send(`/v1/inbox/${asked?.id ?? ""}/reply?inbox_scope=workspace`, answer)
    assert.strictEqual(answered.status, 200, answered.text)
    const own = itemsOf((await get(`/v1/inbox?inbox_scope=workspace&is_own=true&post_id=${id}`)).json).data
    assert.isTrue(own.some(({ body }) => body === answer.text))
  })
})
