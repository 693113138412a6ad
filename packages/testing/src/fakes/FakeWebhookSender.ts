import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { OutgoingEndpointId } from "@loopbox/core/kernel/Ids"
import type { AttemptRecord } from "@loopbox/core/outgoing/OutgoingDelivery"
import { type WebhookMessage, WebhookSender } from "@loopbox/core/outgoing/WebhookSender"

/** What a receiver answers where nobody listens. */
export const nobody = 0

/** What a receiver does with an attempt: the status that it answers, `nobody`, or `Effect.never` if it never does. */
export type Receiver = (message: WebhookMessage) => Effect.Effect<number>

/** What arrived at the receivers of a test, and how they answer. */
export class Receivers extends Context.Service<
  Receivers,
  {
    /** Everything that was sent, oldest first. */
    readonly sent: Array<{
      readonly endpointId: OutgoingEndpointId
      readonly messageId: string
      readonly body: string
      readonly secrets: ReadonlyArray<string>
    }>
    /** Of these endpoints; the others answer 200 at once. */
    readonly answers: Map<OutgoingEndpointId, Receiver>
  }
>()("@loopbox/testing/fakes/Receivers") {}

const wellKnown: Receiver = () => Effect.succeed(200)

const attempt = (at: DateTime.Utc, status: number, ended: DateTime.Utc): AttemptRecord => ({
  at,
  status: status === nobody ? Option.none() : Option.some(status),
  duration_ms: DateTime.toEpochMillis(ended) - DateTime.toEpochMillis(at),
  response: status === nobody ? Option.none() : Option.some(`answered ${status}`),
  error: status === nobody ? Option.some("connection_refused") : Option.none()
})

/** Sends to receivers in the memory of a test. URLs with `private` in their name may not be reached. */
export const layer: Layer.Layer<WebhookSender | Receivers> = Layer.effectContext(
  Effect.sync(() => {
    const receivers = Receivers.of({ sent: [], answers: new Map() })
    const sender = WebhookSender.of({
      send: Effect.fnUntraced(function* (message) {
        const { at, delivery, endpoint, secrets } = message
        receivers.sent.push({
          endpointId: endpoint.id,
          messageId: delivery.messageId,
          body: delivery.body,
          secrets: secrets.map(Redacted.value)
        })
        const status = yield* (receivers.answers.get(endpoint.id) ?? wellKnown)(message)
        return attempt(at, status, yield* DateTime.now)
      }),
      judgeUrl: ({ hostname }) =>
        Effect.succeed(hostname.includes("private") ? Option.some("must lead to a public address") : Option.none()),
      headersOf: ({ messageId }, at) => ({
        "webhook-id": messageId,
        "webhook-timestamp": String(Math.floor(DateTime.toEpochMillis(at) / 1_000))
      }),
      bodyOf: ({ event, seq }) => JSON.stringify({ type: event._tag, data: { seq } }),
      jobEndBodyOf: ({ job, kind, seq }) => JSON.stringify({ type: kind, data: { seq, job: job.id } }),
      exampleOf: (type) => JSON.stringify({ type, data: { example: true } })
    })
    return Context.make(WebhookSender, sender).pipe(Context.add(Receivers, receivers))
  })
)
