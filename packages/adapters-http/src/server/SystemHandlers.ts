import type { HealthCheck } from "@loopbox/core/kernel/HealthCheck"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { Api } from "../api/Api.ts"
import { HttpSettings } from "./HttpSettings.ts"

const runCheck = ({ name, run }: HealthCheck, timeout: Duration.Duration) =>
  run.pipe(
    Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(undefined) }),
    Effect.map((message) =>
      message === undefined
        ? { name, status: "failed" as const, message: "did not answer in time" }
        : { name, status: "ok" as const, message }
    ),
    Effect.catchTag("Unhealthy", ({ message }) => Effect.succeed({ name, status: "failed" as const, message })),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("a health check died", defect), { name, status: "failed" as const, message: "died" })
    )
  )

export const layer = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const { draining, healthChecks, healthTimeout } = yield* HttpSettings
    return handlers.handleAll({
      livez: () => Effect.succeed({ status: "ok" as const }),
      readyz: Effect.fnUntraced(function* () {
        if (yield* Ref.get(draining)) return yield* Effect.fail({ status: "draining" as const, checks: [] })
        const checks = yield* Effect.forEach(healthChecks, (check) => runCheck(check, healthTimeout), {
          concurrency: "unbounded"
        })
        if (checks.some(({ status }) => status === "failed")) {
          return yield* Effect.fail({ status: "failed" as const, checks })
        }
        return { status: "ok" as const, checks }
      }),
      metrics: () => PrometheusMetrics.format()
    })
  })
)
