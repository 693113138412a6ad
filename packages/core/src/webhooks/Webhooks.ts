import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { namesOfRoute } from "../inbox/routeActivities.ts"
import type { AccountRoute } from "../networks/InboundActivity.ts"
import type { WebhookEndpoint } from "../networks/Source.ts"
import { LeaseClock } from "../kernel/lease/LeaseClock.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { DeliveryNotFound } from "./WebhookErrors.ts"
import { type FailedDelivery, WebhookDeliveries } from "./WebhookDeliveries.ts"

/** Driving service: accepts and replays webhook deliveries whose signature was verified. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /**
     * Stores a delivery as it came. When it returns, the network may get its 200. Workspaces of the addressees take turns
     * when it is worked on (`WebhookGate.addressees`).
     */
    readonly accept: (
      endpoint: WebhookEndpoint,
      body: Uint8Array,
      addressees?: ReadonlyArray<AccountRoute>
    ) => Effect.Effect<string, StoreUnavailable>
    readonly listFailed: (page: PageRequest) => Effect.Effect<Page<FailedDelivery>, StoreUnavailable>
    /** Queues a failed delivery again. */
    readonly replay: (id: string) => Effect.Effect<void, DeliveryNotFound | StoreUnavailable>
    /** Queues every failed delivery again; returns how many. */
    readonly replayAll: () => Effect.Effect<number, StoreUnavailable>
  }
>()("@loopbox/core/webhooks/Webhooks") {
  static readonly layer: Layer.Layer<Webhooks, never, WebhookDeliveries | SecureRandom> = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const random = yield* SecureRandom
      const leaseNow = yield* LeaseClock
      return Webhooks.of({
        accept: Effect.fn("Webhooks.accept")(function* (endpoint, body, addressees = []) {
          const id = yield* random.uuidV7()
          const names = addressees.flatMap(namesOfRoute)
          yield* deliveries.store({ id, endpoint, body, arrivedAt: yield* DateTime.now }, yield* leaseNow, names)
          return id
        }),
        listFailed: deliveries.listFailed,
        replay: Effect.fn("Webhooks.replay")(function* (id) {
          const count = yield* deliveries.replay(Option.some(id), yield* leaseNow)
          if (count === 0) return yield* new DeliveryNotFound({ deliveryId: id })
        }),
        replayAll: Effect.fn("Webhooks.replayAll")(function* () {
          return yield* deliveries.replay(Option.none(), yield* leaseNow)
        })
      })
    })
  )
}
