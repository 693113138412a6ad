import { type Gauges, oldestErasure, sharedGauges } from "@loopbox/adapters-postgres"
import { revivableFor } from "@loopbox/core/access/AccountAdministration"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import { SweepTurns } from "@loopbox/core/kernel/lease/SweepTurns"
import { openStatuses } from "@loopbox/core/outbound/OutboundOperation"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { OverlayStore } from "@loopbox/core/overlays/OverlayStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { openStatuses as openTargetStatuses } from "@loopbox/core/posts/PostTarget"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"

const openReplies = Metric.gauge("loopbox_replies_open", {
  description: "Replies whose operation has not ended, by its status"
})

const openTargets = Metric.gauge("loopbox_post_targets_open", {
  description: "Targets of posts that have begun or are due and have not ended, by their status"
})

const swept = Metric.gauge("loopbox_swept_timestamp_seconds", {
  description: "When a sweep began last that came to its end, in seconds since 1970; 0 if none ever has"
})

/** What an alarm watches; the orphans are a part of the media. */
const sweeps = ["inbox", "media"] as const

/** By the name under which one process stores them for all. */
const gauges: Readonly<Record<string, Metric.Metric<number, unknown>>> = {
  conversions_queued: Metric.gauge("loopbox_conversions_queued", {
    description: "Conversion jobs that wait for a worker"
  }),
  conversions_processing: Metric.gauge("loopbox_conversions_processing", {
    description: "Conversion jobs that a worker has"
  }),
  conversions_oldest_queued_seconds: Metric.gauge("loopbox_conversions_oldest_queued_seconds", {
    description: "Seconds that the oldest queued conversion job has waited"
  }),
  overlays_queued: Metric.gauge("loopbox_overlays_queued", {
    description: "Audio overlays that wait for a worker"
  }),
  overlays_processing: Metric.gauge("loopbox_overlays_processing", {
    description: "Audio overlays that a worker has"
  }),
  overlays_oldest_queued_seconds: Metric.gauge("loopbox_overlays_oldest_queued_seconds", {
    description: "Seconds that the oldest queued audio overlay has waited"
  }),
  deliveries_pending: Metric.gauge("loopbox_webhook_deliveries_pending", {
    description: "Webhook deliveries that are not ingested yet"
  }),
  deliveries_oldest_seconds: Metric.gauge("loopbox_webhook_deliveries_oldest_pending_seconds", {
    description: "Seconds since the oldest webhook delivery that is not ingested yet came"
  }),
  deliveries_failed: Metric.gauge("loopbox_webhook_deliveries_failed", {
    description: "Webhook deliveries that could not be ingested whole and are kept for a replay"
  }),
  posts_oldest_due_seconds: Metric.gauge("loopbox_posts_oldest_due_seconds", {
    description: "Seconds since the oldest target of a post that has not begun was due"
  }),
  erasures_pending: Metric.gauge("loopbox_erasures_pending", {
    description: "Erasures of accounts, users and workspaces that are due or not finished; 1,000 at most"
  }),
  erasures_oldest_pending_seconds: Metric.gauge("loopbox_erasures_oldest_pending_seconds", {
    description: "Seconds that the oldest erasure that is not finished has been due"
  }),
  ...Object.fromEntries(sweeps.map((sweep) => [`swept_${sweep}`, Metric.withAttributes(swept, { sweep })])),
  ...Object.fromEntries(
    openStatuses.map((status) => [`replies_${status}`, Metric.withAttributes(openReplies, { status })])
  ),
  ...Object.fromEntries(
    openTargetStatuses.map((status) => [`post_targets_${status}`, Metric.withAttributes(openTargets, { status })])
  )
}

/** Erasures that are counted: more is a backlog, however large. */
const erasuresAtMost = 1_000

const secondsSince = (moment: Option.Option<DateTime.Utc>, now: DateTime.Utc): number =>
  Option.match(moment, {
    onNone: () => 0,
    onSome: (at) => Math.max(0, (now.epochMilliseconds - at.epochMilliseconds) / 1000)
  })

const measure = Effect.gen(function* () {
  const jobs = yield* Effect.flatMap(ConversionStore, (store) => store.depth)
  const overlays = yield* Effect.flatMap(OverlayStore, (store) => store.depth)
  const webhooks = yield* Effect.flatMap(WebhookDeliveries, (deliveries) => deliveries.depth)
  const replies = yield* Effect.flatMap(OutboundStore, (store) => store.depth)
  const now = yield* DateTime.now
  const targets = yield* Effect.flatMap(PostStore, (store) => store.depth)
  const erasures = yield* Effect.flatMap(Erasures, (all) =>
    all.list(DateTime.subtractDuration(now, revivableFor), erasuresAtMost)
  )
  const sweptAt = yield* Effect.flatMap(SweepTurns, ({ last }) => last)
  const measured: Gauges = {
    conversions_queued: jobs.counts.queued,
    conversions_processing: jobs.counts.processing,
    conversions_oldest_queued_seconds: secondsSince(jobs.oldestAt, now),
    overlays_queued: overlays.counts.queued,
    overlays_processing: overlays.counts.processing,
    overlays_oldest_queued_seconds: secondsSince(overlays.oldestAt, now),
    deliveries_pending: webhooks.counts.pending,
    deliveries_oldest_seconds: secondsSince(webhooks.oldestAt, now),
    deliveries_failed: webhooks.counts.failed,
    posts_oldest_due_seconds: secondsSince(targets.oldestAt, now),
    erasures_pending: erasures.length,
    erasures_oldest_pending_seconds: secondsSince(yield* oldestErasure(now, Duration.toMillis(revivableFor)), now),
    ...Object.fromEntries(
      sweeps.map((sweep) => [`swept_${sweep}`, Math.floor((sweptAt.get(sweep)?.epochMilliseconds ?? 0) / 1000)])
    ),
    ...Object.fromEntries(openStatuses.map((status) => [`replies_${status}`, replies.counts[status]])),
    ...Object.fromEntries(openTargetStatuses.map((status) => [`post_targets_${status}`, targets.counts[status]]))
  }
  return measured
})

/** How often the database is asked, by one process of all. */
const measureEvery = Duration.seconds(5)

/** Tells the figures of the queues, which are the same in every process. */
export const tellQueues = Effect.gen(function* () {
  const measured = yield* sharedGauges(measure, measureEvery)
  for (const [name, value] of Object.entries(Option.getOrElse(measured, (): Gauges => ({})))) {
    const gauge = gauges[name]
    // A newer version may measure more.
    if (gauge !== undefined) yield* Metric.update(gauge, value)
  }
})

/** Keeps the gauges of the queues fresh. */
export const layerQueueGauges: Layer.Layer<
  never,
  never,
  ConversionStore | OverlayStore | WebhookDeliveries | OutboundStore | PostStore | Erasures | SqlClient
> = Layer.effectDiscard(
  supervised(
    "gauges",
    Effect.catchTag(tellQueues, "StoreUnavailable", (error) =>
      Effect.logDebug("the queues cannot be measured now", error)
    ),
    { every: measureEvery }
  )
)
