import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import {
  MetaSignedRequests,
  Sandbox,
  type SandboxApp,
  sandboxApps,
  SandboxRoutes,
  SocialConnectors,
  type SocialSettings,
  SocialWebhookGate,
  type WebhookSecrets
} from "@loopbox/adapters-social"
import type { Network } from "@loopbox/adapters-social/names"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64Url from "effect/encoding/Base64Url"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { createServer } from "node:http"
import type { LiveNetworks } from "./LoopboxOptions.ts"
import { SimulatorUrl } from "./SimulatorUrl.ts"

type Secrets = ReadonlyArray<Redacted.Redacted<string>>

const hidden = (texts: ReadonlyArray<string> = []): Secrets => texts.map((text) => Redacted.make(text))
const maybe = (text: string | undefined) => (text === undefined ? undefined : Redacted.make(text))

/** The connectors, and who may have signed what comes to the webhooks. */
const layerSocial = (settings: SocialSettings, gate: WebhookSecrets, signing: Secrets) =>
  Layer.mergeAll(
    SocialConnectors.layer(settings).pipe(Layer.provide(FetchHttpClient.layer)),
    SocialWebhookGate.layer(gate),
    MetaSignedRequests.layer(signing)
  )

/** The real networks. */
export const layerLive = ({ baseUrls, instagram, meta, threads, x }: LiveNetworks, publicUrl: string | undefined) => {
  const secrets = {
    meta: hidden(meta?.secrets),
    instagram: hidden(instagram?.secrets),
    threads: hidden(threads?.secrets)
  }
  return layerSocial(
    {
      baseUrls,
      metaApiVersion: meta?.apiVersion,
      metaAppId: meta?.id,
      metaAppSecrets: secrets.meta,
      instagramAppId: instagram?.id,
      instagramAppSecrets: secrets.instagram,
      threadsAppId: threads?.id,
      threadsAppSecrets: secrets.threads,
      xClient: x?.clientId === undefined ? undefined : { id: x.clientId, secret: maybe(x.clientSecret) },
      xBearerToken: maybe(x?.bearerToken),
      xWebhookUrl: publicUrl === undefined ? undefined : `${publicUrl.replace(/\/+$/, "")}/v1/webhooks/x`
    },
    {
      // Instagram Login has an app of its own, which signs what comes to the same address.
      meta: [...secrets.meta, ...secrets.instagram],
      threads: secrets.threads,
      x: hidden(x?.consumerSecrets),
      metaVerifyToken: maybe(meta?.verifyToken),
      threadsVerifyToken: maybe(threads?.verifyToken)
    },
    [...secrets.meta, ...secrets.instagram, ...secrets.threads]
  )
}

const makeSecret = Effect.gen(function* () {
  const random = yield* SecureRandom
  return Redacted.make(Base64Url.encode(yield* random.randomBytes(32)))
})

const withSecret = (network: Network) =>
  Effect.map(makeSecret, (secret): SandboxApp & { readonly secret: Redacted.Redacted<string> } => ({
    id: sandboxApps[network].id,
    secret
  }))

/** The simulator on a free port of the loopback; it delivers webhooks to the public address where there is one. */
const startSimulator = Effect.fnUntraced(function* (publicUrl: string | undefined) {
  const apps = {
    instagram: yield* withSecret("instagram"),
    facebook: yield* withSecret("facebook"),
    threads: yield* withSecret("threads"),
    x: { ...(yield* withSecret("x")), bearer: yield* makeSecret }
  }
  const secrets = { meta: yield* makeSecret, threads: yield* makeSecret, x: yield* makeSecret }
  const context = yield* Layer.build(
    Layer.fresh(
      HttpRouter.serve(SandboxRoutes.layer({ metaAppSecret: apps.facebook.secret }), {
        disableLogger: true,
        disableListenLog: true
      })
    ).pipe(
      Layer.provide(
        Sandbox.layer({
          // Hundredths of a second: ids of a later start are higher.
          seed: Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 10),
          accounts: [],
          apps,
          secrets,
          webhookUrl: publicUrl === undefined ? Effect.never : Effect.succeed(`${publicUrl}/v1/webhooks`)
        })
      ),
      Layer.provideMerge(
        NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0, gracefulShutdownTimeout: "1 second" })
      ),
      Layer.provide(FetchHttpClient.layer),
      // Networks take tokens and secrets in addresses.
      Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true))
    )
  )
  const url = yield* Effect.provideContext(
    Effect.map(HttpServer.HttpServer, ({ address }) => `http://127.0.0.1:${"port" in address ? address.port : 0}`),
    context
  )
  return { apps, secrets, url }
})

/** The networks of `networks: "sandbox"`, simulated. */
export const layerSandbox = (publicUrl: string | undefined) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { apps, secrets, url } = yield* startSimulator(publicUrl?.replace(/\/+$/, ""))
      const settings: SocialSettings = {
        baseUrls: {
          instagram: `${url}/instagram`,
          facebook: `${url}/facebook`,
          threads: `${url}/threads`,
          x: `${url}/x`
        },
        metaAppId: apps.facebook.id,
        metaAppSecrets: [apps.facebook.secret],
        instagramAppId: apps.instagram.id,
        instagramAppSecrets: [apps.instagram.secret],
        threadsAppId: apps.threads.id,
        threadsAppSecrets: [apps.threads.secret],
        xClient: apps.x,
        xBearerToken: apps.x.bearer,
        xWebhookUrl: publicUrl === undefined ? undefined : `${publicUrl.replace(/\/+$/, "")}/v1/webhooks/x`
      }
      const gate = { meta: [secrets.meta], threads: [secrets.threads], x: [secrets.x] }
      const signing = [apps.facebook.secret, apps.instagram.secret, apps.threads.secret]
      return Layer.merge(layerSocial(settings, gate, signing), Layer.succeed(SimulatorUrl, url))
    })
  )
