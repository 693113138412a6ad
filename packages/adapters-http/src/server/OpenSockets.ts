import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { HttpSettings } from "./HttpSettings.ts"
import type { Outbox } from "./Outbox.ts"

/** How a socket is told that it ends (api.md §4). */
export interface Closing {
  readonly code: 1012 | 4008 | 4401 | 4402 | 4403 | 4404
  readonly reason: string
}

export const tooSlow: Closing = { code: 4008, reason: "too slow: go on with after" }
const restarting: Closing = { code: 1012, reason: "the service restarts: connect again" }

/** A socket that follows an inbox. */
export interface OpenSocket {
  readonly workspaceId: WorkspaceId
  readonly outbox: Outbox
  /** What it may see, judged as at the handshake; how it ends, if it may no longer. */
  readonly judge: Effect.Effect<Option.Option<Closing>>
  /** Sends what it got and the code; nothing follows. */
  readonly close: (closing: Closing) => Effect.Effect<void>
}

interface Entry extends OpenSocket {
  judgedAt_ms: number
  /** Bytes that were waiting when it was last looked at. */
  noted: number
  closedAt_ms: number | undefined
}

const openSockets = Metric.gauge("websockets_open", { description: "WebSockets that follow an inbox" })
const closedSockets = Metric.counter("websockets_closed_total", {
  description: "WebSockets that this side closed, by code",
  incremental: true
})

/** Sockets that are judged at once. */
const judgedAtOnce = 16

/** Time that clients get to answer the closing of a stopping server. */
const farewell = "1 second"

/** Every WebSocket of this process: judged again and again, bounded together, closed at the end. */
export class OpenSockets extends Context.Service<
  OpenSockets,
  {
    /** Keeps a socket until the scope closes; absent when there are too many. */
    readonly add: (socket: OpenSocket) => Effect.Effect<Option.Option<Entry>, never, Scope.Scope>
    readonly hasRoom: Effect.Effect<boolean>
    /** To be called after each write: closes the fullest if all together hold too much. */
    readonly wrote: (entry: Entry) => Effect.Effect<void>
    readonly close: (entry: Entry, closing: Closing) => Effect.Effect<void>
    /** Something changed in a workspace that may end its sockets: they are judged now, by themselves. */
    readonly judgeNow: (workspaceId: string) => Effect.Effect<void>
    /** Tells all of them that the service restarts, and waits a moment for their answers. */
    readonly closeAll: Effect.Effect<void>
  }
>()("@loopbox/adapters-http/server/OpenSockets") {
  static readonly layer: Layer.Layer<OpenSockets, never, HttpSettings> = Layer.effect(
    OpenSockets,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const { sockets: limits } = yield* HttpSettings
  const scope = yield* Effect.scope
  const entries = new Set<Entry>()
  const judgeEvery_ms = Duration.toMillis(limits.judgeEvery)
  const patience_ms = Duration.toMillis(limits.patience)
  let total = 0

  const close = Effect.fnUntraced(function* (entry: Entry, closing: Closing) {
    if (entry.closedAt_ms !== undefined) return
    entry.closedAt_ms = yield* Clock.currentTimeMillis
    yield* Metric.update(Metric.withAttributes(closedSockets, { code: String(closing.code) }), 1)
    yield* entry.close(closing)
  })

  const note = (entry: Entry) => {
    const { bytes } = entry.outbox
    total += bytes - entry.noted
    entry.noted = bytes
  }

  /** The fullest first: told to go, and torn if they were told before and still hold their bytes. */
  const relieve = Effect.fnUntraced(function* () {
    const now_ms = yield* Clock.currentTimeMillis
    for (const entry of entries) note(entry)
    let held = total
    for (const entry of [...entries].sort((a, b) => b.noted - a.noted)) {
      if (held <= limits.maxTotalBytes) return
      held -= entry.noted
      if (entry.closedAt_ms === undefined) yield* close(entry, tooSlow)
      else if (now_ms - entry.closedAt_ms >= patience_ms) entry.outbox.destroy()
    }
  })

  const judge = Effect.fnUntraced(function* (entry: Entry) {
    entry.judgedAt_ms = yield* Clock.currentTimeMillis
    const closing = yield* entry.judge
    if (Option.isSome(closing)) yield* close(entry, closing.value)
  })
  const judgeAll = (chosen: ReadonlyArray<Entry>) =>
    Effect.forEach(chosen, judge, { concurrency: judgedAtOnce, discard: true })

  yield* Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) =>
      judgeAll([...entries].filter(({ judgedAt_ms }) => Math.abs(now - judgedAt_ms) >= judgeEvery_ms))
    ),
    Effect.catchDefect((defect) => Effect.logError("judging sockets died", defect)),
    Effect.repeat(Schedule.spaced(Duration.min(limits.judgeEvery, Duration.seconds(2)))),
    Effect.forkScoped
  )

  return OpenSockets.of({
    hasRoom: Effect.sync(() => entries.size < limits.maxSockets),
    add: Effect.fnUntraced(function* (socket: OpenSocket) {
      if (entries.size >= limits.maxSockets) return Option.none<Entry>()
      const judgedAt_ms = yield* Clock.currentTimeMillis
      const entry: Entry = { ...socket, judgedAt_ms, noted: 0, closedAt_ms: undefined }
      yield* Effect.acquireRelease(
        Effect.sync(() => entries.add(entry)),
        () =>
          Effect.suspend(() => {
            entries.delete(entry)
            total -= entry.noted
            return Metric.update(openSockets, entries.size)
          })
      )
      yield* Metric.update(openSockets, entries.size)
      return Option.some(entry)
    }),
    wrote: (entry) =>
      Effect.suspend(() => {
        note(entry)
        return total > limits.maxTotalBytes ? relieve() : Effect.void
      }),
    close,
    judgeNow: (workspaceId) =>
      Effect.suspend(() => judgeAll([...entries].filter((entry) => entry.workspaceId === workspaceId))).pipe(
        Effect.forkIn(scope),
        Effect.asVoid
      ),
    closeAll: Effect.gen(function* () {
      if (entries.size === 0) return
      yield* Effect.forEach([...entries], (entry) => close(entry, restarting), { discard: true })
      yield* Effect.sleep("10 millis").pipe(
        Effect.repeat({ while: () => entries.size > 0 }),
        Effect.timeoutOrElse({ duration: farewell, orElse: () => Effect.void })
      )
      for (const { outbox } of entries) outbox.destroy()
    })
  })
})
