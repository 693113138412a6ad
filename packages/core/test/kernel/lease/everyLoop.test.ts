import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Erasures } from "../../../src/accounts/Erasures.ts"
import { JobSignals } from "../../../src/jobs/JobSignals.ts"
import { ConversionStore } from "../../../src/conversions/ConversionStore.ts"
import * as ConversionWorker from "../../../src/conversions/ConversionWorker.ts"
import * as AccountChecks from "../../../src/health/AccountChecks.ts"
import { AccountHealthStore } from "../../../src/health/AccountHealthStore.ts"
import { AuthorProfiles } from "../../../src/inbox/AuthorProfiles.ts"
import { UnreadCounters } from "../../../src/inbox/UnreadCounters.ts"
import * as ProfileWorker from "../../../src/inbox/ProfileWorker.ts"
import type { LoopName } from "../../../src/kernel/lease/LoopName.ts"
import { faults } from "../../../src/kernel/lease/supervised.ts"
import { OutboundStore } from "../../../src/outbound/OutboundStore.ts"
import * as DeliveryWorker from "../../../src/outgoing/DeliveryWorker.ts"
import { OutgoingQueue } from "../../../src/outgoing/OutgoingQueue.ts"
import { OverlayStore } from "../../../src/overlays/OverlayStore.ts"
import * as OverlayWorker from "../../../src/overlays/OverlayWorker.ts"
import { PostStore } from "../../../src/posts/PostStore.ts"
import * as PublishWorker from "../../../src/publishing/PublishWorker.ts"
import * as SyncWorker from "../../../src/polling/SyncWorker.ts"
import * as ReplyWorker from "../../../src/replies/ReplyWorker.ts"
import { RetentionStore } from "../../../src/retention/RetentionStore.ts"
import * as RetentionSweeper from "../../../src/retention/RetentionSweeper.ts"
import * as InboxSweeper from "../../../src/sweeping/InboxSweeper.ts"
import { PollStore } from "../../../src/sync/PollStore.ts"
import * as ThreadKeeper from "../../../src/threads/ThreadKeeper.ts"
import { ThreadStore } from "../../../src/threads/ThreadStore.ts"
import { WebhookDeliveries } from "../../../src/webhooks/WebhookDeliveries.ts"
import * as WebhookWorker from "../../../src/webhooks/WebhookWorker.ts"
import * as FakeEncoder from "@loopbox/testing/fakes/FakeEncoder"
import * as FakeWebhookSender from "@loopbox/testing/fakes/FakeWebhookSender"
import * as FakeOverlayEncoder from "@loopbox/testing/fakes/FakeOverlayEncoder"
import { layerInboxPorts, layerInboxServices } from "@loopbox/testing/layers/inboxLayers"

const elsewhere = "no port of core's to break; supervised.test.ts holds for what it calls"

/** Every loop of the program: whether it meets a defect here. A new name does not compile until it is in this table. */
const loops: Readonly<Record<LoopName, true | string>> = {
  "accounts.check": true,
  "console.activity": elsewhere,
  "conversions.claim": true,
  "conversions.wakeUps": true,
  "endpoints.changes": "packages/core/test/outgoing",
  "endpoints.claim": true,
  "endpoints.deadlines": elsewhere,
  "endpoints.pools": elsewhere,
  "endpoints.wakeUps": true,
  "endpoints.write": true,
  "feed.changes": "packages/core/test/feed",
  "feed.channel": "packages/core/test/feed",
  "feed.followers": elsewhere,
  "feed.poll": "packages/core/test/feed",
  "ffmpeg.progress": elsewhere,
  "ffmpeg.scratch": elsewhere,
  gauges: elsewhere,
  "inbox.counters": true,
  "inbox.sweep": true,
  "media.sweep": true,
  "overlays.claim": true,
  "overlays.wakeUps": true,
  "postgres.clock": elsewhere,
  "postgres.listen": elsewhere,
  "postgres.log": elsewhere,
  "postgres.nodes": elsewhere,
  "postgres.primary": elsewhere,
  "postgres.signals": elsewhere,
  "posts.claim": true,
  "posts.wakeUps": true,
  "process.gauges": elsewhere,
  "profiles.claim": true,
  "replies.claim": true,
  "replies.results": elsewhere,
  "replies.wakeUps": true,
  "sandbox.life": elsewhere,
  "sockets.changes": elsewhere,
  "sockets.ended": elsewhere,
  "sockets.judge": elsewhere,
  "sockets.judgeDue": elsewhere,
  "sockets.memory": elsewhere,
  "sync.claim": true,
  "sync.results": elsewhere,
  "sync.wakeUps": true,
  "threads.keep": true,
  "webhooks.claim": true,
  "webhooks.wakeUps": true
}

