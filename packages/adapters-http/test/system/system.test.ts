import { assert, describe, layer } from "@effect/vitest"
import { Unhealthy } from "@loopbox/core/kernel/HealthCheck"
import { HttpSettings } from "../../src/server/system/HttpSettings.ts"
import { Clock, Effect, Fiber, Layer, Ref } from "effect"
import { adminToken, call, codeOf, makeWorkspace, portOf, sendRaw, server, serverWith, services } from "../support.ts"

const withOptions = (options: Parameters<typeof serverWith>[0]) =>
  serverWith(options).pipe(Layer.provideMerge(services))
const live = { excludeTestServices: true } as const

describe("GET /livez and /readyz (api.md §9)", () => {
  layer(
    server,
    live
  )((it) => {
    it.effect("answer without the envelope", () =>
      Effect.gen(function* () {
        const livez = yield* call("GET", "/livez")
        assert.strictEqual(livez.status, 200)
        assert.deepEqual<unknown>(livez.body, { status: "ok" })
        assert.match(livez.headers.get("x-request-id") ?? "", /^req_/)
        assert.deepEqual<unknown>((yield* call("GET", "/readyz")).body, { status: "ok", checks: [] })
        const { draining } = yield* HttpSettings
        yield* Ref.set(draining, true)
        const stopping = yield* call("GET", "/readyz")
        assert.strictEqual(stopping.status, 503)
        assert.strictEqual(String(stopping.body["status"]), "draining")
        assert.strictEqual((yield* call("GET", "/livez")).status, 200)
      })
    )
  })
  const checks = withOptions({
    healthTimeout: "50 millis",
    healthChecks: [
      { name: "good", run: Effect.succeed("/var/lib takes files") },
      { name: "bad", run: Effect.fail(new Unhealthy({ message: "the disk is full" })) },
      { name: "slow", run: Effect.never },
      { name: "broken", run: Effect.die("a secret") }
    ]
  })
  layer(checks, live)("with checks", (it) => {
    it.effect("say what each check found to an administrator, and 503 when one fails", () =>
      Effect.gen(function* () {
        const answer = yield* call("GET", "/readyz", { key: adminToken })
        assert.strictEqual(answer.status, 503)
        assert.deepEqual<unknown>(answer.body["checks"], [
          { name: "good", status: "ok", message: "/var/lib takes files" },
          { name: "bad", status: "failed", message: "the disk is full" },
          { name: "slow", status: "failed", message: "did not answer in time" },
          { name: "broken", status: "failed", message: "died" }
        ])
      })
    )
    it.effect("tell a stranger neither paths nor errors (L7)", () =>
      Effect.gen(function* () {
        for (const options of [{}, { key: "another-token" }]) {
          const answer = yield* call("GET", "/readyz", options)
          assert.strictEqual(answer.status, 503)
          assert.notMatch(answer.text, /var|disk|in time|died/)
          assert.match(answer.text, /"name":"bad","status":"failed"/)
        }
      })
    )
  })
  let looks = 0
  const counted = withOptions({
    healthChecks: [
      {
        name: "counted",
        run: Effect.andThen(
          Effect.sync(() => void looks++),
          Effect.delay(Effect.succeed("well"), "300 millis")
        )
      }
    ]
  })
  layer(counted, live)("asked many times at once", (it) => {
    it.effect("look once in two seconds, though the first who asked has gone (H5)", () =>
      Effect.gen(function* () {
        const startedAt = performance.now()
        const first = yield* Effect.forkChild(call("GET", "/readyz"))
        yield* Effect.sleep("20 millis").pipe(Effect.repeat({ while: () => looks === 0 }))
        yield* Fiber.interrupt(first)
        const answers = yield* Effect.all(
          Array.from({ length: 50 }, () => call("GET", "/readyz")),
          { concurrency: "unbounded" }
        )
        assert.isTrue(answers.every(({ status }) => status === 200))
        yield* call("GET", "/readyz")
        // Once, unless the machine took longer for all of it.
        assert.isAtMost(looks, 1 + Math.floor((performance.now() - startedAt) / 2_000))
      })
    )
  })
})

