/** No error, no span and no log of connecting has a code, a token or a secret in it, whatever a network says. */
import { Connectors, connectorTo } from "@loopbox/core/networks/Connectors"
import { assert, describe, it } from "@effect/vitest"
import * as SocialConnectors from "@loopbox/adapters-social/SocialConnectors"
import { Effect, Exit, Layer, Logger, Option, Redacted, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { networks } from "../../src/names.ts"
import { type Answer, type Received, serve } from "../loopback.ts"
import { accountOf, apps, code, redirectUri, secrets, verifier } from "./support.ts"

const hidden = [code, verifier, "a-refresh-token", "page-token", ...Object.values(secrets)]

/** Everything that was asked, said back. */
const echo = ({ body, headers, query }: Received): string =>
  [body, JSON.stringify(headers), ...[...query].map(([name, value]) => `${name}=${value} ${value}`)].join(" ")

const tokens = {
  access_token: secrets.long,
  refresh_token: "a-refresh-token",
  token_type: "bearer",
  scope: "tweet.read",
  id: "1",
  user_id: "1",
  data: undefined
}

/** Networks that succeed so many times, and then quote all that they were told. */
const talkative = (after: number, refuse: (text: string) => unknown) => {
  let calls = 0
  return (request: Received): Answer => {
    // Each sign-in begins with its code.
    calls = echo(request).includes(code) ? 1 : calls + 1
    if (calls > after) return { status: 400, body: refuse(echo(request)) }
    return { body: request.path.endsWith("/me/permissions") ? { data: [] } : tokens }
  }
}

const refusals: ReadonlyArray<(text: string) => unknown> = [
  (message) => ({ error: { message, type: "OAuthException", code: 190 } }),
  (error_message) => ({ error_type: "OAuthException", code: 400, error_message }),
  (error_description) => ({ error: "invalid_request", error_description }),
  (detail) => ({ title: "No", detail, type: "about:blank", status: 400 })
]

/** What is left of all connecting at networks that behave so: errors, spans and logs in one text. */
const tracesOf = Effect.fnUntraced(function* (behave: (request: Received) => Answer) {
  const { url } = yield* serve(behave)
  const spans: Array<Tracer.Span> = []
  const logs: Array<unknown> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const logger = Logger.make(({ message }) => logs.push(message))
  const baseUrls = Object.fromEntries(networks.map((network) => [network, url]))
  const layer = SocialConnectors.layer({
    ...apps,
    baseUrls,
    xBearerToken: Redacted.make(secrets.bearer),
    xWebhookUrl: "https://loopbox.example/v1/webhooks/x"
  }).pipe(Layer.provide(FetchHttpClient.layer))
  const failures: Array<string> = []
  const all = Effect.gen(function* () {
    const connectors = yield* Connectors
    for (const network of networks) {
      for (const connect of connectorTo(connectors, network).connect ?? []) {
        const asked = { redirectUri, verifier: Redacted.make(verifier), features: ["inbox"] as const }
        const access = accountOf("1", { login: Option.some(connect.login), throughAccountId: Option.some("2") })
        const acts: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          connect.exchange({ ...asked, code: Redacted.make(code) }),
          connect.inspect(access),
          connect.revoke(access, Option.some(Redacted.make("a-refresh-token"))),
          ...Option.toArray(connect.subscription).flatMap(({ isSubscribed, subscribe, unsubscribe }) => [
            isSubscribed(access),
            subscribe(access),
            unsubscribe(access)
          ])
        ]
        for (const act of acts) {
          const exit = yield* Effect.exit(act)
          if (Exit.isFailure(exit)) failures.push(JSON.stringify(exit.cause), String(exit.cause))
        }
      }
    }
  })
  yield* all.pipe(Effect.provide(layer), Effect.withTracer(tracer), Effect.provide(Logger.layer([logger])))
  assert.isAbove(spans.length, 20)
  const ofSpans = spans.map((span) => JSON.stringify([span.name, [...span.attributes]]))
  return { failures, text: [...failures, ...ofSpans, JSON.stringify(logs)].join("\n") }
})

describe("what connecting leaves behind", () => {
  for (const [i, refuse] of refusals.entries()) {
    it.live(`has no secret in it, whatever is refused (form ${i + 1})`, () =>
      Effect.gen(function* () {
        for (const after of [0, 1, 2, 3]) {
          const { failures, text } = yield* tracesOf(talkative(after, refuse))
          assert.isNotEmpty(failures)
          for (const secret of hidden) assert.notInclude(text, secret)
        }
      })
    )
  }
})
