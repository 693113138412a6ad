import { connectorTo } from "@loopbox/core/networks/Connectors"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { SocialSettings } from "@loopbox/adapters-social"
import { connected } from "./loopback.ts"
import type { Answer, Behaviour } from "./loopback.ts"

const access = {
  networkAccountId: "1",
  otherAccountId: Option.none(),
  login: Option.none(),
  throughAccountId: Option.none(),
  username: Option.none(),
  accessToken: Redacted.make("token-of-the-account")
}

const always =
  (answer: Answer): Behaviour =>
  () =>
    answer

const error = (code: number, error_subcode?: number, more: Readonly<Record<string, unknown>> = {}) => ({
  error: {
    message: "(#0) token-of-the-account said no",
    type: "OAuthException",
    code,
    error_subcode,
    fbtrace_id: "T",
    ...more
  }
})

/** A failure in a word or two. */
const kind = (failed: ReadFailed): string =>
  failed._tag === "RateLimited" ? "RateLimited" : `${failed._tag} ${failed.reason}`

const facebookFailure = Effect.fnUntraced(function* (behave: Behaviour, settings: SocialSettings = {}) {
  const { connectors } = yield* connected(behave, settings)
  const thread = { source: "fb_comment", externalId: "9_2", parentExternalId: "9_1" } as const
  return yield* Effect.flip(connectorTo(connectors, "facebook").findThreadKey(access, thread))
}, Effect.scoped)

const xFailure = Effect.fnUntraced(function* (behave: Behaviour) {
  const { connectors } = yield* connected(behave)
  const thread = { source: "x_reply", externalId: "2", parentExternalId: "1" } as const
  return yield* Effect.flip(connectorTo(connectors, "x").findThreadKey(access, thread))
}, Effect.scoped)

describe("a read without an answer", () => {
  it.live("is the network's fault when it is late, cut off, or in trouble", () =>
    Effect.gen(function* () {
      const late = yield* facebookFailure(() => undefined, { timeLimit: "300 millis" })
      assert.strictEqual(kind(late), "Unavailable upstream")
      assert.strictEqual(kind(yield* facebookFailure(() => "cut")), "Unavailable upstream")
      assert.strictEqual(kind(yield* facebookFailure(always({ status: 502, body: "<html>" }))), "Unavailable upstream")
      assert.strictEqual(kind(yield* xFailure(always({ status: 503, body: {} }))), "Unavailable upstream")
    })
  )

  it.live("is unreadable when it is a page, a redirect, of another shape, or endless", () =>
    Effect.gen(function* () {
      for (const answer of [
        { body: "<html>hello</html>" },
        { body: "" },
        { body: "[" },
        { body: JSON.stringify({ id: "x".repeat(5 * 1024 * 1024) }) },
        { status: 404, body: "<html>" }
      ]) {
        assert.strictEqual(kind(yield* facebookFailure(always(answer))), "Unavailable unreadable")
      }
      assert.strictEqual(kind(yield* facebookFailure(always({ status: 204, body: "" }))), "Unavailable unreadable")
      assert.strictEqual(kind(yield* xFailure(always({ body: { data: { id: {} } } }))), "Unavailable unreadable")
    })
  )

  it.live("follows no redirect, so that the token stays here", () =>
    Effect.gen(function* () {
      const elsewhere = yield* connected(always({ body: { id: "9_1" } }))
      for (const status of [301, 302, 307, 308]) {
        const failed = yield* facebookFailure(
          always({ status, headers: { location: `${elsewhere.url}/fb/v25.0/9_1` } })
        )
        assert.strictEqual(kind(failed), "Unavailable unreadable")
      }
      assert.strictEqual(elsewhere.received.length, 0)
    })
  )
})

