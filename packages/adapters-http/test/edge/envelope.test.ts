import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, codeOf, makeWorkspace, portOf, sendRaw, server } from "../support.ts"

describe("the envelope (api.md §1)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("answers an unknown path with 404 in the envelope, and the request's id twice", () =>
      Effect.gen(function* () {
        const answer = yield* call("GET", "/v1/nothing")
        assert.strictEqual(codeOf(answer), "404 NOT_FOUND")
        assert.match(String(answer.body["request_id"]), /^req_[0-9a-z]{26}$/)
        assert.strictEqual(answer.headers.get("x-request-id"), String(answer.body["request_id"]))
        assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
      })
    )
    it.effect("keeps a request id that is well-formed, and no other", () =>
      Effect.gen(function* () {
        const id = `A.b_c-${"9".repeat(122)}`
        const kept = yield* call("GET", "/nothing", { headers: { "x-request-id": id } })
        assert.strictEqual(kept.headers.get("x-request-id"), id)
        for (const bad of [`${id}x`, "a b", "a:b", ""]) {
          const answer = yield* call("GET", "/nothing", { headers: { "x-request-id": bad } })
          assert.match(answer.headers.get("x-request-id") ?? "", /^req_/)
        }
      })
    )
    it.effect("answers a wrong method with 405 and the methods that the path takes, before it authenticates", () =>
      Effect.gen(function* () {
        const list = yield* call("DELETE", "/v1/media/gif-conversions")
        assert.strictEqual(codeOf(list), "405 METHOD_NOT_ALLOWED")
        assert.sameMembers((list.headers.get("allow") ?? "").split(", "), ["GET", "HEAD", "POST"])
        assert.strictEqual(codeOf(yield* call("PATCH", "/v1/media")), "405 METHOD_NOT_ALLOWED")
        assert.strictEqual(codeOf(yield* call("POST", "/openapi.json")), "405 METHOD_NOT_ALLOWED")
        assert.strictEqual(codeOf(yield* call("OPTIONS", "/v1/media")), "405 METHOD_NOT_ALLOWED")
      })
    )
    it.effect("answers HEAD as GET without a body", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const answer = yield* call("HEAD", "/v1/media", { key })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.text, "")
        const refused = yield* call("HEAD", "/v1/media")
        assert.strictEqual(refused.status, 401)
        assert.strictEqual((yield* call("HEAD", "/nothing")).status, 404)
      })
    )
    it.effect("answers bad escapes in path and query as any other request", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        for (const path of ["/%ZZ", "/v1/media/%ZZ", "/v1/media/%C3%28", "//", "/v1/media/"]) {
          const text = yield* sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
          assert.match(text, /^HTTP\/1\.1 (404|401) /, path)
          assert.match(text, /"request_id":"req_/, path)
        }
        const { key } = yield* makeWorkspace()
        assert.strictEqual(codeOf(yield* call("GET", "/v1/media?cursor=%ZZ", { key })), "422 validation_error")
      })
    )
    it.effect("puts what Node's parser refuses into the envelope", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        const malformed = yield* sendRaw(port, "HELLO\r\n\r\n")
        assert.match(malformed, /^HTTP\/1\.1 400 Bad Request\r\n/)
        assert.match(malformed, /"code":"VALIDATION_ERROR"/)
        const large = yield* sendRaw(port, `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(40_000)}\r\n\r\n`)
        assert.match(large, /^HTTP\/1\.1 431 /)
        assert.match(large, /"code":"HEADERS_TOO_LARGE"/)
        const hostless = yield* sendRaw(port, "GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n")
        assert.match(hostless, /^HTTP\/1\.1 400 [^]*"code":"VALIDATION_ERROR"/)
        const tunnel = yield* sendRaw(port, "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n")
        assert.match(tunnel, /^HTTP\/1\.1 400 [^]*"code":"VALIDATION_ERROR"/)
        const both = "POST /v1/media HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
        assert.match(yield* sendRaw(port, both), /^HTTP\/1\.1 400 [^]*"request_id"/)
      })
    )
    it.effect(
      "answers an expectation that it does not know, and an upgrade that it does not take, as if they were not there",
      () =>
        Effect.gen(function* () {
          const port = yield* portOf
          const expecting = yield* sendRaw(
            port,
            "GET /livez HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n"
          )
          assert.match(expecting, /^HTTP\/1\.1 200 /)
          const upgrade = "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n"
          assert.match(yield* sendRaw(port, `GET /v1/nothing HTTP/1.1\r\n${upgrade}`), /^HTTP\/1\.1 404 [^]*NOT_FOUND/)
        })
    )
    it.effect("refuses a body before it says 100 Continue, and takes a good one after", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        const head = "POST /v1/media HTTP/1.1\r\nHost: x\r\nContent-Type: image/gif\r\nContent-Length: 9000000\r\n"
        const refused = yield* sendRaw(port, `${head}Expect: 100-continue\r\n\r\n`)
        assert.match(refused, /^HTTP\/1\.1 401 [^]*"code":"UNAUTHORIZED"/)
      })
    )
    it.effect("tells browsers what they must not do with an answer", () =>
      Effect.gen(function* () {
        const { headers } = yield* call("GET", "/v1/media")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/)
        assert.isNull(headers.get("access-control-allow-origin"))
        assert.isNull(headers.get("x-powered-by"))
      })
    )
  })
})
