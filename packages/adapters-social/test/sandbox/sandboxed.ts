/** A sandbox whose networks and whose product are functions of this process: nothing listens, no time passes. */
import { Connectors, normaliserOf } from "@loopbox/core/networks/Connectors"
import type { InboundActivity } from "@loopbox/core/networks/InboundActivity"
import { networks, webhookEndpoints } from "../../src/names.ts"
import type { WebhookEndpoint } from "../../src/names.ts"
import { WebhookGate } from "@loopbox/core/networks/WebhookGate"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpRouter, HttpServer } from "effect/http"
import { Sandbox, layer as sandboxLayer } from "@loopbox/adapters-social/sandbox/Sandbox"
import * as SandboxRoutes from "../../src/sandbox/control/SandboxRoutes.ts"
import * as SocialConnectors from "@loopbox/adapters-social/SocialConnectors"
import * as SocialWebhookGate from "@loopbox/adapters-social/SocialWebhookGate"

export const secrets = {
  meta: Redacted.make("meta secret"),
  threads: Redacted.make("threads secret"),
  x: Redacted.make("x secret")
}

export const accounts = networks.map((network, i) => ({
  network,
  accountId: `10${i}`,
  name: `Our ${network}`,
  username: `our_${network}`,
  accessToken: Redacted.make(`token of ${network}`),
  isSubscribed: true
}))

/** A webhook as the product got it. */
export interface Arrived {
  readonly endpoint: WebhookEndpoint
  readonly headers: Headers
  readonly body: Uint8Array
}

/** What the product answers to the nth delivery; 200 unless said otherwise. */
export const sandboxed = Effect.fnUntraced(function* (options?: {
  readonly seed?: number
  readonly answer?: (nth: number) => number
  /** None of them is known yet. */
  readonly isEmpty?: boolean
}) {
  const arrived: Array<Arrived> = []
  const product: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const endpoint = webhookEndpoints.find((one) => request.url.endsWith(`/${one}`)) ?? "meta"
    arrived.push({ endpoint, headers: request.headers, body: new Uint8Array(await request.arrayBuffer()) })
    return new Response(null, { status: options?.answer?.(arrived.length) ?? 200 })
  }
  const context = yield* Layer.build(
    sandboxLayer({
      seed: options?.seed ?? 1,
      accounts: options?.isEmpty === true ? [] : accounts,
      secrets,
      webhookUrl: Effect.succeed("http://product.example/v1/webhooks/")
    }).pipe(Layer.provide(FetchHttpClient.layer), Layer.provideMerge(Layer.succeed(FetchHttpClient.Fetch, product)))
  )
  const sandbox = yield* Effect.provideContext(Effect.service(Sandbox), context)

  const web = HttpRouter.toWebHandler(
    SandboxRoutes.layer({ metaAppSecret: secrets.meta }).pipe(
      Layer.provide(Layer.succeed(Sandbox, sandbox)),
      Layer.provide(HttpServer.layerServices)
    ),
    { disableLogger: true }
  )
  yield* Effect.addFinalizer(() => Effect.promise(() => web.dispose()))
  const ask: typeof fetch = (input, init) => web.handler(new Request(input, init))

  const baseUrls = Object.fromEntries(networks.map((network) => [network, `http://sandbox.example/${network}`]))
  const readers = yield* Layer.build(
    SocialConnectors.layer({ baseUrls, metaAppSecrets: [secrets.meta] }).pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.merge(SocialWebhookGate.layer({ meta: [secrets.meta], threads: [secrets.threads], x: [secrets.x] })),
      Layer.provideMerge(Layer.succeed(FetchHttpClient.Fetch, ask))
    )
  )
  const connectors = yield* Effect.provideContext(Effect.service(Connectors), readers)
  const gate = yield* Effect.provideContext(Effect.service(WebhookGate), readers)

  /** Whether a delivery is genuine, and what it says. */
  const read = ({ body, endpoint, headers }: Arrived) => ({
    verdict: gate.judge(endpoint, (name) => headers.get(name) ?? undefined, body),
    ...normaliserOf(connectors, endpoint)({ body, arrivedAt: DateTime.makeUnsafe("2026-11-21T07:00:00Z") })
  })
  /** All that was told of items by genuine deliveries, once none is on its way. */
  const told = Effect.map(sandbox.settled, (): ReadonlyArray<InboundActivity> =>
    arrived
      .map(read)
      .flatMap(({ activities, verdict }) => (verdict === "authentic" ? activities : []))
      .filter(({ _tag }) => _tag !== "Announced")
  )
  return { sandbox, arrived, read, told, connectors, ask }
})
