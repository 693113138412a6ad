import { DateTime, Effect, Layer, Option } from "effect"
import { InboxEvents } from "../../src/feed/InboxEvents.ts"
import { SyncId, type WorkspaceId } from "../../src/kernel/Ids.ts"
import * as DeliveryWorker from "../../src/outgoing/DeliveryWorker.ts"
import { EndpointDeliveries } from "../../src/outgoing/EndpointDeliveries.ts"
import type { EndpointSettings } from "../../src/outgoing/judgeSettings.ts"
import { WebhookEndpoints } from "../../src/outgoing/WebhookEndpoints.ts"
import * as FakeWebhookSender from "@loopbox/testing/fakes/FakeWebhookSender"
import { enter, layerInboxPorts, layerInboxServices } from "@loopbox/testing/layers/inboxLayers"

/** Webhook endpoints over memory, without a worker. */
export const layerEndpoints = Layer.mergeAll(WebhookEndpoints.layer, EndpointDeliveries.layer).pipe(
  Layer.provideMerge(layerInboxServices),
  Layer.provideMerge(FakeWebhookSender.layer),
  Layer.provideMerge(layerInboxPorts)
)

export const worker = DeliveryWorker.layer({ drain: 0 })

export const makeEndpoint = Effect.fnUntraced(function* (
  workspaceId: WorkspaceId,
  settings: Partial<EndpointSettings> = {}
) {
  const caller = yield* enter(workspaceId)
  const made = yield* (yield* WebhookEndpoints).create(caller, {
    url: "https://hooks.example/in",
    events: Option.none(),
    externalUserId: Option.none(),
    description: Option.none(),
    isOrdered: false,
    ...settings
  })
  return { ...made, caller }
})

/** So many events of the workspace, of no account. */
export const happen = Effect.fnUntraced(function* (workspaceId: WorkspaceId, count = 1) {
  const event = {
    _tag: "SyncCompleted",
    externalUserId: Option.none(),
    syncId: SyncId.make("syn_00000000000000000000000000"),
    newItems: 1
  } as const
  const events = Array.from({ length: count }, () => event)
  yield* (yield* InboxEvents).publish(workspaceId, events, yield* DateTime.now)
})
