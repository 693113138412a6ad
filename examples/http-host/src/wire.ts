import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { OperationsPort } from "@loopbox/adapters-http/node/operationsPort"
import * as api from "@loopbox/adapters-http/node/serve"
import { Drain } from "@loopbox/adapters-http/server/edge/Drain"
import type { ConsoleOptions } from "@loopbox/adapters-http/server/console/ConsoleOptions"
import * as HttpRoutes from "@loopbox/adapters-http/server/HttpRoutes"
import { forStrangers, makeReadiness, type Readiness } from "@loopbox/adapters-http/server/system/readiness"
import type { HealthCheck } from "@loopbox/core/kernel/HealthCheck"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { createServer } from "node:http"
import { hasAccessLog, pauseOf } from "./edgeSettings.ts"
import { givenAs } from "./environment.ts"
import type { HostConfig } from "./hostConfig.ts"
import type { HostSecrets } from "./hostSecrets.ts"
import { explainServeError, urlOf, type Wanted } from "./listener.ts"
import { writeAccess } from "./logging.ts"
import { signingKeys } from "@loopbox/embedded/presets/signingKeys"
import { advanceClock } from "./testClock.ts"

/** A server that answers, and how to say that it is about to end. */
export interface Listening {
  readonly url: string
  /** Of the port of operations, where there is one. */
  readonly opsUrl: Option.Option<string>
  readonly drain: Effect.Effect<void>
}

/** Where nothing was given, the flag is what a person would give. */
const namedBy = ({ given }: HostConfig, name: string, flag: string): string =>
  given.has(name) ? givenAs(given, name) : flag

const mainPort = (config: HostConfig, port: number) => ({ port, givenAs: namedBy(config, "LOOPBOX_PORT", "--port") })
const operationsPort = (port: number) => ({ port, givenAs: "LOOPBOX_OPS_PORT" })

/** Which ports the host wants, for the message when one of them is taken. */
const wantedBy = (config: HostConfig, ports: Wanted["ports"]): Wanted => ({
  host: config.host,
  hostGivenAs: namedBy(config, "LOOPBOX_HOST", "--host"),
  ports
})

/** Serves every route as long as the scope lives. */
export const serveApi = Effect.fnUntraced(function* (
  config: HostConfig,
  secrets: HostSecrets,
  healthChecks: ReadonlyArray<HealthCheck>,
  console: Option.Option<ConsoleOptions>
) {
  const { edge } = config
  const port = Option.getOrElse(config.port, () => 0)
  const server = yield* Layer.build(
    api.layer({
      host: config.host,
      port,
      operationsPort: Option.getOrUndefined(edge.opsPort),
      publicUrl: Option.getOrUndefined(config.publicUrl),
      ...(yield* signingKeys(secrets.keys)),
      adminToken: Option.getOrUndefined(secrets.adminToken),
      olderAdminTokens: config.olderAdminTokens,
      console: Option.getOrUndefined(console),
      rateLimit: Option.getOrElse(edge.rateLimit, () => "off" as const),
      authRateLimit: Option.getOrElse(edge.authRateLimit, () => "off" as const),
      trustedProxies: edge.trustedProxies,
      corsOrigins: edge.corsOrigins,
      compatibility: Option.getOrUndefined(edge.compatibility),
      maxConnections: edge.maxConnections,
      bodies: { maxBytes: edge.bodyMemory * 1024 * 1024, chunksAreOurs: true },
      sockets: {
        maxSockets: edge.maxSockets,
        maxPerWorkspace: edge.maxSocketsPerWorkspace,
        maxPerCaller: edge.maxSocketsPerKey
      },
      healthChecks,
      accessLog: hasAccessLog(config) ? writeAccess : undefined,
      advanceClock: config.hasTestClock ? yield* advanceClock : undefined,
      pause: pauseOf(edge, Option.isSome(config.databaseUrl)),
      drain: config.close
    })
  ).pipe(
    Effect.catchTag(
      "ServeError",
      explainServeError(
        wantedBy(config, [mainPort(config, port), ...Option.toArray(Option.map(edge.opsPort, operationsPort))])
      )
    )
  )
  const listening: Listening = {
    url: yield* urlOf(Context.get(server, HttpServer.HttpServer).address),
    opsUrl: yield* Effect.transposeOption(Option.map(Context.get(server, OperationsPort).address, urlOf)),
    drain: Context.get(server, Drain).begin
  }
  return listening
})

const statusOf = ({ status }: Readiness) => (status === "ok" ? 200 : 503)

/** Serves some of a worker's routes on one port. */
const serveOn = Effect.fnUntraced(function* (
  config: HostConfig,
  wanted: Wanted["ports"][number],
  routes: Layer.Layer<never, never, HttpRouter.HttpRouter>
) {
  const server = yield* Layer.build(
    HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provideMerge(
        NodeHttpServer.layer(createServer, {
          host: config.host,
          port: wanted.port,
          gracefulShutdownTimeout: config.close
        })
      ),
      Layer.provide(HttpRoutes.references)
    )
  ).pipe(Effect.catchTag("ServeError", explainServeError(wantedBy(config, [wanted]))))
  return yield* urlOf(Context.get(server, HttpServer.HttpServer).address)
})

const livez = HttpRouter.add("GET", "/livez", HttpServerResponse.jsonUnsafe({ status: "ok" }))

/** Serves a worker's health and metrics, and nothing else; absent when it was given no port. */
export const serveHealth = Effect.fnUntraced(function* (config: HostConfig, checks: ReadonlyArray<HealthCheck>) {
  const draining = yield* Ref.make(false)
  const readiness = yield* makeReadiness({ checks, timeout: "5 seconds", draining })
  const readyz = (shown: (found: Readiness) => Readiness) =>
    HttpRouter.add(
      "GET",
      "/readyz",
      Effect.map(readiness, (found) => HttpServerResponse.jsonUnsafe(shown(found), { status: statusOf(found) }))
    )
  const metrics = PrometheusMetrics.layerHttp({ path: "/metrics" })
  const { opsPort } = config.edge
  const strangers = Option.isSome(opsPort) ? livez : Layer.mergeAll(livez, readyz(forStrangers), metrics)
  const operators = Layer.mergeAll(
    livez,
    readyz((found) => found),
    metrics
  )
  const opsUrl = yield* Effect.transposeOption(
    Option.map(opsPort, (port) => serveOn(config, operationsPort(port), operators))
  )
  const url = yield* Effect.transposeOption(
    Option.map(config.port, (port) => serveOn(config, mainPort(config, port), strangers))
  )
  return Option.map(
    Option.orElse(url, () => opsUrl),
    (listening): Listening => ({
      url: listening,
      opsUrl,
      drain: Ref.set(draining, true)
    })
  )
})
