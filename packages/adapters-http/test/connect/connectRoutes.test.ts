import { assert, describe, layer } from "@effect/vitest"
import { ConnectLinkUnknown, StateInvalid } from "@loopbox/core/connecting/ConnectErrors"
import type { AccessEntry } from "@loopbox/adapters-http/server/edge/requestFacts"
import { Effect, Layer, Logger, Option, Redacted, Tracer } from "effect"
import { call, serverWith, services } from "../support.ts"
import {
  attemptKey,
  choosePath,
  choosing,
  failed,
  Script,
  secrets,
  sessionId,
  sessionWith
} from "./scriptedConnecting.ts"

const dialog = `https://network.example/dialog?client_id=1&state=${secrets.state}`
const redirect = {
  _tag: "Redirect",
  session: sessionWith("pending"),
  attemptKey,
  to: Redacted.make(dialog),
  cookie: Redacted.make(secrets.cookie)
} as const
const returnUrl = Option.some("https://app.example/done?tab=1&reason=x")
const form = `form_token=${secrets.form}&account=k1&account=k2`
const formType = "application/x-www-form-urlencoded"

const post = (body: string, headers: Record<string, string> = {}) =>
  call("POST", choosePath, {
    body,
    headers: { "content-type": formType, cookie: `loopbox_connect_${attemptKey}=${secrets.cookie}`, ...headers }
  })

const live = serverWith({ publicUrl: "http://127.0.0.1:8080" }).pipe(Layer.provideMerge(services))

