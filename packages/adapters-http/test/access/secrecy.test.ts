import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted, Tracer } from "effect"
import { adminToken, call, gif, makeWorkspace, serverWith, services, signingKey, uploadGif } from "../support.ts"

const spans: Array<Tracer.NativeSpan> = []
const lines: Array<string> = []

const tracer = Layer.succeed(
  Tracer.Tracer,
  Tracer.make({
    span(options) {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
)
const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])

describe("logs and spans (design §10)", () => {
  const watched = serverWith({ rateLimit: { perSecond: 1, burst: 100 } }).pipe(
    Layer.provideMerge(services),
    Layer.provideMerge(Layer.merge(tracer, logger))
  )
  layer(watched, { excludeTestServices: true })((it) => {
    it.effect("hold no token, signature, cursor, key, file name or body", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const id = yield* uploadGif(key)
        yield* uploadGif(key)
        const { body } = yield* call("GET", "/v1/media?limit=1", { key })
        const cursor = String(body["next_cursor"])
        const url = String(body["data"]?.["0"]?.["download_url"])
        yield* call("GET", `/v1/media?cursor=${cursor}`, { key })
        yield* call("GET", url)
        yield* call("POST", "/v1/media/gif-conversions", {
          key,
          json: { gif_media_id: id, mode: "body-of-mine" },
          headers: { "idempotency-key": "key-of-mine" }
        })
        const headers = { "content-type": "image/gif", "x-filename": "name-of-mine.gif" }
        yield* call("POST", "/v1/media", { key, body: new Uint8Array(gif), headers })
        yield* call("GET", "/v1/admin/workspaces", { key: adminToken })
        yield* call("GET", "/v1/media?token=token-of-mine&access_token=token-of-mine", { key })
        const said = JSON.stringify(
          [
            lines,
            spans.map(({ attributes, name, status }) => ({ name, attributes: [...attributes], status: String(status) }))
          ],
          (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)
        )
        assert.isAbove(spans.length, 5)
        assert.isTrue(spans.some(({ name }) => name === "GET /v1/media/:id/content"))
        const secrets = [
          key,
          adminToken,
          cursor,
          url.slice(url.indexOf("sig=") + 4),
          "of-mine",
          String(Redacted.value(signingKey))
        ]
        for (const secret of secrets) assert.notInclude(said, secret)
      })
    )
  })
})
