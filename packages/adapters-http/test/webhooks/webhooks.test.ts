import { assert, describe, layer } from "@effect/vitest"
import { WebhookGate } from "@loopbox/core/networks/WebhookGate"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { connect, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { DateTime, Effect, Layer, Logger, Option } from "effect"
import { call, codeOf, openRaw, portOf, sendRaw, server, serverWith, services } from "../support.ts"

const live = { excludeTestServices: true } as const

/** Signs by the body's length, and knows no secret of X. */
const gate = Layer.succeed(
  WebhookGate,
  WebhookGate.of({
    judgeHeader: (endpoint, header) => {
      if (endpoint === "x") return "not_configured"
      return header("x-hub-signature-256")?.startsWith("length=") === true ? "authentic" : "refused"
    },
    judge: (endpoint, header, body) => {
      if (endpoint === "x") return "not_configured"
      return header("x-hub-signature-256") === `length=${body.length}` ? "authentic" : "refused"
    },
    addressees: (_, body) => [
      {
        network: "instagram",
        accountId: Option.some(new TextDecoder().decode(body).split(" ")[0] ?? ""),
        username: Option.none()
      }
    ],
    handshake: (endpoint, query) => {
      if (endpoint === "threads") return { _tag: "NotConfigured" }
      if (endpoint === "x") {
        const token = query("crc_token")
        return token === undefined
          ? { _tag: "Malformed" }
          : { _tag: "Answered", contentType: "application/json", body: JSON.stringify({ response_token: token }) }
      }
      return query("hub.verify_token") === "good"
        ? { _tag: "Answered", contentType: "text/plain", body: query("hub.challenge") ?? "" }
        : { _tag: "Refused" }
    }
  })
)
const lines: Array<string> = []
const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
const configured = serverWith({ rateLimit: { perSecond: 0.01, burst: 1 } }).pipe(
  Layer.provideMerge(services),
  Layer.provideMerge(gate),
  Layer.provideMerge(logger)
)

const deliver = (endpoint: string, body: Uint8Array<ArrayBuffer>, signature = `length=${body.length}`) =>
  call("POST", `/v1/webhooks/${endpoint}`, { body, headers: { "x-hub-signature-256": signature } })

const stored = Effect.gen(function* () {
  const leaseNow = DateTime.add(yield* DateTime.now, { minutes: 1 })
  const leaseUntil = DateTime.add(leaseNow, { minutes: 1 })
  const claims = yield* (yield* WebhookDeliveries).claim({ limit: 100, token: "t", leaseNow, leaseUntil })
  return claims.map(({ delivery }) => ({ endpoint: delivery.endpoint, body: [...delivery.body] }))
})

describe("POST /v1/webhooks/* (api.md §7)", () => {
  layer(
    configured,
    live
  )((it) => {
    it.effect("keeps nobody waiting behind what another workspace's account was sent before", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        for (const networkAccountId of ["busy", "quiet"]) {
          yield* connect((yield* makeInboxWorkspace()).id, { networkAccountId })
        }
        for (const text of ["busy 1", "busy 2", "busy 3", "quiet 1"]) {
          assert.strictEqual((yield* deliver("meta", new TextEncoder().encode(text))).status, 200)
        }
        const leaseNow = DateTime.add(yield* DateTime.now, { minutes: 1 })
        const taken: Array<string> = []
        for (const token of ["a", "b", "c", "d"]) {
          const claims = yield* deliveries.claim({
            limit: 1,
            token,
            leaseNow,
            leaseUntil: DateTime.add(leaseNow, { hours: 1 })
          })
          taken.push(...claims.map(({ delivery }) => new TextDecoder().decode(delivery.body)))
          for (const claim of claims) yield* deliveries.settle(claim, { _tag: "Done" }, leaseNow)
        }
        assert.deepStrictEqual(taken, ["busy 1", "quiet 1", "busy 2", "busy 3"])
      })
    )

    it.effect("stores the very bytes before it answers 200, empty; a wrong signature stores nothing", () =>
      Effect.gen(function* () {
        const bytes = new Uint8Array([0xff, 0, 0xc3, 0x28, 10, 13, ...new TextEncoder().encode("secret words")])
        for (let i = 0; i < 3; i++) {
          const answer = yield* deliver("meta", bytes)
          assert.strictEqual(answer.status, 200)
          assert.strictEqual(answer.text, "")
          assert.isNull(answer.headers.get("ratelimit-limit"))
        }
        assert.strictEqual(codeOf(yield* deliver("threads", bytes, "wrong")), "401 UNAUTHORIZED")
        assert.strictEqual(codeOf(yield* call("POST", "/v1/webhooks/meta", { body: bytes })), "401 UNAUTHORIZED")
        const unconfigured = yield* deliver("x", bytes)
        assert.strictEqual(codeOf(unconfigured), "503 TEMPORARILY_UNAVAILABLE")
        assert.match(unconfigured.headers.get("retry-after") ?? "", /^\d+$/)
        const body = [...bytes]
        assert.deepEqual(
          yield* stored,
          Array.from({ length: 3 }, () => ({ endpoint: "meta" as const, body }))
        )
        assert.notInclude(JSON.stringify(lines), "secret words")
      })
    )
    it.effect("takes 4 MiB and not one byte more, however it is sent", () =>
      Effect.gen(function* () {
        const limit = 4 * 1024 * 1024
        assert.strictEqual((yield* deliver("meta", new Uint8Array(limit))).status, 200)
        assert.strictEqual(codeOf(yield* deliver("meta", new Uint8Array(limit + 1))), "413 PAYLOAD_TOO_LARGE")
        const chunked = new ReadableStream({
          start: (controller) => {
            for (let i = 0; i < 5; i++) controller.enqueue(new Uint8Array(1024 * 1024))
            controller.close()
          }
        })
        const answer = yield* call("POST", "/v1/webhooks/meta", {
          body: chunked,
          duplex: "half",
          headers: { "x-hub-signature-256": `length=${limit + 1}` }
        })
        assert.strictEqual(codeOf(answer), "413 PAYLOAD_TOO_LARGE")
        assert.strictEqual((yield* stored).length, 1)
      })
    )
    it.effect("answers handshakes as the networks define them", () =>
      Effect.gen(function* () {
        const get = (path: string) => call("GET", `/v1/webhooks/${path}`)
        const meta = yield* get("meta?hub.mode=subscribe&hub.verify_token=good&hub.challenge=123")
        assert.strictEqual(meta.status, 200)
        assert.strictEqual(meta.text, "123")
        assert.match(meta.headers.get("content-type") ?? "", /^text\/plain/)
        assert.strictEqual(codeOf(yield* get("meta?hub.verify_token=bad&hub.challenge=1")), "403 FORBIDDEN")
        const twice = "meta?hub.verify_token=good&hub.verify_token=good"
        assert.strictEqual(codeOf(yield* get(twice)), "403 FORBIDDEN")
        const x = yield* get("x?crc_token=abc")
        assert.deepEqual<unknown>(x.body, { response_token: "abc" })
        assert.match(x.headers.get("content-type") ?? "", /^application\/json/)
        assert.strictEqual(codeOf(yield* get("x")), "400 VALIDATION_ERROR")
        assert.strictEqual(codeOf(yield* get("threads")), "503 TEMPORARILY_UNAVAILABLE")
        assert.strictEqual(codeOf(yield* get("other")), "404 NOT_FOUND")
        const put = yield* call("PUT", "/v1/webhooks/x")
        assert.strictEqual(codeOf(put), "405 METHOD_NOT_ALLOWED")
        assert.strictEqual(put.headers.get("allow"), "GET, POST, HEAD")
      })
    )
  })
  layer(
    serverWith({ bodies: { maxBytes: 1024 * 1024, idle: "300 millis" } }).pipe(
      Layer.provideMerge(services),
      Layer.provideMerge(gate)
    ),
    live
  )("bodies of strangers (H5)", (it) => {
    const head = (length: number, signature?: string) =>
      `POST /v1/webhooks/meta HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${
        signature === undefined ? "" : `X-Hub-Signature-256: ${signature}\r\n`
      }\r\n`

    it.effect("are refused without a signature, before they come", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        assert.match(yield* sendRaw(port, head(4_000_000), "some"), /^HTTP\/1\.1 401 [^]*"code":"UNAUTHORIZED"/)
        assert.match(yield* sendRaw(port, head(4_000_000, "md5=1"), "some"), /^HTTP\/1\.1 401 /)
      })
    )
    it.effect("end when nothing more of them comes, and nothing of them is stored", () =>
      Effect.gen(function* () {
        // What came is as long as the signature says: it would be taken if it were all.
        const heard = yield* sendRaw(yield* portOf, head(100, "length=4"), "half")
        assert.match(heard, /^HTTP\/1\.1 408 [^]*"code":"REQUEST_TIMEOUT"/)
        assert.match(heard, /\r\nconnection: close\r\n/i)
        assert.deepEqual(yield* stored, [])
      })
    )
    it.effect("are given up, the oldest first, for one that comes in one go", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        const half = new Uint8Array(700_000)
        const slow = yield* Effect.forEach([1, 2, 3], () => openRaw(port, head(1_000_000, "length=1000000"), half))
        assert.strictEqual((yield* deliver("meta", new Uint8Array(900_000))).status, 200)
        const answers = yield* Effect.forEach(slow, ({ finish }) => finish(new Uint8Array(300_000)))
        for (const answer of answers) {
          assert.match(answer, /^HTTP\/1\.1 503 [^]*"code":"TEMPORARILY_UNAVAILABLE"/)
          assert.match(answer, /\r\nretry-after: \d+\r\n/i)
        }
        assert.strictEqual((yield* stored).length, 1)
      })
    )
  })
  const away = Effect.fail(new StoreUnavailable({ operation: "test", committed: "no", cause: "down" }))
  const down = Layer.succeed(
    Webhooks,
    Webhooks.of({ accept: () => away, listFailed: () => away, replay: () => away, replayAll: () => away })
  )
  layer(serverWith().pipe(Layer.provide(down), Layer.provideMerge(services), Layer.provideMerge(gate)), live)(
    "a store that is down",
    (it) => {
      it.effect("is 503, so that the network tries again", () =>
        Effect.gen(function* () {
          const answer = yield* deliver("meta", new Uint8Array(3))
          assert.strictEqual(codeOf(answer), "503 TEMPORARILY_UNAVAILABLE")
          assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
        })
      )
    }
  )
  layer(server, live)("without a gate", (it) => {
    it.effect("nothing is configured", () =>
      Effect.gen(function* () {
        for (const method of ["GET", "POST"])
          assert.strictEqual(codeOf(yield* call(method, "/v1/webhooks/meta")), "503 TEMPORARILY_UNAVAILABLE")
      })
    )
  })
})