describe("GET /metrics (api.md §9)", () => {
  layer(
    server,
    live
  )((it) => {
    it.effect("counts answers by route pattern, method and status", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        yield* call("GET", "/v1/media/some-id?hidden=words-of-a-query", { key })
        yield* call("GET", "/some/other/path")
        const { headers, text } = yield* call("GET", "/metrics")
        assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
        assert.match(
          text,
          /http_requests_total\{(?=[^}]*route="\/v1\/media\/:id")(?=[^}]*method="GET")(?=[^}]*status="404")[^}]*\} [1-9]/
        )
        assert.match(text, /http_requests_total\{[^}]*route="none"/)
        assert.match(text, /http_request_duration_seconds_bucket/)
        assert.notInclude(text, "some-id")
        assert.notInclude(text, "words-of-a-query")
      })
    )
  })
})

describe("http_request_duration_seconds (design §10)", () => {
  const machine = Clock.Clock.defaultValue()
  let ahead_ms = 0
  /** Each look at the time of day is an hour after the last, as where somebody moves the test clock. */
  const jump = () => machine.currentTimeMillisUnsafe() + (ahead_ms += 3_600_000)
  const jumping: Clock.Clock = {
    currentTimeMillisUnsafe: jump,
    currentTimeMillis: Effect.sync(jump),
    currentTimeNanosUnsafe: () => BigInt(jump()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(jump()) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: machine.monotonicTimeNanos,
    sleep: (duration) => machine.sleep(duration)
  }
  layer(
    server.pipe(Layer.provideMerge(Layer.succeed(Clock.Clock, jumping))),
    live
  )((it) => {
    it.effect("is what a request took, however often the time of day is moved", () =>
      Effect.gen(function* () {
        yield* call("GET", "/docs")
        const { text } = yield* call("GET", "/metrics")
        const sum = /http_request_duration_seconds_sum\{(?=[^}]*route="\/docs")[^}]*\} ([^\s]+)/.exec(text)?.[1]
        assert.isBelow(Number(sum ?? assert.fail("no duration")), 3_600)
      })
    )
  })
})

describe("GET /docs (api.md §9)", () => {
  layer(
    server,
    live
  )((it) => {
    it.effect("is a page that loads nothing from elsewhere", () =>
      Effect.gen(function* () {
        const { headers, status, text } = yield* call("GET", "/docs")
        assert.strictEqual(status, 200)
        assert.match(headers.get("content-type") ?? "", /^text\/html/)
        assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'unsafe-inline'/)
        assert.notMatch(text, /<(script|link|img)[^>]*(src|href)=/)
      })
    )
    it.effect("opens the operation that an address names, and keeps the administration apart", () =>
      Effect.gen(function* () {
        const { text } = yield* call("GET", "/docs")
        assert.include(text, "deepLinking: true")
        assert.include(text, "spec: partOf(")
        const { body } = yield* call("GET", "/openapi.json")
        const groups = Object.values({ ...body["x-tagGroups"] })
        assert.deepEqual(
          groups.map((group) => String(group["name"])),
          ["API", "Administration", "Operations"]
        )
        assert.deepEqual(Object.values({ ...groups[1]?.["tags"] }).map(String), ["admin", "accounts"])
        const tags = groups.flatMap((group) => Object.values({ ...group["tags"] }).map(String))
        assert.sameMembers(
          tags,
          Object.values({ ...body["tags"] }).map((tag) => String(tag["name"]))
        )
      })
    )
    it.effect("is small on the wire, for who takes it compressed", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        const ask = (encoding: string) =>
          sendRaw(port, `GET /docs HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`)
        const small = yield* ask("br, gzip")
        assert.match(small, /content-encoding: gzip/i)
        assert.match(small, /vary: Accept-Encoding/i)
        assert.isBelow(Number(/content-length: (\d+)/i.exec(small)?.[1]), 700_000)
        const plain = yield* ask("br, gzip;q=0")
        assert.notMatch(plain, /content-encoding/i)
        assert.include(plain, "deepLinking: true")
      })
    )
  })
})

