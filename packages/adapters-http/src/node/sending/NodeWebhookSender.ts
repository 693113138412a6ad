import { type WebhookMessage, WebhookSender } from "@loopbox/core/outgoing/WebhookSender"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { toJobEndBody } from "../../api/endpoints/jobEndBody.ts"
import { toWebhookBody } from "../../api/endpoints/webhookBody.ts"
import { webhookExample } from "../../api/endpoints/webhookExamples.ts"
import { toEventBody } from "../../api/inbox/EventBody.ts"
import { toIsoText } from "../../api/isoText.ts"
import { destinationOf, type NoDestination, type Reach } from "./destination.ts"
import { makePost } from "./post.ts"
import { makeResolveNames, type ResolveName } from "./resolveNames.ts"
import { webhookHeaders } from "./webhookHeaders.ts"

export interface WebhookSenderOptions {
  /** Whether http, and addresses that are not public, may be named: for development. Off unless said otherwise. */
  readonly allowsPrivate?: boolean | undefined
  /** How names are looked up, instead of the machine's own way. */
  readonly lookUp?: ResolveName | undefined
}

/** How long a name is looked up when an endpoint is made; what takes longer is judged when something is sent. */
const patienceOfLookUp = "2 seconds"

const sentences: Readonly<Record<NoDestination["reason"], Option.Option<string>>> = {
  address_refused: Option.some("leads to an address that is not public"),
  address_unresolved: Option.none()
}

const secondsOf = (at: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(at) / 1000)

/** Sends by undici: to exactly the addresses that were judged, signed by Standard Webhooks (docs/decisions/0014). */
export const layer = ({ allowsPrivate = false, lookUp }: WebhookSenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const reach: Reach = { allowsPrivate, resolve: yield* makeResolveNames(lookUp) }
      const post = yield* makePost(reach)
      // A span costs as much as a signature, and nobody sees those of the tracer that is there by default.
      const isTraced = (yield* Tracer.Tracer) !== Tracer.nativeTracer
      const send = ({ at, delivery, endpoint, secrets }: WebhookMessage) => {
        const { body, messageId } = delivery
        const headers = webhookHeaders({ id: messageId, timestamp_s: secondsOf(at), body }, secrets)
        return Effect.map(post({ lane: endpoint.id, url: endpoint.url, headers, body }), (posted) => ({
          at,
          status: posted.status,
          duration_ms: Math.round(Duration.toMillis(posted.duration)),
          response: posted.response,
          error: posted.failure
        }))
      }
      return WebhookSender.of({
        send: (message) => (isTraced ? Effect.withSpan(send(message), "WebhookSender.send") : send(message)),
        judgeUrl: (url) => {
          if (url.protocol !== "https:" && !allowsPrivate) return Effect.succeedSome("must begin with https://")
          return destinationOf(url, reach).pipe(
            Effect.timeoutOption(patienceOfLookUp),
            Effect.match({ onSuccess: () => Option.none(), onFailure: ({ reason }) => sentences[reason] })
          )
        },
        headersOf: ({ messageId }, at) => {
          const signed = webhookHeaders({ id: messageId, timestamp_s: secondsOf(at), body: "" }, [])
          return Object.fromEntries(Object.entries(signed).filter(([name]) => name !== "webhook-signature"))
        },
        bodyOf: (event) => toWebhookBody(toEventBody(event)),
        jobEndBodyOf: (ended) => toWebhookBody(toJobEndBody(ended)),
        exampleOf: (type, endpoint, at) => toWebhookBody(webhookExample(type, endpoint, toIsoText(at)))
      })
    })
  )
