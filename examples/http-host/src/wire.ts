import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as api from "@loopbox/adapters-http/node/serve"
import * as HttpRoutes from "@loopbox/adapters-http/server/HttpRoutes"
import { HttpSettings } from "@loopbox/adapters-http/server/HttpSettings"
import type { HealthCheck } from "@loopbox/core/kernel/HealthCheck"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { createServer } from "node:http"
import type { HostConfig } from "./hostConfig.ts"
import type { HostSecrets } from "./hostSecrets.ts"
import { boundUrl, explainServeError } from "./listener.ts"
import { signingKeys } from "./signingKey.ts"
import { advanceClock } from "./testClock.ts"

/** A server that answers, and how to say that it is about to end. */
export interface Listening {
  readonly url: string
  readonly drain: Effect.Effect<void>
}

/** Serves every route as long as the scope lives. */
export const serveApi = Effect.fnUntraced(function* (
  config: HostConfig,
  secrets: HostSecrets,
  healthChecks: ReadonlyArray<HealthCheck>
) {
  const port = Option.getOrElse(config.port, () => 0)
  const server = yield* Layer.build(
    api.layer({
      host: config.host,
      port,
      publicUrl: Option.getOrUndefined(config.publicUrl),
      ...(yield* signingKeys(secrets)),
      adminToken: Option.getOrUndefined(secrets.adminToken),
      rateLimit: Option.getOrElse(config.rateLimit, () => "off" as const),
      healthChecks,
      advanceClock: config.hasTestClock ? yield* advanceClock : undefined,
      drain: config.close
    })
  ).pipe(Effect.catchTag("ServeError", explainServeError(config.host, port)))
  const { draining } = Context.get(server, HttpSettings)
  const listening: Listening = { url: yield* Effect.provideContext(boundUrl, server), drain: Ref.set(draining, true) }
  return listening
})

const describe = (check: HealthCheck) =>
  check.run.pipe(
    Effect.map((message) => ({ name: check.name, status: "ok" as const, message })),
    Effect.catchTag("Unhealthy", ({ message }) =>
      Effect.succeed({ name: check.name, status: "failed" as const, message })
    )
  )

const readiness = Effect.fnUntraced(function* (checks: ReadonlyArray<HealthCheck>, isDraining: Ref.Ref<boolean>) {
  if (yield* Ref.get(isDraining)) {
    return yield* HttpServerResponse.json({ status: "draining", checks: [] }, { status: 503 })
  }
  const found = yield* Effect.forEach(checks, describe, { concurrency: "unbounded" })
  const status = found.every((one) => one.status === "ok") ? "ok" : "failed"
  return yield* HttpServerResponse.json({ status, checks: found }, { status: status === "ok" ? 200 : 503 })
})

/** Serves a worker's health and metrics, and nothing else. */
export const serveHealth = Effect.fnUntraced(function* (config: HostConfig, checks: ReadonlyArray<HealthCheck>) {
  const isDraining = yield* Ref.make(false)
  const port = Option.getOrElse(config.port, () => 0)
  const routes = Layer.mergeAll(
    HttpRouter.add("GET", "/livez", HttpServerResponse.json({ status: "ok" })),
    HttpRouter.add("GET", "/readyz", readiness(checks, isDraining)),
    PrometheusMetrics.layerHttp({ path: "/metrics" })
  )
  const server = yield* Layer.build(
    HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provideMerge(
        NodeHttpServer.layer(createServer, { host: config.host, port, gracefulShutdownTimeout: config.close })
      ),
      Layer.provide(HttpRoutes.references)
    )
  ).pipe(Effect.catchTag("ServeError", explainServeError(config.host, port)))
  const url = yield* Effect.provideContext(boundUrl, server)
  const listening: Listening = { url, drain: Ref.set(isDraining, true) }
  return listening
})
