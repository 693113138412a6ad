import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Sandbox, SandboxLife, SandboxRoutes } from "@loopbox/adapters-social"
import type { Network, WebhookEndpoint } from "@loopbox/adapters-social/names"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64Url from "effect/encoding/Base64Url"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import { createServer } from "node:http"
import type { HostConfig } from "./hostConfig.ts"
import { boundUrl, explainServeError } from "./listener.ts"

const loopback = "127.0.0.1"

/** The simulated networks of this process. */
export interface RunningSandbox {
  readonly url: string
  /** Where the connectors ask. */
  readonly baseUrls: Record<Network, string>
  /** What signs its deliveries. */
  readonly secrets: Record<WebhookEndpoint, Redacted.Redacted<string>>
  /** What it expects Facebook's proofs to be signed with. */
  readonly metaAppSecret: Redacted.Redacted<string>
  readonly people: Sandbox.Sandbox["Service"]
  /** Lets deliveries go out, to the host that listens now. */
  readonly deliverTo: (hostUrl: string) => Effect.Effect<void>
}

const makeSecret = Effect.fnUntraced(function* () {
  const random = yield* SecureRandom
  return Redacted.make(Base64Url.encode(yield* random.randomBytes(32)))
})

/** Hundredths of a second: ids of a later start are higher, so that "newer than what was read" stays true. */
const makeSeed = Effect.map(DateTime.now, (now) => Math.floor(DateTime.toEpochMillis(now) / 10))

/** Starts the simulator on a free port of the loopback, until the scope closes. */
export const startSandbox = Effect.fnUntraced(function* (config: HostConfig) {
  const secrets = { meta: yield* makeSecret(), threads: yield* makeSecret(), x: yield* makeSecret() }
  const metaAppSecret = config.appSecrets.meta[0] ?? secrets.meta
  const hostUrl = yield* Deferred.make<string>()
  const server = yield* Layer.build(
    Layer.fresh(
      HttpRouter.serve(SandboxRoutes.layer({ metaAppSecret }), { disableLogger: true, disableListenLog: true })
    ).pipe(
      Layer.provideMerge(
        Sandbox.layer({
          seed: yield* makeSeed,
          accounts: [],
          secrets,
          webhookUrl: Effect.map(Deferred.await(hostUrl), (url) => `${url}/v1/webhooks`)
        })
      ),
      Layer.provideMerge(
        NodeHttpServer.layer(createServer, { host: loopback, port: 0, gracefulShutdownTimeout: "1 second" })
      ),
      Layer.provide(FetchHttpClient.layer)
    )
  ).pipe(Effect.catchTag("ServeError", explainServeError(loopback, "0")))
  const url = yield* Effect.provideContext(boundUrl, server)
  const running: RunningSandbox = {
    url,
    baseUrls: {
      instagram: `${url}/instagram`,
      facebook: `${url}/facebook`,
      threads: `${url}/threads`,
      x: `${url}/x`,
      ...config.baseUrls
    },
    secrets,
    metaAppSecret,
    people: Context.get(server, Sandbox.Sandbox),
    deliverTo: (to) => Effect.asVoid(Deferred.succeed(hostUrl, to))
  }
  return running
})

/** People who write to the accounts as long as the scope lives, so that an inbox fills while one watches. */
export const layerLife = ({ people }: RunningSandbox) =>
  SandboxLife.layer().pipe(Layer.provide(Layer.succeed(Sandbox.Sandbox, people)))
