import type { WebhookEndpoint } from "../../names.ts"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { Delivery, Faults, Release } from "../faults/Faults.ts"
import { signDelivery } from "./signDelivery.ts"
import type { SandboxSecrets } from "./signDelivery.ts"
import type { WebhookEvent } from "./webhookBodies.ts"

/** A delivery and the status of each attempt; 0 where no answer came. */
export interface DeliveryRecord {
  readonly delivery: Delivery
  readonly statuses: ReadonlyArray<number>
}

export interface DeliverySettings {
  readonly secrets: SandboxSecrets
  /** Where the product listens, known once it does: events go to `<url>/<endpoint>`. */
  readonly webhookUrl: Effect.Effect<string>
  /** How long a network waits before each next attempt; when they are used up the event is dropped. */
  readonly retryAfter?: ReadonlyArray<Duration.Input> | undefined
}

/** At once, then ever more rarely, as networks do, though within minutes instead of a day. */
const defaultRetryAfter: ReadonlyArray<Duration.Input> = [0, 1_000, 5_000, 30_000, 120_000, 600_000]

const atOnce = 16
const mostRecords = 1_000
const mostHeld = 10_000
const answerWithin = "10 seconds"

/** Sends what happened, as the networks do: signed, again when it is not taken, and wrongly where a fault says so. */
export interface Deliveries {
  readonly send: (event: WebhookEvent, faults: Faults) => Effect.Effect<void>
  /** Lets held events go; how many there were. */
  readonly release: (how: Release) => Effect.Effect<number>
  /** Waits until no delivery is on its way. */
  readonly settled: Effect.Effect<void>
  /** The last thousand, in the order of their ends. */
  readonly records: Effect.Effect<ReadonlyArray<DeliveryRecord>>
}

interface Held {
  readonly event: WebhookEvent
  readonly faults: Faults
}

export const makeDeliveries = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  settings: DeliverySettings
): Effect.fn.Return<Deliveries, never, Scope.Scope> {
  const running = yield* FiberSet.make<void>()
  const permits = yield* Semaphore.make(atOnce)
  const records: Array<DeliveryRecord> = []
  const held: Array<Held> = []

  const attempt = Effect.fnUntraced(function* ({ body, endpoint, headers }: Delivery) {
    const url = `${(yield* settings.webhookUrl).replace(/\/+$/, "")}/${endpoint}`
    const request = HttpClientRequest.post(url, { headers }).pipe(HttpClientRequest.bodyText(body, "application/json"))
    return yield* client.execute(request).pipe(
      Effect.map(({ status }) => status),
      Effect.timeoutOrElse({ duration: answerWithin, orElse: () => Effect.succeed(0) }),
      Effect.catchTag("HttpClientError", () => Effect.succeed(0)),
      permits.withPermits(1)
    )
  })

  const deliver = Effect.fnUntraced(function* (delivery: Delivery, faults: Faults) {
    yield* Effect.sleep(Duration.millis(faults.delay_ms ?? 0))
    // Nobody repeats what was wrong on purpose.
    const isRight = faults.signature === undefined || faults.signature === "right"
    const statuses = [yield* attempt(delivery)]
    for (const wait of isRight ? (settings.retryAfter ?? defaultRetryAfter) : []) {
      if (statuses.at(-1) === 200) break
      yield* Effect.sleep(wait)
      statuses.push(yield* attempt(delivery))
    }
    records.push({ delivery, statuses })
    if (records.length > mostRecords) records.shift()
  })

  const start = Effect.fnUntraced(function* (endpoint: WebhookEndpoint, payload: unknown, faults: Faults) {
    const delivery = signDelivery(settings.secrets, endpoint, payload, faults.signature)
    for (let time = 0; time < (faults.times ?? 1); time++) yield* FiberSet.run(running, deliver(delivery, faults))
  })

  return {
    send: (event, faults) =>
      Effect.suspend(() => {
        if (faults.is_held !== true || held.length >= mostHeld) return start(event.endpoint, event.payload, faults)
        held.push({ event, faults })
        return Effect.void
      }),
    release: Effect.fnUntraced(function* ({ is_batched = false, order = "as_written" }) {
      const kept = held.splice(0)
      const ordered = order === "reversed" ? kept.toReversed() : kept
      for (const { endpoint, faults, payload } of is_batched ? batched(ordered) : ordered.map(one)) {
        yield* start(endpoint, payload, faults)
      }
      return kept.length
    }),
    settled: FiberSet.awaitEmpty(running),
    records: Effect.sync(() => [...records])
  }
})

interface Parcel {
  readonly endpoint: WebhookEndpoint
  readonly payload: Readonly<Record<string, unknown>>
  readonly faults: Faults
}

const one = ({ event, faults }: Held): Parcel => ({ ...event, faults })

/** Meta's events of one object in one envelope, with the faults of the first; the others as they are. */
const batched = (held: ReadonlyArray<Held>): ReadonlyArray<Parcel> => {
  const parcels: Array<Parcel> = []
  const byObject = new Map<unknown, { readonly faults: Faults; readonly entry: Array<unknown> }>()
  for (const { event, faults } of held) {
    const { entry, object } = event.payload
    if (event.endpoint !== "meta" || !Array.isArray(entry)) parcels.push({ ...event, faults })
    else {
      const batch = byObject.get(object) ?? { faults, entry: [] }
      batch.entry.push(...entry)
      byObject.set(object, batch)
    }
  }
  for (const [object, { entry, faults }] of byObject)
    parcels.push({ endpoint: "meta", payload: { object, entry }, faults })
  return parcels
}
