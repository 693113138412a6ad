import type { OutcomeUnknown, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import { makeNetworkClient } from "../../src/calls/NetworkClient.ts"
import type { WriteBody } from "../../src/calls/NetworkRequest.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Duration } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { serve } from "../loopback.ts"
import type { Behaviour } from "../loopback.ts"

const post = Effect.fnUntraced(function* (
  url: string,
  body: WriteBody = { form: { message: "hello" } },
  timeLimit: Duration.Input = "10 seconds"
) {
  const client = makeNetworkClient("facebook", yield* HttpClient.HttpClient, timeLimit)
  return yield* client.post({ url, query: {}, accessToken: Redacted.make("token") }, body)
}, Effect.provide(FetchHttpClient.layer))

/** How a write to a server that behaves so ends, and how many requests it saw. */
const outcomeOf = Effect.fnUntraced(function* (behave: Behaviour, timeLimit?: Duration.Input) {
  const { received, url } = yield* serve(behave)
  const outcome = yield* Effect.match(post(url, undefined, timeLimit), {
    onFailure: kind,
    onSuccess: ({ status }) => String(status)
  })
  return [outcome, received.length] as const
}, Effect.scoped)

const kind = (failed: Unavailable | OutcomeUnknown): string =>
  failed._tag === "Unavailable" ? `Unavailable ${failed.reason}` : failed._tag

describe("a write (§3.2)", () => {
  it.live("is unknown once it was taken and not answered", () =>
    Effect.gen(function* () {
      const [late] = yield* outcomeOf(() => undefined, "300 millis")
      assert.strictEqual(late, "OutcomeUnknown")
      for (const behave of [
        () => "reset" as const,
        () => "cut" as const,
        () => ({ body: "<html>" }),
        () => ({ body: '{"id":' }),
        () => ({ status: 502, body: "<html>" }),
        () => ({ status: 408, body: "" }),
        () => ({ status: 409, body: "busy" }),
        () => ({ status: 425, body: "" }),
        () => ({ status: 307, headers: { location: "/elsewhere" } })
      ]) {
        assert.deepStrictEqual(yield* outcomeOf(behave), ["OutcomeUnknown", 1])
      }
    })
  )

  it.live("is not sent where the connection never stood", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(serve(() => ({})))
      const tls = yield* serve(() => ({}))
      for (const nowhere of [url, "http://nobody.invalid", tls.url.replace("http:", "https:"), "http://[bad"]) {
        assert.strictEqual(kind(yield* Effect.flip(post(nowhere))), "Unavailable upstream", nowhere)
      }
      assert.strictEqual(tls.received.length, 0)
    })
  )

  it.live("is refused by a page with 4xx, and answered by any JSON", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outcomeOf(() => ({ status: 404, body: "<html>" })), ["Unavailable unreadable", 1])
      assert.deepStrictEqual(yield* outcomeOf(() => ({ status: 429, body: "<html>" })), ["429", 1])
      assert.deepStrictEqual(yield* outcomeOf(() => ({ status: 500, body: {} })), ["500", 1])
    })
  )

  it.live("is a form or JSON, the token in the header alone", () =>
    Effect.gen(function* () {
      const { received, url } = yield* serve(() => ({}))
      yield* post(url, { form: { message: "a & b = ü" } })
      yield* post(url, { json: { message: { text: "ü" } } })
      const [form, json] = received
      assert.deepStrictEqual(
        [form?.method, form?.headers["content-type"], form?.body],
        ["POST", "application/x-www-form-urlencoded", "message=a+%26+b+%3D+%C3%BC"]
      )
      assert.deepStrictEqual(
        [json?.headers["content-type"], json?.body],
        ["application/json", '{"message":{"text":"ü"}}']
      )
      assert.strictEqual(form?.headers.authorization, "Bearer token")
    })
  )
})
