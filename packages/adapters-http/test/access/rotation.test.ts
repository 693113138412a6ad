import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { call, codeOf, makeWorkspace, serverWith, services, uploadGif } from "../support.ts"

const oldKey = Redacted.make(new Uint8Array(32).fill(1))
const newKey = Redacted.make(new Uint8Array(32).fill(2))

/** A host that was started with these keys, over the services that all of them share. */
const startedWith = (...[signingKey, ...olderSigningKeys]: readonly [typeof oldKey, ...(typeof oldKey)[]]) =>
  Effect.provide(Layer.fresh(serverWith({ signingKey, olderSigningKeys })))

const addressOf = (url: string) => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

describe("rotation of the signing key", () => {
  layer(services, { excludeTestServices: true })((it) => {
    it.effect("keeps links and cursors of an older key in force, and signs with the first", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const before = yield* Effect.gen(function* () {
          yield* uploadGif(key)
          yield* uploadGif(key)
          const reservation = yield* call("POST", "/v1/media", { key, json: { content_type: "image/gif" } })
          return { list: yield* call("GET", "/v1/media?limit=1", { key }), reservation }
        }).pipe(startedWith(oldKey))
        const upload = addressOf(String(before.reservation.body["data"]?.["upload_url"]))
        const next = `/v1/media?limit=1&cursor=${String(before.list.body["next_cursor"])}`

        const after = yield* Effect.gen(function* () {
          const page = yield* call("GET", next, { key })
          assert.strictEqual(page.status, 200)
          const finished = yield* call("PUT", upload, { body: new Uint8Array(Buffer.from("GIF89a")) })
          assert.strictEqual(finished.status, 200)
          const altered = upload.replace(/.$/, (last) => (last === "A" ? "Q" : "A"))
          assert.strictEqual(codeOf(yield* call("PUT", altered)), "401 UNAUTHORIZED")
          return addressOf(String(finished.body["data"]?.["download_url"]))
        }).pipe(startedWith(newKey, oldKey))

        yield* Effect.gen(function* () {
          assert.strictEqual((yield* call("GET", after)).status, 200)
          assert.strictEqual(codeOf(yield* call("PUT", upload)), "401 UNAUTHORIZED")
          assert.strictEqual(codeOf(yield* call("GET", next, { key })), "422 validation_error")
        }).pipe(startedWith(newKey))
      })
    )
    it.effect("refuses a key that is too short, an older one too", () =>
      Effect.gen(function* () {
        const short = Redacted.make(new Uint8Array(31))
        const exit = yield* Effect.exit(startedWith(newKey, short)(Effect.void))
        assert.strictEqual(exit._tag, "Failure")
      })
    )
  })
})

describe("rotation of the admin token", () => {
  layer(services, { excludeTestServices: true })((it) => {
    it.effect("lets the new token and the one before it count, and no other", () =>
      Effect.gen(function* () {
        const [older, newer, other] = ["older".padEnd(32, "."), "newer".padEnd(32, "."), "other".padEnd(32, ".")]
        const rotated = serverWith({
          adminToken: Redacted.make(newer),
          olderAdminTokens: [Redacted.make(older)]
        })
        const statuses = yield* Effect.forEach([older, newer, other], (key) =>
          Effect.map(call("GET", "/v1/admin/workspaces", { key }), ({ status }) => status)
        ).pipe(Effect.provide(Layer.fresh(rotated)))
        assert.deepStrictEqual(statuses, [200, 200, 401])
      })
    )
  })
})
