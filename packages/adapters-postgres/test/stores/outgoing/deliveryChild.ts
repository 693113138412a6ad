import { PgAdapters, PgCredentialVault } from "@loopbox/adapters-postgres"
import * as DeliveryWorker from "@loopbox/core/outgoing/DeliveryWorker"
import { WebhookSender, type WebhookMessage } from "@loopbox/core/outgoing/WebhookSender"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as http from "node:http"
import { vaultKey } from "./deliveryKey.ts"

/** A process that writes deliveries and sends them, until it is killed. */
const target: PgAdapters.Target = (({ password, url, ...rest }: Record<string, string>) => ({
  ...rest,
  url: url === undefined ? undefined : Redacted.make(url),
  password: password === undefined ? undefined : Redacted.make(password)
}))(JSON.parse(process.argv[2] ?? "{}"))

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

const post = ({ delivery, endpoint }: WebhookMessage) =>
  new Promise<number | string>((resolve) => {
    const request = http.request(
      endpoint.url,
      { agent, method: "POST", headers: { "webhook-id": delivery.messageId }, timeout: 5_000 },
      (answer) => answer.resume().on("end", () => resolve(answer.statusCode ?? 0))
    )
    request.on("error", () => resolve("connection_failed"))
    request.on("timeout", () => request.destroy())
    request.end(delivery.body)
  })

const sender = Layer.succeed(
  WebhookSender,
  WebhookSender.of({
    send: (message) =>
      Effect.map(
        Effect.promise(() => post(message)),
        (said) => ({
          at: message.at,
          status: typeof said === "number" ? Option.some(said) : Option.none(),
          duration_ms: 0,
          response: Option.none(),
          error: typeof said === "string" ? Option.some(said) : Option.none()
        })
      ),
    judgeUrl: () => Effect.succeedNone,
    headersOf: () => ({}),
    bodyOf: ({ event, seq }) =>
      JSON.stringify({ seq, place: event._tag === "SyncCompleted" ? event.newItems : undefined }),
    jobEndBodyOf: ({ seq }) => JSON.stringify({ seq }),
    exampleOf: () => "{}"
  })
)

const worker = DeliveryWorker.layer({ lease: "3 seconds", pollEvery: "250 millis", drain: "1 second" }).pipe(
  Layer.provide(sender),
  Layer.provide(PgAdapters.layerTarget(target, { migrate: false })),
  Layer.provide(PgCredentialVault.layer(vaultKey)),
  Layer.provide(SecureRandom.layerWebCrypto),
  Layer.provide(layerNetworks),
  Layer.provide(Logger.layer([]))
)

process.stdout.write("begun\n")
void Effect.runPromise(Layer.launch(worker))