describe("failures by Meta's codes (§2.3)", () => {
  it.live("mean what the table says, whatever the status", () =>
    Effect.gen(function* () {
      for (const [code, subcode, expected] of [
        [190, 463, "AuthExpired token"],
        [102, undefined, "AuthExpired token"],
        [10, undefined, "AuthExpired permission"],
        [200, undefined, "AuthExpired permission"],
        [299, undefined, "AuthExpired permission"],
        [10, 2_018_278, "Rejected window_closed"],
        [10, 2_534_022, "Rejected window_closed"],
        [551, 1_545_041, "Rejected unreachable"],
        [200, 1_545_041, "Rejected unreachable"],
        [200, 2_534_041, "AuthExpired permission"],
        [100, 33, "Rejected gone"],
        [100, undefined, "Rejected invalid"],
        [1, 99, "Unavailable upstream"],
        [2, undefined, "Unavailable upstream"],
        [4, undefined, "RateLimited"],
        [32, undefined, "RateLimited"],
        [613, 2_534_040, "RateLimited"],
        [80_001, undefined, "RateLimited"],
        [80_006, undefined, "RateLimited"],
        [368, undefined, "Rejected blocked"],
        [506, undefined, "Rejected duplicate"],
        [24, 4_279_009, "Unavailable upstream"],
        [77_777, undefined, "Rejected other"]
      ] as const) {
        for (const status of [200, 400, 403]) {
          const failed = yield* facebookFailure(always({ status, body: error(code, subcode) }))
          assert.strictEqual(kind(failed), expected, `${code}/${subcode} with ${status}`)
          assert.deepStrictEqual(
            failed.networkCode,
            Option.some(subcode === undefined ? `${code}` : `${code}/${subcode}`)
          )
        }
      }
    })
  )

  it.live("are transient where Meta says so, or answers 500", () =>
    Effect.gen(function* () {
      const transient = always({ status: 400, body: error(77_777, undefined, { is_transient: true }) })
      assert.strictEqual(kind(yield* facebookFailure(transient)), "Unavailable upstream")
      assert.strictEqual(
        kind(yield* facebookFailure(always({ status: 500, body: error(77_777) }))),
        "Unavailable upstream"
      )
    })
  )

  it.live("never hold the token, though the network's text does", () =>
    Effect.gen(function* () {
      const message = "bad token-of-the-account in ?access_token=another&x=1"
      const failed = yield* facebookFailure(always({ status: 400, body: error(190, 463, { message }) }))
      assert.strictEqual(failed.detail, "bad <token> in ?access_token=<redacted>&x=1 (trace T)")
    })
  )
})

describe("waiting as the network asks (§2.2)", () => {
  const retryIn = (failed: ReadFailed, now: DateTime.Utc): number | null =>
    failed._tag === "RateLimited"
      ? Option.getOrNull(
          Option.map(failed.retryAt, (at) =>
            Math.round((DateTime.toEpochMillis(at) - DateTime.toEpochMillis(now)) / 1000)
          )
        )
      : null

  it.live("is Meta's minutes, and never less than Retry-After", () =>
    Effect.gen(function* () {
      const usage = JSON.stringify({
        "1": [{ type: "pages", call_count: 100, estimated_time_to_regain_access: 19 }],
        "2": 5
      })
      const now = yield* DateTime.now
      const wait = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>>) {
        return retryIn(yield* facebookFailure(always({ status: 400, body: error(32), headers })), now)
      })
      assert.approximately((yield* wait({ "x-business-use-case-usage": usage })) ?? 0, 1_140, 5)
      assert.approximately((yield* wait({ "x-business-use-case-usage": usage, "retry-after": "3000" })) ?? 0, 3_000, 5)
      assert.approximately((yield* wait({ "retry-after": "60" })) ?? 0, 60, 5)
      assert.isNull(yield* wait({ "x-business-use-case-usage": "{", "retry-after": "soon" }))
    })
  )

  it.live("is X's reset", () =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      const reset = String(Math.floor(DateTime.toEpochMillis(now) / 1000) + 90)
      const failed = yield* xFailure(always({ status: 429, body: {}, headers: { "x-rate-limit-reset": reset } }))
      assert.approximately(retryIn(failed, now) ?? 0, 90, 5)
    })
  )
})

