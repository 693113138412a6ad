import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import { OtherBus, type SignalBus } from "@loopbox/core/kernel/SignalBus"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { type Listener, makePgSignalBus } from "./PgSignalBus.ts"
import { pauseBetweenWords } from "./tellingPace.ts"
import { makeWriteTogether } from "./writeTogether.ts"

/** Heard when a bus is heard again: what was told meanwhile is lost, so listeners look by themselves. */
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

/** Words of media jobs in one statement. */
const wordsAtOnce = 1_000

/** How long a count of the processes that listen is taken for true, in milliseconds. */
const countHolds = 30_000

/**
 * What processes of one database tell each other: over NOTIFY and one connection that listens, or over another bus.
 *
 * With another bus the connection goes on to listen, for the words of the changes of access, which are told in their
 * transactions.
 */
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
    /** Tells a word of a media job at once; while another is told, those that come wait for it and are told together. */
    readonly tellJob: (word: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("@loopbox/adapters-postgres/connection/Signals") {}

const losses = Metric.counter("loopbox_database_listen_losses_total", {
  description: "How often the connection that listens was lost and had to be made again",
  incremental: true
})

/**
 * Words of this process that are to come back over NOTIFY: it has heard them when it told them, and what they say would be
 * looked for twice.
 */
const makeEchoes = () => {
  const expected = new Map<string, number>()
  return {
    expect: (words: ReadonlyArray<string>): void => {
      for (const word of words) expected.set(word, (expected.get(word) ?? 0) + 1)
    },
    /** Whether the word is one of them; each counts once, for another process may tell the same. */
    takes: (word: string): boolean => {
      const count = expected.get(word) ?? 0
      if (count > 1) expected.set(word, count - 1)
      else expected.delete(word)
      return count > 0
    },
    /** None comes back of what was told until now. */
    forget: (): void => expected.clear()
  }
}

/** Listens to a bus until the scope closes, again after each failure. Opens the latch when words are heard. */
const keepListening = Effect.fnUntraced(function* (
  bus: SignalBus,
  heard: PubSub.PubSub<string>,
  echoes: ReturnType<typeof makeEchoes>
) {
  const listening = yield* Latch.make()
  let isConnected = false
  const ready = Effect.gen(function* () {
    isConnected = true
    echoes.forget()
    if (listening.isOpen()) yield* PubSub.publish(heard, reconnected)
    yield* Latch.open(listening)
  })
  const word = (told: string) =>
    Effect.suspend(() => (echoes.takes(told) ? Effect.void : Effect.asVoid(PubSub.publish(heard, told))))
  const listen = bus.listen({ ready, word }).pipe(
    Effect.tapError((error) => {
      if (!isConnected) return Effect.void
      isConnected = false
      return Effect.andThen(
        Metric.update(losses, 1),
        Effect.logWarning("the signals of other processes are lost, connecting again", error)
      )
    }),
    Effect.retry(Schedule.jittered(Schedule.spaced("500 millis")))
  )
  yield* supervised("postgres.listen", listen)
  return listening
})

export const layer: Layer.Layer<Signals, never, Listener | SqlClient> = Layer.effect(
  Signals,
  Effect.gen(function* () {
    const heard = yield* PubSub.sliding<string>(kept)
    const ofDatabase = yield* makePgSignalBus
    const other = yield* OtherBus
    const bus = Option.getOrElse(other, () => ofDatabase)
    const echoes = makeEchoes()
    const latches = yield* Effect.forEach([ofDatabase, ...Option.toArray(other)], (one) =>
      keepListening(one, heard, one === bus ? echoes : makeEchoes())
    )
    const listening = Effect.forEach(latches, ({ await: opened }) => opened, { discard: true })

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
    let pause = pauseBetweenWords(1)
    let countedAt = -Infinity
    /** Not known at the moment, or not by this bus: as before. */
    const lookAround = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (bus.listeners === undefined || now - countedAt < countHolds) return
      countedAt = now
      pause = pauseBetweenWords(yield* bus.listeners)
    })
    const tellNext = Queue.take(wake).pipe(
      Effect.andThen(
        Effect.suspend(() => {
          const payloads = takePayloads()
          // Another bus may bring a process its own words or not; NOTIFY does.
          if (Option.isNone(other) && latches.every((latch) => latch.isOpen())) echoes.expect(payloads)
          return Effect.tapError(bus.tell(payloads), () => Effect.sync(echoes.forget))
        })
      ),
      Effect.andThen(lookAround),
      // Whoever waits looks by itself every few seconds.
      Effect.catchTag("StoreUnavailable", (error) => Effect.logDebug("a signal was not told", error)),
      Effect.andThen(Effect.suspend(() => Effect.sleep(pause)))
    )
    yield* supervised("postgres.signals", tellNext)
    /** This process hears at once, and need not wait for its own word to come back. */
    const tell = (payload: string, note: () => unknown) =>
      Effect.suspend(() => {
        note()
        return Effect.andThen(PubSub.publish(heard, payload), Effect.asVoid(Queue.offer(wake, undefined)))
      })

    const tellTogether = makeWriteTogether<string, undefined, StoreUnavailable>(
      (_bus, told) =>
        Effect.as(
          bus.tell(Array.from(new Set(told))),
          told.map(() => undefined)
        ),
      wordsAtOnce
    )

    return Signals.of({
      heard: Stream.unwrap(
        Effect.map(PubSub.subscribe(heard), (subscription) => Stream.fromSubscription(subscription))
      ).pipe((signals) => Stream.unwrap(Effect.as(listening, signals))),
      tellChanged: (workspaceId) => tell(inboxChanged + workspaceId, () => changed.add(workspaceId)),
      tellArrived: tell(webhookArrived, () => words.add(webhookArrived)),
      tellRequested: tell(syncRequested, () => words.add(syncRequested)),
      tellReplyWaits: tell(replyWaits, () => words.add(replyWaits)),
      tellPostWaits: tell(postWaits, () => words.add(postWaits)),
      tellDeliveriesWait: tell(deliveriesWait, () => words.add(deliveriesWait)),
      tellJob: (word) => Effect.asVoid(tellTogether("jobs", [word]))
    })
  })
)
