import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { Api } from "../../api/Api.ts"
import { makeIsAdmin } from "../access/adminToken.ts"
import { OperationsRequests } from "../edge/entrance.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { forStrangers, makeReadiness } from "./readiness.ts"

const bearer = /^bearer +(\S+)$/i

/** Whether a request may read the messages of failed checks: by the operations port, or with the admin token. */
const makeIsOperator = Effect.gen(function* () {
  const isAdmin = yield* makeIsAdmin
  return Effect.gen(function* () {
    const { headers, source } = yield* HttpServerRequest.HttpServerRequest
    if ((yield* OperationsRequests).has(source)) return true
    const token = bearer.exec(headers["authorization"] ?? "")?.[1]
    return token !== undefined && (yield* isAdmin(Redacted.make(token)))
  })
})

export const layer = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const { draining, healthChecks, healthTimeout } = yield* HttpSettings
    const isOperator = yield* makeIsOperator
    const readiness = yield* makeReadiness({ checks: healthChecks, timeout: healthTimeout, draining })
    return handlers.handleAll({
      livez: () => Effect.succeed({ status: "ok" as const }),
      readyz: Effect.fnUntraced(function* () {
        const found = yield* readiness
        const { checks, status } = (yield* isOperator) ? found : forStrangers(found)
        if (status === "ok") return { status, checks }
        return yield* Effect.fail(status === "failed" ? { status, checks } : { status, checks })
      }),
      metrics: () => PrometheusMetrics.format()
    })
  })
)
