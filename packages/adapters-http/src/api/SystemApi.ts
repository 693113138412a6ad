import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"

export const LivenessBody = Schema.Struct({ status: Schema.Literal("ok") })

const Check = Schema.Struct({
  name: Schema.String,
  status: Schema.Literals(["ok", "degraded", "failed"]),
  message: Schema.String
}).annotate({
  identifier: "HealthCheck",
  examples: [{ name: "database", status: "ok", message: "PostgreSQL 17.5 answers in 2 ms." }]
})

const readiness = <const S extends string>(status: S) =>
  Schema.Struct({ status: Schema.Literal(status), checks: Schema.Array(Check) })

export const ReadyBody = readiness("ok")
export const FailedBody = readiness("failed").pipe(HttpApiSchema.status(503))
export const DrainingBody = readiness("draining").pipe(HttpApiSchema.status(503))

const exampleMetrics = "# TYPE loopbox_open_sockets gauge\nloopbox_open_sockets 12\n"

/** For orchestrators and monitors, without the envelope (api.md §9). */
export class SystemApi extends HttpApiGroup.make("system", { topLevel: true })
  .add(
    HttpApiEndpoint.get("livez", "/livez", { success: LivenessBody }).annotateMerge(
      OpenApi.annotations({
        summary: "Does the process run?",
        description: "For a liveness probe: it asks nothing but the process itself."
      })
    ),
    HttpApiEndpoint.get("readyz", "/readyz", { success: ReadyBody, error: [FailedBody, DrainingBody] }).annotateMerge(
      OpenApi.annotations({
        summary: "Can it serve? Every check with what it found",
        description:
          "For a readiness probe and load balancers. 503 while a check fails, or the process is stopping; a check that is degraded leaves it at 200. What a check says is told with the admin token only."
      })
    ),
    HttpApiEndpoint.get("metrics", "/metrics", {
      success: Schema.String.annotate({ examples: [exampleMetrics] }).pipe(
        HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4; charset=utf-8" })
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Metrics for Prometheus",
        description: "Requests, queues, workers, pools and the process, in the text format of Prometheus."
      })
    )
  )
  .annotate(OpenApi.Description, "Health and metrics.") {}