describe("failures by X's status and text (§2.3)", () => {
  it.live("mean what the table says", () =>
    Effect.gen(function* () {
      const problem = (name: string, detail = "") => ({
        title: name,
        detail,
        type: `https://api.x.com/2/problems/${name}`
      })
      for (const [status, body, expected] of [
        [400, problem("invalid-request"), "Rejected invalid"],
        [401, { title: "Unauthorized", type: "about:blank" }, "AuthExpired token"],
        [402, problem("credits"), "Unavailable source"],
        [403, { detail: "You are not allowed to create a Tweet with duplicate content." }, "Rejected duplicate"],
        [
          403,
          { detail: "… because you have not been mentioned or otherwise engaged by the author …" },
          "Rejected not_eligible"
        ],
        [403, { detail: "… that is deleted or not visible to you." }, "Rejected gone"],
        [403, problem("client-forbidden"), "Rejected other"],
        [404, problem("resource-not-found"), "Rejected gone"],
        [200, { errors: [problem("resource-not-found")] }, "Rejected gone"],
        [200, {}, "Unavailable unreadable"],
        [429, problem("usage-capped"), "RateLimited"],
        [500, {}, "Unavailable upstream"]
      ] as const) {
        assert.strictEqual(kind(yield* xFailure(always({ status, body }))), expected, JSON.stringify([status, body]))
      }
    })
  )

  it.live("are none where there is data beside errors", () =>
    Effect.gen(function* () {
      const body = { data: { id: "2", conversation_id: "1" }, errors: [{ title: "Not Found Error" }] }
      const { connectors } = yield* connected(always({ body }))
      const thread = { source: "x_reply", externalId: "2", parentExternalId: "1" } as const
      assert.strictEqual(yield* connectorTo(connectors, "x").findThreadKey(access, thread), "1")
    })
  )
})

describe("the time limit", () => {
  it.effect("is ten seconds", () =>
    Effect.gen(function* () {
      const { connectors, received } = yield* connected(() => undefined)
      const fiber = yield* Effect.forkChild(
        Effect.flip(connectorTo(connectors, "x").findPerson(access, "x_reply", "42"))
      )
      // The request is on its way before the clock moves; nothing answers it.
      yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("10 seconds")
      const failed = yield* Fiber.join(fiber)
      assert.strictEqual(kind(failed), "Unavailable upstream")
      assert.isAtMost(received.length, 1)
    })
  )
})

describe("what is to be done with a post of X", () => {
  /** How each way to touch a post ends. */
  const touching = Effect.fnUntraced(function* (answer: Answer) {
    const { connectors } = yield* connected(always(answer))
    const { moderate, publish } = connectorTo(connectors, "x")
    if (moderate === undefined || publish === undefined) return assert.fail("not of X")
    const item = { source: "x_reply", externalId: "2", replyTargetId: "2" } as const
    const acts = (["hide", "unhide", "like", "unlike", "delete"] as const).map((one) => moderate.act(access, item, one))
    const ends = [...acts, Option.getOrThrow(publish.remove(access))("2")].map((end) =>
      Effect.match(end, {
        onSuccess: () => "done",
        onFailure: (failed) => ("reason" in failed ? `${failed._tag} ${failed.reason}` : failed._tag)
      })
    )
    return new Set(yield* Effect.all(ends))
  }, Effect.scoped)
  const problem = (name: string, status: number) => ({
    status,
    body: { title: name, type: `https://api.twitter.com/2/problems/${name}`, detail: "No." }
  })

  it.live("is refused, and not gone, where the account may not see or touch it (networks 2)", () =>
    Effect.gen(function* () {
      const refused = new Set(["Rejected other"])
      assert.deepStrictEqual(yield* touching(problem("not-authorized-for-resource", 403)), refused)
      assert.deepStrictEqual(yield* touching(problem("resource-not-found", 404)), new Set(["Rejected gone", "done"]))
    })
  )
})
