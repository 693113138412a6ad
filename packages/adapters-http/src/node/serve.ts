import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { createServer, type Server } from "node:http"
import { Drain } from "../server/edge/Drain.ts"
import { inDeepContext } from "../server/edge/inDeepContext.ts"
import { OperationsRequests } from "../server/edge/entrance.ts"
import * as HttpRoutes from "../server/HttpRoutes.ts"
import { type HttpOptions, HttpSettings, toSocketLimits } from "../server/system/HttpSettings.ts"
import { LiveSockets } from "../server/sockets/LiveSocket.ts"
import { OpenSockets } from "../server/sockets/OpenSockets.ts"
import { SocketJudge } from "../server/sockets/SocketJudge.ts"
import { type LiveWebSockets, makeLiveWebSockets } from "./LiveWebSocket.ts"
import { layerMac } from "./nodeMac.ts"
import { makeOperations, OperationsPort } from "./operationsPort.ts"
import { answerParserErrors } from "./parserErrors.ts"
import { makeUpgradeHandler } from "./upgrades.ts"

/** Where to listen and how long to wait; what is left out is said beside it. */
export interface ServeOptions extends Omit<HttpOptions, "publicUrl" | "hasOperationsPort"> {
  /** 127.0.0.1. */
  readonly host?: string | undefined
  /** 0 takes any free one. */
  readonly port: number
  /** A port for `/metrics`, `/readyz`, `/v1/admin` and `/console`, which then are 404 on the other; 0 takes any free one. */
  readonly operationsPort?: number | undefined
  /** Base of signed URLs; `http://<host>:<port>` of the bound address. */
  readonly publicUrl?: string | undefined
  /** Connections, sockets included; more are closed as they come: 50,000. */
  readonly maxConnections?: number | undefined
  /** For the head of a request to come: 20 seconds. */
  readonly headersTimeout?: Duration.Input | undefined
  /** For a whole request to come, a large upload on a slow line included: 6 hours. */
  readonly requestTimeout?: Duration.Input | undefined
  /** For a connection on which nothing moves: 75 seconds. */
  readonly idleTimeout?: Duration.Input | undefined
}

const makeServer = (options: ServeOptions): Server => {
  const server = createServer({
    headersTimeout: Duration.toMillis(options.headersTimeout ?? "20 seconds"),
    requestTimeout: Duration.toMillis(options.requestTimeout ?? "6 hours"),
    keepAliveTimeout: Duration.toMillis(options.idleTimeout ?? "75 seconds"),
    connectionsCheckingInterval: 2_000,
    // Node would take the first of two credentials or types without a word; joined, they are none.
    joinDuplicateHeaders: true,
    // The edge asks for a Host, so that its refusal has an envelope.
    requireHostHeader: false
  })
  server.maxConnections = options.maxConnections ?? 50_000
  server.setTimeout(Duration.toMillis(options.idleTimeout ?? "75 seconds"))
  return server
}

/** A connection whose last answer ended after the stop began must not keep the process. */
const closeWhenIdle = (server: Server) =>
  Effect.sync(() => {
    server.on("request", (_request, response) => {
      response.once("close", () => {
        if (!server.listening) setImmediate(() => server.closeIdleConnections())
      })
    })
  })

/** Answers requests, and those for an upgrade, until the scope closes. */
const answer = Effect.fnUntraced(function* (server: Server, live: LiveWebSockets) {
  const routes = yield* HttpRouter.toHttpEffect(HttpRoutes.layer)
  const upgrade = yield* makeUpgradeHandler(routes, live, yield* Scope.fork(yield* Effect.scope, "parallel"))
  yield* (yield* HttpServer.HttpServer).serve(routes)
  // In place of effect's own, which it has added.
  server.removeAllListeners("upgrade")
  server.on("upgrade", upgrade)
  yield* Effect.addFinalizer(() => Effect.sync(() => server.off("upgrade", upgrade)))
})

/** The base of signed URLs as a client on this machine reaches it. */
const urlOf = (host: string, port: number) => {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

const settings = (options: ServeOptions) => {
  const { host = "127.0.0.1", publicUrl } = options
  const more = { ...options, hasOperationsPort: options.operationsPort !== undefined }
  if (publicUrl !== undefined) return HttpSettings.layer({ ...more, publicUrl })
  return Layer.unwrap(
    Effect.map(HttpServer.HttpServer, ({ address }) =>
      HttpSettings.layer({ ...more, publicUrl: urlOf(host, "port" in address ? address.port : options.port) })
    )
  )
}

/**
 * The API behind a port of its own, until its scope closes.
 *
 * Then, in this order: `/readyz` fails and answers close their connections; for `pause` requests are taken as before;
 * WebSockets are told 1012, a few at a time; no connection is taken any more; requests in flight are answered, for `drain` at most; what is left is answered 503; every connection ends. `HttpServer` tells
 * the bound address, `OperationsPort` that of the port of operations, and `Drain` lets a host begin the end earlier. A port that is taken fails with `ServeError`.
 */
export const layer = (options: ServeOptions) =>
  Layer.unwrap(
    Effect.sync(() => {
      const server = makeServer(options)
      const live = makeLiveWebSockets(toSocketLimits(options.sockets))
      const operations = makeOperations(server)
      const operationsPort =
        options.operationsPort === undefined
          ? OperationsPort.none
          : operations.layer({
              host: options.host ?? "127.0.0.1",
              port: options.operationsPort,
              server: makeServer(options)
            })
      // Finalised in reverse: the first of these lines last.
      const endConnections = Layer.effectDiscard(
        Effect.gen(function* () {
          yield* answerParserErrors(server, (yield* HttpSettings).corsOrigins)
          yield* closeWhenIdle(server)
          yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
        })
      )
      return Layer.effectDiscard(Drain.atEnd).pipe(
        Layer.provideMerge(inDeepContext(Layer.effectDiscard(answer(server, live)))),
        Layer.provideMerge(operationsPort),
        Layer.provideMerge(endConnections),
        Layer.provide(SocketJudge.layer),
        Layer.provideMerge(Drain.layer),
        Layer.provideMerge(OpenSockets.layer),
        Layer.provideMerge(settings(options)),
        Layer.provideMerge(
          NodeHttpServer.layer(() => server, {
            host: options.host ?? "127.0.0.1",
            port: options.port,
            gracefulShutdownTimeout: options.drain ?? "30 seconds"
          })
        ),
        Layer.provide([
          Layer.succeed(LiveSockets, live),
          Layer.succeed(OperationsRequests, { has: operations.has }),
          HttpRoutes.references,
          layerMac
        ])
      )
    })
  )
