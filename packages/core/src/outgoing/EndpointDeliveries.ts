import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { ScopeInvalid } from "../access/AccessErrors.ts"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import type { CredentialsUnreadable } from "../accounts/AccountErrors.ts"
import { CredentialVault } from "../accounts/CredentialVault.ts"
import type { ConversionStore } from "../conversions/ConversionStore.ts"
import { InboxEvents, positionAfter } from "../feed/InboxEvents.ts"
import { nextOutgoingDeliveryId, OutgoingDeliveryId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { OverlayStore } from "../overlays/OverlayStore.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { type EventType, exampleFaults, isEventType } from "./eventPatterns.ts"
import { isDelivered } from "./judgeAttempt.ts"
import type { DeliveryStatus, OutgoingDelivery } from "./OutgoingDelivery.ts"
import type { OutgoingEndpoint } from "./OutgoingEndpoint.ts"
import { type DeliveryWithLog, OutgoingEndpointStore } from "./OutgoingEndpointStore.ts"
import { DeliveryNotFound, EndpointDisabled, EndpointInvalid, type EndpointNotFound } from "./OutgoingErrors.ts"
import { OutgoingQueue } from "./OutgoingQueue.ts"
import { openSecrets } from "./sealSecret.ts"
import { endpointOf } from "./WebhookEndpoints.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { makeWriteDeliveries } from "./writeDeliveries.ts"

/** A delivery with what is sent of it, but for the signature, and what came of each attempt. */
export interface DeliveryDetail extends DeliveryWithLog {
  readonly request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

type Refused = EndpointNotFound | ScopeInvalid | StoreUnavailable

/** Driving service: what was sent to the workspace's webhook endpoints, and sending it again (api-2.md §15). */
export class EndpointDeliveries extends Context.Service<
  EndpointDeliveries,
  {
    /** Newest first; kept for 30 days. */
    readonly list: (
      caller: EntitledCaller,
      endpointId: string,
      status: Option.Option<DeliveryStatus>,
      page: PageRequest
    ) => Effect.Effect<Page<OutgoingDelivery>, Refused>
    readonly find: (
      caller: EntitledCaller,
      endpointId: string,
      deliveryId: string
    ) => Effect.Effect<DeliveryDetail, DeliveryNotFound | Refused>
    /**
     * Sends an example now, once, and waits for the answer (at most 20 s); also to a disabled endpoint. What comes of it
     * does not change the endpoint.
     */
    readonly sendExample: (
      caller: EntitledCaller,
      endpointId: string,
      type: Option.Option<string>
    ) => Effect.Effect<OutgoingDelivery, EndpointInvalid | CredentialsUnreadable | Refused>
    /** Begins the schedule of a delivery anew, whatever came of it; its message keeps its id. */
    readonly redeliver: (
      caller: EntitledCaller,
      endpointId: string,
      deliveryId: string
    ) => Effect.Effect<OutgoingDelivery, DeliveryNotFound | EndpointDisabled | Refused>
    /**
     * Queues every event after this number that is still kept and that the endpoint wants, as its account is owned now.
     * Messages keep their ids. Returns how many are queued.
     */
    readonly replay: (
      caller: EntitledCaller,
      endpointId: string,
      afterSeq: number
    ) => Effect.Effect<number, EndpointDisabled | Refused>
  }
>()("@loopbox/core/outgoing/EndpointDeliveries") {
  static readonly layer: Layer.Layer<
    EndpointDeliveries,
    never,
    | OutgoingEndpointStore
    | OutgoingQueue
    | WebhookSender
    | CredentialVault
    | InboxEvents
    | Workspaces
    | ConversionStore
    | OverlayStore
    | SecureRandom
  > = Layer.effect(
    EndpointDeliveries,
    Effect.suspend(() => make)
  )
}

const isId = Schema.is(OutgoingDeliveryId)

/** The example that is sent unless another is asked for. */
const usualExample: EventType = "inbox.new_item"

/** Events that are read at a time. */
const pageSize = 500

const make = Effect.gen(function* () {
  const store = yield* OutgoingEndpointStore
  const queue = yield* OutgoingQueue
  const sender = yield* WebhookSender
  const vault = yield* CredentialVault
  const events = yield* InboxEvents
  const random = yield* SecureRandom
  const { deliveriesOf } = yield* makeWriteDeliveries

  const enabledOf = Effect.fnUntraced(function* (caller: EntitledCaller, id: string) {
    const endpoint = yield* endpointOf(store, caller, id)
    if (endpoint.status === "disabled") return yield* new EndpointDisabled({ endpointId: id })
    return endpoint
  })

  const list = Effect.fn("EndpointDeliveries.list")(function* (
    caller: EntitledCaller,
    endpointId: string,
    status: Option.Option<DeliveryStatus>,
    page: PageRequest
  ) {
    const { id, workspaceId } = yield* endpointOf(store, caller, endpointId)
    return yield* store.deliveries(workspaceId, id, status, page)
  })

  const find = Effect.fn("EndpointDeliveries.find")(function* (
    caller: EntitledCaller,
    endpointId: string,
    deliveryId: string
  ) {
    const { id, url, workspaceId } = yield* endpointOf(store, caller, endpointId)
    const found = isId(deliveryId) ? yield* store.findDelivery(workspaceId, id, deliveryId) : Option.none()
    if (Option.isNone(found)) return yield* new DeliveryNotFound({ deliveryId })
    const { delivery, log } = found.value
    const at = log[log.length - 1]?.at ?? delivery.createdAt
    return { delivery, log, request: { url, headers: sender.headersOf(delivery, at), body: delivery.body } }
  })

  const example = Effect.fnUntraced(function* (endpoint: OutgoingEndpoint, type: EventType) {
    const now = yield* DateTime.now
    const id = yield* nextOutgoingDeliveryId(random)
    return {
      id,
      workspaceId: endpoint.workspaceId,
      endpointId: endpoint.id,
      messageId: id,
      eventType: type,
      eventSeq: Option.none(),
      accountId: Option.none(),
      externalUserId: Option.none(),
      body: sender.exampleOf(type, endpoint, now),
      attempts: 1,
      attemptsInSchedule: 1,
      nextAttemptAt: Option.none(),
      createdAt: now
    } satisfies Omit<OutgoingDelivery, "status">
  })

  const sendExample = Effect.fn("EndpointDeliveries.sendExample")(function* (
    caller: EntitledCaller,
    endpointId: string,
    type: Option.Option<string>
  ) {
    const endpoint = yield* endpointOf(store, caller, endpointId)
    const wanted = Option.getOrElse(type, () => usualExample)
    if (!isEventType(wanted)) {
      return yield* new EndpointInvalid({ issues: exampleFaults(wanted) })
    }
    const made = yield* example(endpoint, wanted)
    const kept = yield* store.secrets(endpoint.workspaceId, endpoint.id, made.createdAt)
    const secrets = yield* openSecrets(endpoint, kept, vault)
    const attempt = yield* sender.send({ endpoint, delivery: made, secrets, at: made.createdAt })
    const delivery: OutgoingDelivery = { ...made, status: isDelivered(attempt) ? "delivered" : "failed" }
    yield* store.addExample(delivery, attempt)
    return delivery
  })

  const redeliver = Effect.fn("EndpointDeliveries.redeliver")(function* (
    caller: EntitledCaller,
    endpointId: string,
    deliveryId: string
  ) {
    const { id, workspaceId } = yield* enabledOf(caller, endpointId)
    const now = yield* DateTime.now
    const again = isId(deliveryId) ? yield* store.redeliver(workspaceId, id, deliveryId, now) : Option.none()
    if (Option.isNone(again)) return yield* new DeliveryNotFound({ deliveryId })
    // Disabled since it was looked at: nothing of it waits.
    if (again.value.status !== "pending") return yield* new EndpointDisabled({ endpointId: id })
    return again.value
  })

  const replay = Effect.fn("EndpointDeliveries.replay")(function* (
    caller: EntitledCaller,
    endpointId: string,
    afterSeq: number
  ) {
    const endpoint = yield* enabledOf(caller, endpointId)
    const { workspaceId } = endpoint
    const { last } = yield* events.range(workspaceId)
    const listening = [{ endpoint, since: afterSeq }]
    let queued = 0
    let position = afterSeq
    while (position < last) {
      const page = yield* events.read(workspaceId, position, pageSize)
      queued += yield* queue.replay(yield* deliveriesOf(workspaceId, page, listening))
      const next = positionAfter(page, pageSize)
      if (next <= position) return queued
      position = next
    }
    return queued
  })

  return EndpointDeliveries.of({ list, find, sendExample, redeliver, replay })
})
