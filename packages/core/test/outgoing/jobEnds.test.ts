import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { canceledFailure } from "../../src/conversions/failures.ts"
import { ConversionStore } from "../../src/conversions/ConversionStore.ts"
import { InboxEvents } from "../../src/feed/InboxEvents.ts"
import { EventFeed } from "../../src/feed/EventFeed.ts"
import { SyncId } from "../../src/kernel/Ids.ts"
import * as DeliveryWorker from "../../src/outgoing/DeliveryWorker.ts"
import { EndpointDeliveries } from "../../src/outgoing/EndpointDeliveries.ts"
import { Receivers } from "@loopbox/testing/fakes/FakeWebhookSender"
import { makeWorkspace, submitGif } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, enter, layerInbox } from "@loopbox/testing/layers/inboxLayers"
import { makeEndpoint } from "./endpointFixtures.ts"

const ended = "media.gif_conversion_ended"

describe("the end of a media job (api-2.md §15)", () => {
  it.effect("comes once to the endpoints that name its type, by no wildcard and to no managed user's", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("team")
      yield* connectAccount(workspace.id, { externalUserId: Option.some("u1") })
      const { endpoint: naming } = yield* makeEndpoint(workspace.id, { events: Option.some([ended]) })
      const { endpoint: ordered } = yield* makeEndpoint(workspace.id, { events: Option.some([ended]), isOrdered: true })
      yield* makeEndpoint(workspace.id, {})
      yield* makeEndpoint(workspace.id, { events: Option.some(["media.*", "media.audio_overlay_ended"]) })
      yield* makeEndpoint(workspace.id, { events: Option.some([ended]), externalUserId: Option.some("u1") })
      yield* Layer.build(DeliveryWorker.layer({ drain: 0 }))
      const { job } = yield* submitGif(workspace)
      yield* TestClock.adjust("1 second")
      const { sent } = yield* Receivers
      assert.deepStrictEqual(sent, [])
      yield* (yield* ConversionStore).cancel(workspace.id, job.id, canceledFailure, yield* DateTime.now)
      yield* TestClock.adjust("1 second")
      const body = JSON.stringify({ type: "gif_to_mp4", data: { seq: 1, job: job.id } })
      assert.deepStrictEqual(
        new Map(sent.map((one) => [one.endpointId, [one.messageId, one.body]])),
        new Map([naming, ordered].map(({ id }) => [id, [`${id}.1`, body]]))
      )
      assert.strictEqual(sent.length, 2)
      assert.strictEqual(yield* (yield* EndpointDeliveries).replay(yield* enter(workspace.id), naming.id, 0), 1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(sent[2]?.messageId, `${naming.id}.1`)
    }).pipe(Effect.scoped, Effect.provide(layerInbox))
  )

  it.effect("is passed over on a socket: what follows comes with its own number, live and in a replay", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("team")
      yield* makeEndpoint(workspace.id, { events: Option.some([ended]) })
      const caller = yield* enter(workspace.id)
      const feed = yield* EventFeed
      const live = yield* feed.subscribe(caller, Option.none())
      const { job } = yield* submitGif(workspace)
      yield* (yield* ConversionStore).cancel(workspace.id, job.id, canceledFailure, yield* DateTime.now)
      const syncId = SyncId.make("syn_00000000000000000000000000")
      const done = { _tag: "SyncCompleted", externalUserId: Option.none(), syncId, newItems: 0 } as const
      yield* (yield* InboxEvents).publish(workspace.id, [done], yield* DateTime.now)
      const replayed = yield* feed.subscribe(caller, Option.some(0))
      const told = (stream: typeof live) =>
        Effect.map(Stream.runCollect(Stream.take(stream, 2)), (messages) =>
          messages.map((message) => (message._tag === "Delivered" ? [message.event.seq, message.event.event._tag] : []))
        )
      assert.deepStrictEqual(yield* told(live), [[], [2, "SyncCompleted"]])
      assert.deepStrictEqual(yield* told(replayed), [[], [2, "SyncCompleted"]])
    }).pipe(Effect.scoped, Effect.provide(layerInbox))
  )
})
