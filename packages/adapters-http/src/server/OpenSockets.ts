import type { Follower } from "@loopbox/core/inbox/FeedMessage"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { FollowingSocket, type SocketPool } from "./FollowingSocket.ts"
import { makeToFrame } from "./frames.ts"
import { HttpSettings } from "./HttpSettings.ts"
import type { LiveSocket } from "./LiveSocket.ts"

/** How a socket is told that it ends (api.md §4). */
export interface Closing {
  readonly code: 1012 | 4008 | 4401 | 4402 | 4403 | 4404
  readonly reason: string
}

const tooSlow: Closing = { code: 4008, reason: "too slow: go on with after" }
const restarting: Closing = { code: 1012, reason: "the service restarts: connect again" }

/** A socket that follows an inbox: it gets frames for as long as its client reads them. */
export interface OpenSocket {
  readonly follower: Follower
  /** Tells the client that this is the end, after what it got. */
  readonly close: (closing: Closing) => Effect.Effect<void>
}

const openSockets = Metric.gauge("websockets_open", { description: "WebSockets that follow an inbox" })
const closedSockets = Metric.counter("websockets_closed_total", {
  description: "WebSockets that this side closed, by code",
  incremental: true
})

/** Time that clients get to answer the closing of a stopping server. */
const farewell = "1 second"

/** Between two looks at a full queue. */
const lookEvery = Duration.millis(20)

/** Every WebSocket of this process: bounded together, and closed at the end. */
export class OpenSockets extends Context.Service<
  OpenSockets,
  {
    /** Keeps a socket until the scope closes; absent when there are too many. */
    readonly add: (live: LiveSocket) => Effect.Effect<Option.Option<OpenSocket>, never, Scope.Scope>
    readonly hasRoom: Effect.Effect<boolean>
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
  const open = new Set<FollowingSocket>()
  const patience = Duration.toNanosUnsafe(limits.patience)
  const looks = Math.max(1, Math.ceil(Duration.toMillis(limits.patience) / Duration.toMillis(lookEvery)))
  const overfull = yield* Queue.sliding<void>(1)
  let total_bytes = 0

  const close = Effect.fnUntraced(function* (socket: FollowingSocket, { code, reason }: Closing) {
    if (socket.closedAt !== undefined) return
    socket.closedAt = yield* Clock.monotonicTimeNanos
    yield* Metric.update(Metric.withAttributes(closedSockets, { code: String(code) }), 1)
    socket.live.close(code, reason)
  })

  /** Whether a full queue gets half empty in time. */
  const drains = Effect.fnUntraced(function* (socket: FollowingSocket) {
    for (let look = 0; look < looks; look++) {
      yield* Effect.sleep(lookEvery)
      if (socket.isHalfEmpty) return true
    }
    return false
  })

  const pool: SocketPool = {
    maxQueuedBytes: limits.maxQueuedBytes,
    maxQueuedFrames: limits.maxQueuedFrames,
    toFrame: makeToFrame(Duration.toSeconds(limits.heartbeat)),
    noteWaiting: (change_bytes) => {
      total_bytes += change_bytes
      if (total_bytes > limits.maxTotalBytes) Queue.offerUnsafe(overfull, undefined)
    },
    awaitRoom: Effect.fnUntraced(function* (socket: FollowingSocket) {
      if (socket.isFull && !(yield* drains(socket))) yield* close(socket, tooSlow)
      if (socket.isEnding) return yield* Effect.never
    })
  }

  /** The fullest first: told to go, and torn if they were told before and still hold their bytes. */
  const relieve = Effect.gen(function* () {
    const now = yield* Clock.monotonicTimeNanos
    const fullest = Array.from(open, (socket) => ({ socket, bytes: socket.note() })).sort((a, b) => b.bytes - a.bytes)
    let held_bytes = total_bytes
    for (const { bytes, socket } of fullest) {
      if (held_bytes <= limits.maxTotalBytes) return
      held_bytes -= bytes
      if (socket.closedAt === undefined) yield* close(socket, tooSlow)
      else if (now - socket.closedAt >= patience) socket.live.destroy()
    }
  })
  yield* Queue.take(overfull).pipe(Effect.andThen(relieve), Effect.forever, Effect.forkScoped)

  return OpenSockets.of({
    hasRoom: Effect.sync(() => open.size < limits.maxSockets),
    add: Effect.fnUntraced(function* (live: LiveSocket) {
      if (open.size >= limits.maxSockets) return Option.none()
      const socket = new FollowingSocket(live, pool)
      yield* Effect.acquireRelease(
        Effect.sync(() => open.add(socket)),
        () =>
          Effect.suspend(() => {
            open.delete(socket)
            socket.forget()
            return Metric.update(openSockets, open.size)
          })
      )
      yield* Metric.update(openSockets, open.size)
      return Option.some({ follower: socket, close: (closing: Closing) => close(socket, closing) })
    }),
    closeAll: Effect.gen(function* () {
      if (open.size === 0) return
      yield* Effect.forEach(Array.from(open), (socket) => close(socket, restarting), { discard: true })
      yield* Effect.sleep("10 millis").pipe(
        Effect.repeat({ while: () => open.size > 0 }),
        Effect.timeoutOrElse({ duration: farewell, orElse: () => Effect.void })
      )
      for (const { live } of open) live.destroy()
    })
  })
})