describe("CORS (api-2.md §18)", () => {
  const origin = "https://app.example"
  const asked = { origin, "access-control-request-method": "POST" }
  layer(
    withOptions({ corsOrigins: [origin] }),
    live
  )((it) => {
    it.effect("lets pages of the origins that are configured call, and no others", () =>
      Effect.gen(function* () {
        const preflight = yield* call("OPTIONS", "/v1/media/gif-conversions", { headers: asked })
        assert.strictEqual(preflight.status, 204)
        assert.strictEqual(preflight.headers.get("access-control-allow-origin"), origin)
        assert.strictEqual(preflight.headers.get("vary"), "Origin")
        assert.match(preflight.headers.get("access-control-max-age") ?? "", /^\d+$/)
        assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /POST/)
        const taken = preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(", ") ?? []
        for (const name of ["authorization", "content-type", "idempotency-key", "x-filename", "x-workspace-id"]) {
          assert.include(taken, name)
        }
        assert.include(taken, "x-request-id")
        const other = yield* call("GET", "/v1/media", { headers: { origin: "https://evil.example" } })
        assert.isNull(other.headers.get("access-control-allow-origin"))
        assert.strictEqual(other.headers.get("vary"), "Origin")
        assert.strictEqual((yield* call("OPTIONS", "/nothing", { headers: asked })).status, 404)
        assert.strictEqual((yield* call("OPTIONS", "/v1/admin/nothing", { headers: asked })).status, 404)
      })
    )
    it.effect(
      "may read the refusal of an address and of a method that are wrong, where they ask before they call",
      () =>
        Effect.gen(function* () {
          const mistakes = [
            ["PATCH", "/v1/inbx", 404],
            ["DELETE", "/v1/inbox/unread-count", 405]
          ] as const
          for (const [method, path, status] of mistakes) {
            const headers = { origin, "access-control-request-method": method }
            const preflight = yield* call("OPTIONS", path, { headers })
            assert.strictEqual(preflight.status, 204)
            assert.strictEqual(preflight.headers.get("access-control-allow-origin"), origin)
            assert.include(preflight.headers.get("access-control-allow-methods")?.split(", ") ?? [], method)
            const answer = yield* call(method, path, { headers: { origin } })
            assert.strictEqual(answer.status, status)
            assert.strictEqual(answer.headers.get("access-control-allow-origin"), origin)
          }
        })
    )
    it.effect("are told what Node's parser refuses, where the request came far enough to say whose page it is", () =>
      Effect.gen(function* () {
        const port = yield* portOf
        const allows = new RegExp(`\r\naccess-control-allow-origin: ${origin}\r\n`)
        const head = (path: string, from: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nOrigin: ${from}\r\n`
        const large = `Cookie: ${"a".repeat(40_000)}\r\n\r\n`
        const refused = yield* sendRaw(port, `${head("/v1/media", origin)}${large}`)
        assert.match(refused, /^HTTP\/1\.1 431 /)
        assert.match(refused, allows)
        // The head is right, and the body is not.
        const { key } = yield* makeWorkspace()
        const more = `Authorization: Bearer ${key}\r\nContent-Type: image/gif\r\nTransfer-Encoding: chunked\r\n\r\n`
        const upload = head("/v1/media", origin).replace("GET", "POST")
        const broken = yield* sendRaw(port, `${upload}${more}3\r\nGIF\r\n`, "no number\r\n")
        assert.match(broken, /^HTTP\/1\.1 400 /)
        assert.match(broken, allows)
        for (const other of [
          `${head("/v1/media", "https://evil.example")}${large}`,
          `${head("/v1/admin/workspaces", origin)}${large}`,
          `${head("/v1/media", origin)}Origin: https://evil.example\r\n${large}`,
          "HELLO\r\n\r\n"
        ]) {
          const answer = yield* sendRaw(port, other)
          assert.match(answer, /^HTTP\/1\.1 4\d\d [^]*\r\nvary: Origin\r\n[^]*"request_id":"req_/)
          assert.notMatch(answer, /access-control-allow-origin/)
        }
      })
    )
    it.effect("are told of errors too", () =>
      Effect.gen(function* () {
        const large = "x".repeat(1024 * 1024 + 1)
        const { key } = yield* makeWorkspace()
        const answers = [
          yield* call("GET", "/v1/media", { headers: { origin } }),
          yield* call("GET", "/v1/nothing", { headers: { origin } }),
          yield* call("POST", "/v1/media/gif-conversions", {
            key,
            body: large,
            headers: { origin, "content-type": "application/json" }
          })
        ]
        assert.deepEqual(
          answers.map(({ status }) => status),
          [401, 404, 413]
        )
        for (const { headers } of answers) {
          assert.strictEqual(headers.get("access-control-allow-origin"), origin)
          const exposed = headers.get("access-control-expose-headers")?.split(", ") ?? []
          for (const name of ["X-Operation-Id", "X-Request-Id", "RateLimit-Limit", "RateLimit-Reset", "Retry-After"]) {
            assert.include(exposed, name)
          }
        }
      })
    )
    it.effect("do not reach the administration, webhooks and operations", () =>
      Effect.gen(function* () {
        for (const path of ["/v1/admin/workspaces", "/v1/webhooks/meta"]) {
          const preflight = yield* call("OPTIONS", path, { headers: asked })
          assert.strictEqual(codeOf(preflight), "405 METHOD_NOT_ALLOWED")
          assert.isNull(preflight.headers.get("access-control-allow-origin"))
        }
        for (const path of ["/v1/admin/workspaces", "/v1/webhooks/meta", "/readyz", "/openapi.json"]) {
          const { headers } = yield* call("GET", path, { headers: { origin } })
          assert.isNull(headers.get("access-control-allow-origin"), path)
        }
      })
    )
  })
})