describe("a browser on its way to a network and back (api-2.md §11)", () => {
  layer(live, { excludeTestServices: true })((it) => {
    it.effect("is sent to the network and bound by a cookie", () =>
      Effect.gen(function* () {
        const script = yield* Script
        const asked: Array<string> = []
        script.sessions = {
          begin: (token, callbackUrl) => {
            asked.push(`${Redacted.value(token)} ${callbackUrl("facebook")}`)
            return Effect.succeed(redirect)
          }
        }
        const answer = yield* call("GET", `/connect/${secrets.link}`)
        assert.strictEqual(answer.status, 303)
        assert.strictEqual(answer.headers.get("location"), dialog)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        assert.strictEqual(
          answer.headers.get("set-cookie"),
          `loopbox_connect_${attemptKey}=${secrets.cookie}; Max-Age=1800; Path=/connect; HttpOnly; SameSite=Lax`
        )
        assert.deepEqual(asked, [`${secrets.link} http://127.0.0.1:8080/connect/callback/facebook`])
      })
    )
    it.effect("keeps the cookies of its other attempts, but for the oldest when they are many", () =>
      Effect.gen(function* () {
        const script = yield* Script
        const asked: Array<number> = []
        script.sessions = {
          begin: (_token, _callbackUrl, cookies) => {
            asked.push(cookies.length)
            return Effect.succeed(redirect)
          }
        }
        const open = (cookies: number) => {
          const kept = Array.from({ length: cookies }, (_, n) => `loopbox_connect_${n}=c${n}`)
          return call("GET", `/connect/${secrets.link}`, { headers: { cookie: ["x=y", ...kept].join("; ") } })
        }
        const few = yield* open(7)
        assert.deepEqual(
          few.headers.getSetCookie().map((line) => line.split("=")[0]),
          [`loopbox_connect_${attemptKey}`]
        )
        const many = yield* open(9)
        const [first, second, ...rest] = many.headers.getSetCookie()
        assert.strictEqual(first, "loopbox_connect_0=; Max-Age=0; Path=/connect; HttpOnly; SameSite=Lax")
        assert.match(second ?? "", /^loopbox_connect_1=; Max-Age=0/)
        assert.strictEqual(rest.length, 1)
        assert.deepEqual(asked, [7, 9])
      })
    )
    it.effect("begins nothing by HEAD or by a prefetch", () =>
      Effect.gen(function* () {
        const script = yield* Script
        script.sessions = {}
        assert.strictEqual((yield* call("HEAD", `/connect/${secrets.link}`)).status, 200)
        assert.strictEqual((yield* call("HEAD", `/connect/callback/x?state=s&code=c`)).status, 200)
        for (const headers of [{ "sec-purpose": "prefetch;prerender" }, { purpose: "prefetch" }])
          assert.strictEqual((yield* call("GET", `/connect/${secrets.link}`, { headers })).status, 503)
      })
    )
    it.effect("brings back the network's whole answer and all its cookies, and each member once", () =>
      Effect.gen(function* () {
        const script = yield* Script
        const asked: Array<unknown> = []
        script.sessions = {
          callback: (network, query, cookies) => {
            asked.push([network, query, cookies.map(Redacted.value)])
            return Effect.succeed(choosing())
          }
        }
        const path = `/connect/callback/facebook?state=s&code=a%2Bb&error=&twice=1&twice=2`
        const answer = yield* call("GET", path, {
          headers: { cookie: `other=1; loopbox_connect_a=1; loopbox_connect_b=2` }
        })
        assert.strictEqual(answer.status, 200)
        yield* call("GET", "/connect/callback/none?state=s")
        assert.deepEqual(asked, [
          ["facebook", { state: "s", code: "a+b", error: "" }, ["1", "2"]],
          ["none", { state: "s" }, []]
        ])
      })
    )
    it.effect("is sent on to the return address with the outcome", () =>
      Effect.gen(function* () {
        const script = yield* Script
        const session = sessionWith("failed", { returnUrl, failure: failed("no_pages") })
        const ended = Effect.succeed({ _tag: "Ended", session } as const)
        script.sessions = { begin: () => ended, callback: () => ended, choices: () => ended, choose: () => ended }
        const all = [
          yield* call("GET", `/connect/${secrets.link}`),
          yield* call("GET", "/connect/callback/facebook?state=s"),
          yield* call("GET", choosePath),
          yield* post(form)
        ]
        for (const answer of all) {
          assert.strictEqual(answer.status, 303)
          assert.strictEqual(
            answer.headers.get("location"),
            `https://app.example/done?tab=1&connect_session=${sessionId}&connect_status=failed&reason=no_pages`
          )
        }
      })
    )
    it.effect("sends its choice once, and reads the outcome by a page of its own", () =>
      Effect.gen(function* () {
        const script = yield* Script
        const asked: Array<unknown> = []
        script.sessions = {
          choose: (cookie, token, keys) => {
            asked.push([Option.getOrNull(Option.map(cookie, Redacted.value)), Redacted.value(token), keys])
            return Effect.succeed({ _tag: "Ended", session: sessionWith("completed") })
          }
        }
        const answer = yield* post(form)
        assert.deepEqual([answer.status, answer.headers.get("location")], [303, choosePath])
        assert.deepEqual(asked, [[secrets.cookie, secrets.form, ["k1", "k2"]]])
        script.sessions = {
          choose: () => {
            const { _tag: _, ...again } = choosing()
            return Effect.succeed({ ...again, _tag: "NothingChosen" })
          }
        }
        const nothing = yield* post(`form_token=${secrets.form}`)
        assert.strictEqual(nothing.status, 400)
        assert.match(nothing.text, /role="alert">Choose at least one account/)
        assert.match(nothing.text, /name="account" value="k1"/)
      })
    )
    it.effect("cannot be made to choose by another site, or by what is no form", () =>
      Effect.gen(function* () {
        const script = yield* Script
        script.sessions = {}
        const refused = [
          post(form, { origin: "https://evil.example" }),
          post(form, { origin: "http://127.0.0.1:8080.evil.example" }),
          post(form, { origin: "null", "sec-fetch-site": "cross-site" }),
          post(form, { "sec-fetch-site": "same-site" }),
          post(form, { "content-type": "text/plain" }),
          post(form, { "content-type": "application/json" }),
          post(`${form}&form_token=x`)
        ]
        for (const sent of refused) {
          const answer = yield* sent
          assert.strictEqual(answer.status, 400)
          assert.match(answer.headers.get("content-type") ?? "", /^text\/html/)
        }
        assert.strictEqual((yield* post(`form_token=${"x".repeat(70_000)}`)).status, 413)
        script.sessions = { choose: () => Effect.fail(new StateInvalid()) }
        for (const headers of [
          { origin: "null", "sec-fetch-site": "same-origin" },
          { origin: "http://127.0.0.1:8080" }
        ])
          assert.strictEqual((yield* post(form, headers)).status, 400)
        script.sessions = {
          choose: () => Effect.succeed({ _tag: "Ended", session: sessionWith("completed") })
        }
        for (const headers of [
          { origin: "null", "sec-fetch-site": "same-origin" },
          { origin: "http://127.0.0.1:8080" }
        ])
          assert.strictEqual((yield* post(form, headers)).status, 303)
      })
    )
    it.effect("may be led by its form to the return address, and without one only here", () =>
      Effect.gen(function* () {
        const script = yield* Script
        const actions: ReadonlyArray<readonly [Option.Option<string>, RegExp]> = [
          [Option.none(), /form-action 'self';/],
          [returnUrl, /form-action 'self' https:;/],
          [Option.some("http://localhost:3000/x"), /form-action 'self' https: http:;/]
        ]
        for (const [address, expected] of actions) {
          const page = choosing({ session: sessionWith("choosing", { returnUrl: address }) })
          script.sessions = { choices: () => Effect.succeed(page) }
          const { headers } = yield* call("GET", choosePath)
          assert.match(headers.get("content-security-policy") ?? "", expected)
        }
      })
    )
    it.effect("finds nothing at other addresses and methods", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* call("GET", "/connect")).status, 404)
        assert.strictEqual((yield* call("GET", "/connect/a/b/c")).status, 404)
        const post = yield* call("POST", "/connect/callback/facebook")
        assert.deepEqual([post.status, post.headers.get("allow")], [405, "GET, HEAD"])
      })
    )
  })
})