const bug = () => Effect.die(new Error("a row that nobody can read"))
const broken = Stream.die(new Error("broken"))

/** All workers, over stores that die of whatever a loop asks them. */
const workers = Layer.mergeAll(
  AccountChecks.layer(),
  ConversionWorker.layer({ drain: 0 }),
  DeliveryWorker.layer({ drain: 0 }),
  InboxSweeper.layer({ every: "1 minute" }),
  OverlayWorker.layer({ drain: 0 }),
  ProfileWorker.layer(),
  PublishWorker.layer(),
  ReplyWorker.layer(),
  RetentionSweeper.layer({ every: "1 minute" }),
  SyncWorker.layer(),
  ThreadKeeper.layer(),
  WebhookWorker.layer()
).pipe(
  Layer.updateService(AccountHealthStore, (store) => AccountHealthStore.of({ ...store, claim: bug })),
  Layer.updateService(AuthorProfiles, (store) => AuthorProfiles.of({ ...store, claim: bug })),
  Layer.updateService(JobSignals, (signals) => JobSignals.of({ ...signals, signals: broken })),
  Layer.updateService(ConversionStore, (store) => ConversionStore.of({ ...store, claim: bug })),
  Layer.updateService(Erasures, (store) => Erasures.of({ ...store, list: bug })),
  Layer.updateService(UnreadCounters, (store) => UnreadCounters.of({ ...store, compareDue: bug })),
  Layer.updateService(OutboundStore, (store) => OutboundStore.of({ ...store, claim: bug, wakeUps: broken })),
  Layer.updateService(OutgoingQueue, (store) =>
    OutgoingQueue.of({ ...store, claim: bug, lagging: bug, additions: broken })
  ),
  Layer.updateService(OverlayStore, (store) => OverlayStore.of({ ...store, claim: bug })),
  Layer.updateService(PostStore, (store) => PostStore.of({ ...store, claim: bug, wakeUps: broken })),
  Layer.updateService(RetentionStore, (store) => RetentionStore.of({ ...store, expire: bug })),
  Layer.updateService(ThreadStore, (store) => ThreadStore.of({ ...store, wakeDue: bug })),
  Layer.updateService(PollStore, (store) => PollStore.of({ ...store, claim: bug, requests: broken })),
  Layer.updateService(WebhookDeliveries, (store) => WebhookDeliveries.of({ ...store, claim: bug, arrivals: broken })),
  Layer.provide([layerInboxServices, FakeEncoder.layer(), FakeOverlayEncoder.layer(), FakeWebhookSender.layer]),
  Layer.provide(layerInboxPorts)
)

const defects = (loop: string) =>
  Effect.map(Metric.value(Metric.withAttributes(faults, { loop, kind: "defect" })), ({ count }) => Number(count))

describe("every loop of core's workers", () => {
  it.effect("continues after a defect, and survives the next one (core 1)", () =>
    Effect.gen(function* () {
      const names = Object.entries(loops).flatMap(([name, how]) => (how === true ? [name] : []))
      const before = yield* Effect.forEach(names, defects)
      yield* Layer.build(workers)
      yield* TestClock.adjust("10 minutes")
      const after = yield* Effect.forEach(names, defects)
      const silent = names.filter((_, n) => (after[n] ?? 0) - (before[n] ?? 0) < 2)
      assert.deepStrictEqual(silent, [])
    })
  )
})
