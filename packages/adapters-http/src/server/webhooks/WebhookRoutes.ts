import type { WebhookEndpoint } from "@loopbox/core/networks/Source"
import { webhookEndpoints } from "../../api/names.ts"
import { type Authenticity, WebhookGate } from "@loopbox/core/networks/WebhookGate"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { rawQueryOf } from "../inbox/enterInbox.ts"
import { jsonRefusals, readBytes } from "../edge/readJson.ts"
import { refuse, refuseFor } from "../edge/refuse.ts"
import { toResponse } from "../edge/refusalResponse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { countUnauthorized } from "../system/httpMetrics.ts"
import { refusePlainRequest } from "../edge/Validation.ts"

/** Networks batch up to 1,000 events. */
const maxBytes = 4 * 1024 * 1024

/** Whoever configures it needs a while; the network tries again. */
const unconfiguredSeconds = 60

const refuseUnconfigured = Effect.suspend(() =>
  refuseFor(unconfiguredSeconds, "TEMPORARILY_UNAVAILABLE", "This webhook is not configured here.")
)

const deliveryRefusals = {
  BodyTooLarge: () => refuse("PAYLOAD_TOO_LARGE", "A delivery may have 4 MiB."),
  BodyTimeout: jsonRefusals.BodyTimeout,
  InvalidRequest: () => refusePlainRequest([{ path: "body", message: "broke off" }]),
  StoreUnavailable: refuseStore
}

/** A parameter that was given once. */
const lookIn = (query: URLSearchParams) => (name: string) => {
  const given = query.getAll(name)
  return given.length === 1 ? given[0] : undefined
}

const make = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const gate = yield* Effect.serviceOption(WebhookGate)

  const refuseUnless = (authenticity: Authenticity) => {
    if (authenticity === "authentic") return Effect.void
    if (authenticity === "not_configured") return refuseUnconfigured
    return Effect.andThen(countUnauthorized("webhook"), refuse("UNAUTHORIZED", "The signature is absent or wrong."))
  }

  const deliver = Effect.fnUntraced(function* (endpoint: WebhookEndpoint) {
    if (Option.isNone(gate)) return yield* refuseUnconfigured
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const header = (name: string) => headers[name.toLowerCase()]
    // A stranger's body is not worth the memory that it would be kept in.
    yield* refuseUnless(gate.value.judgeHeader(endpoint, header))
    const body = yield* readBytes(maxBytes)
    yield* refuseUnless(gate.value.judge(endpoint, header, body))
    yield* webhooks.accept(endpoint, body, gate.value.addressees(endpoint, body))
    return HttpServerResponse.empty({ status: 200 })
  }, Effect.catchTags(deliveryRefusals))

  const shake = Effect.fnUntraced(function* (endpoint: WebhookEndpoint) {
    if (Option.isNone(gate)) return yield* refuseUnconfigured
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const handshake = gate.value.handshake(endpoint, lookIn(new URLSearchParams(rawQueryOf(url))))
    switch (handshake._tag) {
      case "NotConfigured":
        return yield* refuseUnconfigured
      case "Refused":
        return yield* refuse("FORBIDDEN")
      case "Malformed":
        return yield* refusePlainRequest([{ path: "crc_token", message: "is required" }])
      case "Answered":
        return HttpServerResponse.text(handshake.body, { contentType: handshake.contentType })
    }
  })
  return { deliver, shake }
})

/** `/v1/webhooks/*`: what networks deliver, judged and stored as it came (api.md §7). No key limits their rate. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { deliver, shake } = yield* make
    for (const endpoint of webhookEndpoints) {
      yield* router.add("GET", `/v1/webhooks/${endpoint}`, toResponse(shake(endpoint)))
      yield* router.add("POST", `/v1/webhooks/${endpoint}`, toResponse(deliver(endpoint)))
    }
  })
)
