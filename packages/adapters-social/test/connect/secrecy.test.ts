/** No error, no span and no log of connecting has a code, a token or a secret in it, whatever a network says. */
import { Connectors, connectorTo } from "@loopbox/core/networks/Connectors"
import { assert, describe, it } from "@effect/vitest"
import * as SocialConnectors from "@loopbox/adapters-social/SocialConnectors"
import { Effect, Exit, Layer, Logger, Option, Redacted, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { networks } from "../../src/names.ts"
import { type Answer, type Received, serve } from "../loopback.ts"
import { accountOf, apps, code, redirectUri, secrets, verifier } from "./support.ts"

const basic = Buffer.from(`client:${secrets.x}`).toString("base64")

const hidden = [code, verifier, "a-refresh-token", "page-token", basic, ...Object.values(secrets)]

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
const talkative = (after: number, { refuse, status }: Refusal) => {
  let calls = 0
  return (request: Received): Answer => {
    // Each sign-in begins with its code.
    calls = echo(request).includes(code) ? 1 : calls + 1
    if (calls > after) return { status, body: refuse(echo(request)) }
    return { body: request.path.endsWith("/me/permissions") ? { data: [] } : tokens }
  }
}

/** What a network says no with; `text` may be anywhere in it, where names and numbers are expected, too. */
interface Refusal {
  readonly says: string
  readonly status: number
  readonly refuse: (text: string) => unknown
}

const refusals: ReadonlyArray<Refusal> = [
  {
    says: "Meta, of a dead token",
    status: 400,
    refuse: (message) => ({
      error: { message, type: message, code: 190, fbtrace_id: message, error_user_title: message }
    })
  },
  {
    says: "Meta, of too many calls",
    status: 400,
    refuse: (message) => ({ error: { message, type: message, code: 4 } })
  },
  { says: "Meta, without a code", status: 400, refuse: (message) => ({ error: { message, type: message } }) },
  {
    says: "Meta, of its own trouble",
    status: 500,
    refuse: (message) => ({ error: { message, type: message, code: 2, is_transient: true } })
  },
  {
    says: "Instagram, of a code",
    status: 400,
    refuse: (text) => ({ error_type: text, code: text, error_message: text })
  },
  { says: "OAuth", status: 400, refuse: (text) => ({ error: text, error_description: text, error_uri: text }) },
  { says: "X", status: 403, refuse: (text) => ({ title: text, detail: text, type: "about:blank", status: 403 }) },
  {
    says: "X, in a list",
    status: 401,
    refuse: (text) => ({ errors: [{ message: text, title: text, type: `https://api.x.com/2/problems/${text}` }] })
  },
  {
    says: "somebody, with another answer than a network's",
    status: 200,
    refuse: (text) => ({ [text]: text, data: text })
  }
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
          connectorTo(connectors, network).refreshToken(access, Option.some(Redacted.make("a-refresh-token"))),
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
  for (const refusal of refusals) {
    it.live(`has no secret in it, whatever is refused by ${refusal.says}`, () =>
      Effect.gen(function* () {
        for (const after of [0, 1, 2, 3]) {
          const { failures, text } = yield* tracesOf(talkative(after, refusal))
          assert.isNotEmpty(failures)
          for (const secret of hidden) assert.notInclude(text, secret)
        }
      })
    )
  }
})