describe("the rate limit of a key (api.md §1)", () => {
  layer(
    withOptions({ rateLimit: { perSecond: 0.5, burst: 3 } }),
    live
  )((it) => {
    it.effect("is told with every answer, and kept", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const left: Array<string | null> = []
        for (const path of ["/v1/media", "/v1/media/none", "/v1/media/gif-conversions?limit=x"]) {
          const { headers } = yield* call("GET", path, { key })
          assert.strictEqual(headers.get("ratelimit-limit"), "3")
          assert.match(headers.get("ratelimit-reset") ?? "", /^[2-6]$/)
          left.push(headers.get("ratelimit-remaining"))
        }
        assert.deepEqual(left, ["2", "1", "0"])
        for (const [method, path] of [
          ["GET", "/v1/media"],
          ["POST", "/v1/media/gif-conversions"],
          ["GET", "/v1/media/x/content"]
        ] as const) {
          const refused = yield* call(method, path, { key, ...(method === "POST" ? { body: "{bad" } : {}) })
          assert.strictEqual(codeOf(refused), "429 RATE_LIMITED")
          assert.strictEqual(refused.headers.get("retry-after"), "2")
          assert.strictEqual(refused.headers.get("ratelimit-remaining"), "0")
        }
        const other = yield* makeWorkspace()
        assert.strictEqual((yield* call("GET", "/v1/media", { key: other.key })).status, 200)
        assert.isNull((yield* call("GET", "/v1/media", { key: "wrong" })).headers.get("ratelimit-limit"))
      })
    )
  })
})
