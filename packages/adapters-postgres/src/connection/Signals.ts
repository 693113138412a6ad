import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import type { Primary } from "./Primary.ts"
import type { Target } from "./Target.ts"

/** One channel for all that this product tells: each LISTEN costs a connection. */
export const channel = "loopbox"

/** Heard when the connection is back: what was told meanwhile is lost, so listeners look by themselves. */
export const reconnected = "reconnected"

export const inboxChanged = "inbox.changed "
export const webhookArrived = "webhook.arrived"
export const syncRequested = "sync.requested"
export const replyWaits = "reply.waits"
export const postWaits = "post.waits"
export const deliveriesWait = "deliveries.wait"
export const accessChanged = "access.changed "

/** Signals that a slow subscriber may have waiting; older ones are dropped, for nothing depends on them. */
const kept = 1_024

/** Workspaces in one payload; PostgreSQL takes up to 8,000 bytes. */
const idsAtOnce = 200

/** Between two words about changes, whatever there is to tell (design §4). */
const tellEvery = "20 millis"

/** Where and how the connection that listens is made. */
export class Listener extends Context.Service<
  Listener,
  { readonly primary: Primary; readonly session: Omit<PgConnection.Config, keyof Target> }
>()("@loopbox/adapters-postgres/internal/Listener") {}

/** What processes of one database tell each other, over NOTIFY and one connection that listens. */
export class Signals extends Context.Service<
  Signals,
  {
    /** What is heard from now on; begins when the connection listens. */
    readonly heard: Stream.Stream<string>
    /** Collects, to be told soon: NOTIFY in a transaction would make all commits queue behind one lock. */
    readonly tellChanged: (workspaceId: WorkspaceId) => Effect.Effect<void>
    readonly tellArrived: Effect.Effect<void>
    readonly tellRequested: Effect.Effect<void>
    readonly tellReplyWaits: Effect.Effect<void>
    readonly tellPostWaits: Effect.Effect<void>
    readonly tellDeliveriesWait: Effect.Effect<void>
  }
>()("@loopbox/adapters-postgres/connection/Signals") {}

const losses = Metric.counter("loopbox_database_listen_losses_total", {
  description: "How often the connection that listens was lost and had to be made again",
  incremental: true
})

const makeListen = Effect.fnUntraced(function* (heard: PubSub.PubSub<string>, listening: Latch.Latch) {
  const { primary, session } = yield* Listener
  let isConnected = false
  const listen = Effect.gen(function* () {
    const target = yield* primary.current
    const connection = yield* PgConnection.make({ ...session, ...target })
    const notifications = yield* connection.listen(channel)
    isConnected = true
    if (listening.isOpen()) yield* PubSub.publish(heard, reconnected)
    yield* Latch.open(listening)
    const publishing = Queue.take(notifications).pipe(
      Effect.flatMap(({ payload }) => PubSub.publish(heard, payload)),
      Effect.forever
    )
    // A server that is gone without a word closes no connection; the loop connects to the one that took its place.
    return yield* Effect.raceFirst(publishing, primary.replaced(target))
  }).pipe(Effect.scoped)
  return listen.pipe(
    Effect.tapError((error) => {
      if (!isConnected) return Effect.void
      isConnected = false
      return Effect.andThen(
        Metric.update(losses, 1),
        Effect.logWarning("the database's signals are lost, connecting again", error.message)
      )
    }),
    Effect.retry(Schedule.jittered(Schedule.spaced("500 millis"))),
    // The schedule has no end.
    Effect.orDie
  )
})

export const layer: Layer.Layer<Signals, never, Listener | SqlClient> = Layer.effect(
  Signals,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const heard = yield* PubSub.sliding<string>(kept)
    const listening = yield* Latch.make()
    yield* supervised("postgres.listen", yield* makeListen(heard, listening))

    const changed = new Set<WorkspaceId>()
    /** Words that say nothing but that there is something to do; each once. */
    const words = new Set<string>()
    const wake = yield* Queue.sliding<void>(1)

    const takePayloads = (): ReadonlyArray<string> => {
      const ids = Array.from(changed)
      const payloads = Array.from(
        { length: Math.ceil(ids.length / idsAtOnce) },
        (_, i) => inboxChanged + ids.slice(i * idsAtOnce, (i + 1) * idsAtOnce).join(" ")
      )
      payloads.push(...words)
      changed.clear()
      words.clear()
      return payloads
    }
    const tellNext = Queue.take(wake).pipe(
      Effect.andThen(
        Effect.suspend(() => sql`SELECT pg_notify(${channel}, p) FROM unnest(${takePayloads()}::text[]) p`)
      ),
      // Whoever waits looks by itself every few seconds.
      Effect.catchTag("SqlError", (error) => Effect.logDebug("a signal was not told", error))
    )
    yield* supervised("postgres.signals", tellNext, { every: tellEvery })
    /** This process hears at once, and need not wait for its own word to come back. */
    const tell = (payload: string, note: () => unknown) =>
      Effect.suspend(() => {
        note()
        return Effect.andThen(PubSub.publish(heard, payload), Effect.asVoid(Queue.offer(wake, undefined)))
      })

    return Signals.of({
      heard: Stream.unwrap(
        Effect.map(PubSub.subscribe(heard), (subscription) => Stream.fromSubscription(subscription))
      ).pipe((signals) => Stream.unwrap(Effect.as(listening.await, signals))),
      tellChanged: (workspaceId) => tell(inboxChanged + workspaceId, () => changed.add(workspaceId)),
      tellArrived: tell(webhookArrived, () => words.add(webhookArrived)),
      tellRequested: tell(syncRequested, () => words.add(syncRequested)),
      tellReplyWaits: tell(replyWaits, () => words.add(replyWaits)),
      tellPostWaits: tell(postWaits, () => words.add(postWaits)),
      tellDeliveriesWait: tell(deliveriesWait, () => words.add(deliveriesWait))
    })
  })
)
