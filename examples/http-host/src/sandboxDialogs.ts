import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { type Sandbox, SandboxRoutes } from "@loopbox/adapters-social"
import type { Network } from "@loopbox/adapters-social/names"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { createServer } from "node:http"
import type { HostConfig } from "./hostConfig.ts"
import { anyPortOf, boundUrl, explainServeError } from "./listener.ts"

/** Where people open each network's dialog; absent where the simulator's own address will do. */
export type DialogUrls = Partial<Record<Network, string>>

const loopback = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/

type Where = Pick<HostConfig, "host" | "publicUrl">

/** By which name others reach this machine; none where it listens, or is named, for itself alone. */
const nameForOthers = ({ host, publicUrl }: Where): Option.Option<string> =>
  loopback.test(host)
    ? Option.none()
    : Option.filter(
        Option.map(publicUrl, (url) => new URL(url).hostname),
        (name) => !loopback.test(name)
      )

/** Whether browsers elsewhere are meant to come, and would end at a dialog that only this machine opens. */
const isHalfOpen = ({ host, publicUrl }: Where): boolean =>
  !loopback.test(host) || Option.exists(publicUrl, (url) => !loopback.test(new URL(url).hostname))

const halfOpen =
  "The dialogs of the simulated networks open in browsers on this machine alone. For others set LOOPBOX_HOST to the " +
  "address of this machine that they reach, and LOOPBOX_PUBLIC_URL to its name."

/**
 * Opens the simulator's dialogs on a free port of the host's address, where people's browsers are on other machines. The
 * simulator itself stays on the loopback: whoever reaches it can act as anybody.
 */
export const serveDialogs = Effect.fnUntraced(function* (
  { host, metaApiVersion, publicUrl }: Where & Pick<HostConfig, "metaApiVersion">,
  sandbox: Layer.Layer<Sandbox.Sandbox>,
  metaAppSecret: Redacted.Redacted<string>
) {
  const name = nameForOthers({ host, publicUrl })
  if (Option.isNone(name)) {
    if (isHalfOpen({ host, publicUrl })) yield* Effect.logWarning(halfOpen)
    return {} satisfies DialogUrls
  }
  const server = yield* Layer.build(
    Layer.fresh(
      HttpRouter.serve(SandboxRoutes.dialogs({ metaAppSecret }), { disableLogger: true, disableListenLog: true })
    ).pipe(
      Layer.provideMerge(NodeHttpServer.layer(createServer, { host, port: 0, gracefulShutdownTimeout: "1 second" })),
      Layer.provide(sandbox)
    )
  ).pipe(Effect.catchTag("ServeError", explainServeError(anyPortOf(host))))
  const bound = yield* Effect.provideService(
    boundUrl,
    HttpServer.HttpServer,
    Context.get(server, HttpServer.HttpServer)
  )
  const url = `http://${name.value}:${new URL(bound).port}`
  const urls: DialogUrls = {
    instagram: `${url}/instagram/oauth/authorize`,
    facebook: `${url}/facebook/${metaApiVersion}/dialog/oauth`,
    threads: `${url}/threads/oauth/authorize`,
    x: `${url}/x/i/oauth2/authorize`
  }
  return urls
})
