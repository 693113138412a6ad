import { type WebhookEndpoint, webhookEndpoints } from "@loopbox/core/connectors/Source"
import { WebhookGate } from "@loopbox/core/connectors/WebhookGate"
import { Webhooks } from "@loopbox/core/inbox/Webhooks"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { rawQueryOf } from "./enterInbox.ts"
import { jsonRefusals, readBytes } from "./readJson.ts"
import { refuse, refuseFor } from "./refuse.ts"
import { toResponse } from "./refusalResponse.ts"
import { refuseStore } from "./storeRefusals.ts"
import { refusePlainRequest } from "./Validation.ts"

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

  const deliver = Effect.fnUntraced(function* (endpoint: WebhookEndpoint) {
    if (Option.isNone(gate)) return yield* refuseUnconfigured
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const body = new Uint8Array(yield* readBytes(maxBytes))
    switch (gate.value.judge(endpoint, (name) => headers[name.toLowerCase()], body)) {
      case "not_configured":
        return yield* refuseUnconfigured
      case "refused":
        return yield* refuse("UNAUTHORIZED", "The signature is absent or wrong.")
      case "authentic":
        yield* webhooks.accept(endpoint, body)
        return HttpServerResponse.empty({ status: 200 })
    }
  }, Effect.catchTags(deliveryRefusals))

  const shake = Effect.fnUntraced(function* (endpoint: WebhookEndpoint) {
    if (Option.isNone(gate)) return yield* refuseUnconfigured
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const handshake = gate.value.handshake(endpoint, lookIn(new URLSearchParams(rawQueryOf(url))))
    switch (handshake._tag) {
      case "NotConfigured":
        return yield* refuseUnconfigured
      case "Refused":
        return yield* refuse("FORBIDDEN", "The token or the challenge is wrong.")
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
