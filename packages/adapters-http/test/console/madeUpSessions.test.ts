import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, codeOf } from "../support.ts"
import { ask, consoleServer, consoleServerWith, ofOurPage, signIn } from "./consoleSupport.ts"

describe("made-up sessions", () => {
  const madeUp = (n: number) => ({ cookie: `loopbox_console=${String(n).padStart(43, "x")}` })

  layer(consoleServerWith({ authRateLimit: { perSecond: 1 / 1000, burst: 3 } }), { excludeTestServices: true })(
    (it) => {
      it.effect("are 429 when an address gave too many, and counted; a session that stands goes on", () =>
        Effect.gen(function* () {
          const { cookie } = yield* signIn()
          for (const [method, path] of [
            ["GET", "/console/session"],
            ["GET", "/console/v1/media"],
            ["DELETE", "/console/session"]
          ] as const)
            assert.isBelow((yield* ask(method, path, madeUp(method.length))).status, 402, `${method} ${path}`)
          for (const [method, path] of [
            ["GET", "/console/session"],
            ["GET", "/console/v1/media"],
            ["GET", "/console/activity"],
            ["DELETE", "/console/session"]
          ] as const) {
            const refused = yield* ask(method, path, madeUp(9))
            assert.strictEqual(codeOf(refused), "429 RATE_LIMITED", `${method} ${path}`)
            assert.isAbove(Number(refused.headers.get("retry-after")), 0)
            assert.isNull(refused.headers.get("set-cookie"))
          }
          const later = (yield* signIn()).cookie
          for (const mine of [cookie, later]) {
            assert.strictEqual((yield* ask("GET", "/console/session", { cookie: mine })).status, 200)
            assert.strictEqual((yield* ask("DELETE", "/console/session", { cookie: mine })).status, 204)
          }
          const { text } = yield* call("GET", "/metrics")
          assert.match(text, /http_unauthorized_total\{credential="console"\} ([3-9]|\d{2})/)
        })
      )
    }
  )

  layer(consoleServer, { excludeTestServices: true })((it) => {
    it.effect("are not made by signing out: only a cookie that was given is taken away", () =>
      Effect.gen(function* () {
        const nobody = yield* call("DELETE", "/console/session", { headers: ofOurPage })
        assert.strictEqual(nobody.status, 204)
        assert.isNull(nobody.headers.get("set-cookie"))
        const broken = yield* ask("DELETE", "/console/session", { cookie: "loopbox_console=short" })
        assert.include(broken.headers.get("set-cookie") ?? "", "Max-Age=0")
      })
    )
  })
})
