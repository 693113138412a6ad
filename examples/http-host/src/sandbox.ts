import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Sandbox, type SandboxApp, sandboxApps, SandboxLife, SandboxRoutes } from "@loopbox/adapters-social"
import type { Network, WebhookEndpoint } from "@loopbox/adapters-social/names"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64Url from "effect/encoding/Base64Url"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import { createServer } from "node:http"
import type { HostConfig } from "./hostConfig.ts"
import { anyPortOf, boundUrl, explainServeError } from "./listener.ts"
import { type DialogUrls, serveDialogs } from "./sandboxDialogs.ts"

const loopback = "127.0.0.1"

/** The simulated networks of this process. */
export interface RunningSandbox {
  readonly url: string
  /** Where the connectors ask. */
  readonly baseUrls: Record<Network, string>
  /** Where people open its dialogs, if not there. */
  readonly dialogUrls: DialogUrls
  /** What signs its deliveries. */
  readonly secrets: Record<WebhookEndpoint, Redacted.Redacted<string>>
  /** Our apps there, by which people sign in. Meta's secret signs what is asked of Facebook, too. */
  readonly apps: Record<Network, SandboxApp>
  readonly people: Sandbox.Sandbox["Service"]
  /** Lets deliveries go out, to the host that listens now. */
  readonly deliverTo: (hostUrl: string) => Effect.Effect<void>
}

const makeSecret = Effect.fnUntraced(function* () {
  const random = yield* SecureRandom
  return Redacted.make(Base64Url.encode(yield* random.randomBytes(32)))
})

/** The apps that are configured; of what is not, the simulator's own with secrets that nobody else knows. */
const makeApps = Effect.fnUntraced(function* ({ appIds, appSecrets, xBearerToken, xClient }: HostConfig) {
  const app = Effect.fnUntraced(function* (
    network: Network,
    id: Option.Option<string>,
    secret: Redacted.Redacted<string> | undefined
  ) {
    return { id: Option.getOrElse(id, () => sandboxApps[network].id), secret: secret ?? (yield* makeSecret()) }
  })
  const bearer = Option.getOrUndefined(xBearerToken) ?? (yield* makeSecret())
  const x = Option.isSome(xClient)
    ? { id: xClient.value.id, secret: Option.getOrUndefined(xClient.value.secret) }
    : yield* app("x", Option.none(), undefined)
  return {
    instagram: yield* app("instagram", appIds.instagram, appSecrets.instagram[0]),
    facebook: yield* app("facebook", appIds.meta, appSecrets.meta[0]),
    threads: yield* app("threads", appIds.threads, appSecrets.threads[0]),
    x: { ...x, bearer }
  }
})

/** Hundredths of a second: ids of a later start are higher, so that "newer than what was read" stays true. */
const makeSeed = Effect.map(DateTime.now, (now) => Math.floor(DateTime.toEpochMillis(now) / 10))

/** Starts the simulator on a free port of the loopback, until the scope closes. */
export const startSandbox = Effect.fnUntraced(function* (config: HostConfig) {
  const secrets = {
    meta: yield* makeSecret(),
    threads: yield* makeSecret(),
    // The host answers X's challenge with the newest one that is configured.
    x: config.appSecrets.x[0] ?? (yield* makeSecret())
  }
  const apps = yield* makeApps(config)
  const hostUrl = yield* Deferred.make<string>()
  const server = yield* Layer.build(
    Layer.fresh(
      HttpRouter.serve(SandboxRoutes.layer({ metaAppSecret: apps.facebook.secret }), {
        disableLogger: true,
        disableListenLog: true
      })
    ).pipe(
      Layer.provideMerge(
        Sandbox.layer({
          seed: yield* makeSeed,
          accounts: [],
          apps,
          secrets,
          webhookUrl: Effect.map(Deferred.await(hostUrl), (url) => `${url}/v1/webhooks`)
        })
      ),
      Layer.provideMerge(
        NodeHttpServer.layer(createServer, { host: loopback, port: 0, gracefulShutdownTimeout: "1 second" })
      ),
      Layer.provide(FetchHttpClient.layer),
      // Networks take tokens and secrets in addresses, and these requests are no part of the host's own work.
      Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true))
    )
  ).pipe(Effect.catchTag("ServeError", explainServeError(anyPortOf(loopback))))
  const url = yield* Effect.provideContext(boundUrl, server)
  const people = Context.get(server, Sandbox.Sandbox)
  const running: RunningSandbox = {
    url,
    baseUrls: {
      instagram: `${url}/instagram`,
      facebook: `${url}/facebook`,
      threads: `${url}/threads`,
      x: `${url}/x`,
      ...config.baseUrls
    },
    dialogUrls: yield* serveDialogs(config, Layer.succeed(Sandbox.Sandbox, people), apps.facebook.secret),
    secrets,
    apps,
    people,
    deliverTo: (to) => Effect.asVoid(Deferred.succeed(hostUrl, to))
  }
  return running
})

/** People who write to the accounts as long as the scope lives, so that an inbox fills while one watches. */
export const layerLife = ({ people }: RunningSandbox) =>
  SandboxLife.layer().pipe(Layer.provide(Layer.succeed(Sandbox.Sandbox, people)))