describe("a browser behind https", () => {
  const secure = serverWith({ publicUrl: "https://loopbox.example/base" }).pipe(Layer.provideMerge(services))
  layer(secure, { excludeTestServices: true })((it) => {
    it.effect("gets its cookie for https and for the path of the public URL only", () =>
      Effect.gen(function* () {
        const script = yield* Script
        script.sessions = { begin: () => Effect.succeed(redirect) }
        const { headers } = yield* call("GET", `/connect/${secrets.link}`)
        assert.strictEqual(
          headers.get("set-cookie"),
          `__Secure-loopbox_connect_${attemptKey}=${secrets.cookie}; Max-Age=1800; Path=/base/connect; HttpOnly; Secure; SameSite=Lax`
        )
      })
    )
  })
})

describe("guesses of an address", () => {
  const limited = serverWith({ authRateLimit: { perSecond: 0.001, burst: 3 } }).pipe(Layer.provideMerge(services))
  layer(limited, { excludeTestServices: true })((it) => {
    it.effect("are no longer looked up once they are too many; a link that was good still is", () =>
      Effect.gen(function* () {
        const script = yield* Script
        let looked = 0
        script.sessions = {
          begin: (token) => {
            looked += 1
            return Redacted.value(token) === secrets.link
              ? Effect.succeed(redirect)
              : Effect.fail(new ConnectLinkUnknown())
          }
        }
        const statuses: Array<number> = []
        for (const token of [secrets.link, "a", "b", "c", "d", "e", secrets.link])
          statuses.push((yield* call("GET", `/connect/${token}`)).status)
        assert.deepEqual(statuses, [303, 404, 404, 404, 429, 429, 303])
        assert.strictEqual(looked, 5)
        const last = yield* call("GET", "/connect/f")
        assert.isAbove(Number(last.headers.get("retry-after")), 0)
        assert.match(last.text, /Too many requests/)
      })
    )
  })
})

describe("logs, spans and the access log of connecting", () => {
  const spans: Array<Tracer.NativeSpan> = []
  const lines: Array<string> = []
  const entries: Array<AccessEntry> = []
  const watched = serverWith({ accessLog: (entry) => void entries.push(entry) }).pipe(
    Layer.provideMerge(services),
    Layer.provideMerge(
      Layer.merge(
        Layer.succeed(
          Tracer.Tracer,
          Tracer.make({
            span(options) {
              const span = new Tracer.NativeSpan(options)
              spans.push(span)
              return span
            }
          })
        ),
        Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
      )
    )
  )
  layer(watched, { excludeTestServices: true })((it) => {
    it.effect("hold no link, state, code, cookie or form token", () =>
      Effect.gen(function* () {
        const script = yield* Script
        script.sessions = {
          begin: () => Effect.succeed(redirect),
          callback: () => Effect.succeed(choosing()),
          choose: () => Effect.die(new Error("broken"))
        }
        script.callbacks = { requestDeletion: () => Effect.die(new Error("broken")) }
        yield* call("GET", `/connect/${secrets.link}`)
        const cookie = `loopbox_connect_${attemptKey}=${secrets.cookie}`
        const back = `/connect/callback/facebook?state=${secrets.state}&code=${secrets.code}`
        yield* call("GET", back, { headers: { cookie, referer: `http://x/?${secrets.code}` } })
        yield* post(form, { referer: `http://x${back}` })
        yield* call("POST", "/v1/webhooks/meta/data-deletion", {
          body: `signed_request=${secrets.signed}`,
          headers: { "content-type": formType, referer: `http://x${back}` }
        })
        yield* call("GET", `/v1/media?state=${secrets.state}&code=${secrets.code}`)
        const said = JSON.stringify(
          [
            lines,
            entries,
            spans.map(({ attributes, name, status }) => ({ name, attributes: [...attributes], status: String(status) }))
          ],
          (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)
        )
        assert.deepEqual(
          entries.map(({ route, status }) => [route, status]),
          [
            ["/connect/:token", 303],
            ["/connect/callback/:network", 200],
            ["/connect/choose/:key", 500],
            ["/v1/webhooks/meta/data-deletion", 500],
            ["/v1/media", 401]
          ]
        )
        assert.isAbove(lines.length, 1)
        assert.notInclude(said, "of-mine")
      })
    )
  })
})
