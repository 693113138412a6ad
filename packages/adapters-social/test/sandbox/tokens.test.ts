import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, served, textAt } from "./served.ts"
import { accounts } from "./sandboxed.ts"

const accountOf = (network: Network) => accounts.find((one) => one.network === network) ?? assert.fail()

const isGood = (network: Network, status: number): string => `${network} ${status === 200 ? "good" : "dead"}`

describe("Sandbox: how long tokens live", () => {
  it.effect("60 days on Instagram and Threads, for ever on a Page, two hours on X where they can be renewed", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      yield* sandbox.connect({
        ...accountOf("x"),
        accessToken: Redacted.make("short"),
        refreshToken: Redacted.make("refresh 1")
      })
      const states = Effect.gen(function* () {
        const seen: Array<string> = []
        for (const network of ["instagram", "facebook", "threads"] as const) {
          seen.push(isGood(network, (yield* ask(network, "GET", "/me")).status))
        }
        for (const token of ["short", "token of x"]) {
          seen.push(isGood("x", (yield* ask("x", "GET", "/users/me", { token })).status))
        }
        return seen
      })
      yield* TestClock.adjust("119 minutes")
      assert.deepStrictEqual(yield* states, ["instagram good", "facebook good", "threads good", "x good", "x good"])
      yield* TestClock.adjust("59 days")
      assert.deepStrictEqual(yield* states, ["instagram good", "facebook good", "threads good", "x dead", "x good"])
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* states, ["instagram dead", "facebook good", "threads dead", "x dead", "x good"])
    })
  )

  for (const [network, grant] of [
    ["instagram", "ig"],
    ["threads", "th"]
  ] as const) {
    it.effect(`an hour for a short one of ${network}, which is exchanged once and never renewed`, () =>
      Effect.gen(function* () {
        const { ask, call, sandbox } = yield* served()
        const short = Redacted.make(`short of ${network}`)
        yield* sandbox.connect({ ...accountOf(network), accessToken: short, isShortLived: true })
        const renew = (token: string) =>
          call("GET", `/${network}/refresh_access_token`, { query: { grant_type: `${grant}_refresh_token` }, token })
        const exchange = (access_token: string) =>
          call("GET", `/${network}/access_token`, {
            query: { grant_type: `${grant}_exchange_token`, client_secret: "s", access_token },
            token: null
          })
        assert.strictEqual(codeOf(yield* renew(Redacted.value(short))), "400 100")
        const long = textAt((yield* exchange(Redacted.value(short))).body, "access_token")
        // A long one is exchanged for nothing.
        assert.strictEqual(codeOf(yield* exchange(long)), "400 100")
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(codeOf(yield* ask(network, "GET", "/me", { token: Redacted.value(short) })), "400 190/463")
        yield* TestClock.adjust("23 hours")
        assert.strictEqual(codeOf(yield* renew(Redacted.value(short))), "400 190/463")
        assert.strictEqual((yield* renew(long)).status, 200)
        yield* TestClock.adjust("60 days")
        // What has died is renewed by nobody.
        assert.strictEqual(codeOf(yield* renew(long)), "400 190/463")
      })
    )
  }

  it.effect("as long as X's refresh token is used once: a second use ends all that came of it", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      yield* sandbox.connect({ ...accountOf("x"), refreshToken: Redacted.make("refresh 1") })
      const renew = (refresh_token: string) =>
        ask("x", "POST", "/oauth2/token", {
          form: { grant_type: "refresh_token", refresh_token, client_id: "id" },
          token: null
        })
      const first = yield* renew("refresh 1")
      const second = yield* renew(textAt(first.body, "refresh_token"))
      const token = textAt(second.body, "access_token")
      assert.strictEqual((yield* ask("x", "GET", "/users/me", { token })).status, 200)
      const again = yield* renew("refresh 1")
      assert.deepStrictEqual([again.status, at(again.body, "error")], [400, "invalid_request"])
      assert.strictEqual((yield* ask("x", "GET", "/users/me", { token })).status, 401)
      assert.strictEqual((yield* renew(textAt(second.body, "refresh_token"))).status, 400)
      // Nor does one come back to life by being told again.
      yield* sandbox.connect({ ...accountOf("x"), refreshToken: Redacted.make("refresh 1") })
      assert.strictEqual((yield* renew("refresh 1")).status, 400)
    })
  )

  it.effect("as long as one says", () =>
    Effect.gen(function* () {
      const { ask, control } = yield* served()
      yield* control("tokens", { network: "facebook", state: "valid", expires_in_s: 60 })
      assert.strictEqual((yield* ask("facebook", "GET", "/me")).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(codeOf(yield* ask("facebook", "GET", "/me")), "400 190/463")
    })
  )
})
