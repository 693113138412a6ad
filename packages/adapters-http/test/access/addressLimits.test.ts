import { assert, describe, it, layer } from "@effect/vitest"
import { limitedAddress } from "@loopbox/adapters-http/server/access/AddressLimits"
import { Effect, Layer } from "effect"
import * as IpNetwork from "effect/net/IpNetwork"
import { adminToken, call, codeOf, makeWorkspace, serverWith, services } from "../support.ts"

const live = { excludeTestServices: true } as const
/** One more is let in after so many seconds: longer than a test takes on the busiest machine. */
const oneMore_s = 1000
const withOptions = (options: Parameters<typeof serverWith>[0]) =>
  serverWith({ authRateLimit: { perSecond: 1 / oneMore_s, burst: 3 }, ...options }).pipe(Layer.provideMerge(services))

describe("refused credentials of one address (H5)", () => {
  layer(
    withOptions({}),
    live
  )((it) => {
    it.effect("are 429 when there were too many; a key that counted before goes on", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const late = yield* makeWorkspace()
        assert.strictEqual((yield* call("GET", "/v1/media", { key })).status, 200)
        for (const [path, token] of [
          ["/v1/media", "lbx_test_unknown"],
          ["/v1/inbox?inbox_scope=workspace", undefined],
          ["/v1/admin/workspaces", "no-such-token"]
        ] as const) {
          const refused = yield* call("GET", path, token === undefined ? {} : { key: token })
          assert.strictEqual(codeOf(refused), "401 UNAUTHORIZED", path)
        }
        for (const [path, token] of [
          ["/v1/media", "lbx_test_unknown"],
          ["/v1/inbox?inbox_scope=workspace", "lbx_test_unknown"],
          ["/v1/inbox/ws?inbox_scope=workspace", "lbx_test_unknown"],
          ["/v1/media", undefined],
          ["/v1/admin/workspaces", "no-such-token"],
          // One that would count, if it were looked up.
          ["/v1/media", late.key]
        ] as const) {
          const refused = yield* call("GET", path, token === undefined ? {} : { key: token })
          assert.strictEqual(codeOf(refused), "429 RATE_LIMITED", path)
          const after_s = refused.headers.get("retry-after") ?? ""
          assert.match(after_s, /^[1-9]\d*$/)
          assert.isAtMost(Number(after_s), oneMore_s)
        }
        assert.strictEqual((yield* call("GET", "/v1/media", { key })).status, 200)
        assert.strictEqual((yield* call("GET", "/v1/admin/workspaces", { key: adminToken })).status, 200)
        const { text } = yield* call("GET", "/metrics")
        assert.match(text, /http_unauthorized_total\{credential="caller"\} ([2-9]|\d{2})/)
        assert.match(text, /http_rate_limited_total\{by="address"\} ([2-9]|\d{2})/)
      })
    )
  })
  layer(
    withOptions({}),
    live
  )((it) => {
    it.effect("are not told apart by what the client says of itself", () =>
      Effect.gen(function* () {
        const from = (address: string) =>
          call("GET", "/v1/media", { key: "wrong", headers: { "x-forwarded-for": address } })
        for (let i = 0; i < 3; i++) assert.strictEqual((yield* from(`203.0.113.${i}`)).status, 401)
        assert.strictEqual(codeOf(yield* from("203.0.113.9")), "429 RATE_LIMITED")
      })
    )
  })
  layer(withOptions({ trustedProxies: [IpNetwork.fromStringUnsafe("127.0.0.0/8")] }), live)(
    "behind a proxy that is trusted",
    (it) => {
      it.effect("are those of the client that it names", () =>
        Effect.gen(function* () {
          const from = (address: string) =>
            call("GET", "/v1/media", { key: "wrong", headers: { "x-forwarded-for": `198.51.100.7, ${address}` } })
          for (let i = 0; i < 3; i++) assert.strictEqual((yield* from("203.0.113.1")).status, 401)
          assert.strictEqual((yield* from("203.0.113.1")).status, 429)
          assert.strictEqual((yield* from("203.0.113.2")).status, 401)
        })
      )
    }
  )
  it("count an IPv6 network of one customer together", () => {
    assert.strictEqual(limitedAddress("::ffff:203.0.113.1"), "203.0.113.1")
    assert.strictEqual(limitedAddress("2001:db8:0:1::1"), limitedAddress("2001:db8::1:abcd:0:0:9"))
    assert.notStrictEqual(limitedAddress("2001:db8:0:1::1"), limitedAddress("2001:db8:0:2::1"))
  })
})
