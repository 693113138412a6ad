import type { Follower } from "@loopbox/core/feed/FeedMessage"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import type { Closing } from "./Closing.ts"
import { Counts } from "./Counts.ts"
import { FollowingSocket, type SocketPool } from "./FollowingSocket.ts"
import { completeEvent } from "../compatibility/unipostAnswers.ts"
import { makeToFrame } from "./frames.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import type { LiveSocket } from "./LiveSocket.ts"

const tooSlow: Closing = { code: 4008, reason: "too slow: go on with after" }
const failed: Closing = { code: 1011, reason: "something went wrong on our side" }
const restarting: Closing = { code: 1012, reason: "the service restarts: connect again" }

/** Whose a socket is: bounds hold for each of them. */
export interface SocketOwner {
  readonly workspaceId: string
  /** The key, or the user. */
  readonly callerId: string
}

/** What has too many sockets already. */
export type Crowded = "process" | "workspace" | "caller"

/** A socket that follows an inbox: it gets frames for as long as its client reads them. */
export interface OpenSocket extends Follower {
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

/** Between two closings of a stopping server, where there is time: 200 clients a second come back elsewhere. */
const eachCloses_ms = 5
/** Those of so long are closed together. */
const closesEvery_ms = 50

/** Between two looks at a full queue. */
const lookEvery = Duration.millis(20)

/** Every WebSocket of this process: bounded together, and closed at the end. */
export class OpenSockets extends Context.Service<
  OpenSockets,
  {
    /** Keeps a socket until its connection ends, and then closes the scope; absent when there are too many. */
    readonly add: (
      live: LiveSocket,
      owner: SocketOwner,
      scope: Scope.Closeable
    ) => Effect.Effect<Option.Option<OpenSocket>>
    readonly findCrowd: (owner: SocketOwner) => Effect.Effect<Option.Option<Crowded>>
    /**
     * Tells them that the service restarts, a few at a time so that they do not all come back in one moment, and waits a
     * moment for their answers.
     */
    readonly closeAll: Effect.Effect<void>
  }
>()("@loopbox/adapters-http/server/sockets/OpenSockets") {
  static readonly layer: Layer.Layer<OpenSockets, never, HttpSettings> = Layer.effect(
    OpenSockets,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const { compatibility, sockets: limits } = yield* HttpSettings
  const open = new Set<FollowingSocket>()
  const byWorkspace = new Counts()
  const byCaller = new Counts()
  const crowdOf = ({ callerId, workspaceId }: SocketOwner): Crowded | undefined => {
    if (open.size >= limits.maxSockets) return "process"
    if (byWorkspace.of(workspaceId) >= limits.maxPerWorkspace) return "workspace"
    return byCaller.of(callerId) >= limits.maxPerCaller ? "caller" : undefined
  }
  const patience = Duration.toNanosUnsafe(limits.patience)
  const looks = Math.max(1, Math.ceil(Duration.toMillis(limits.patience) / Duration.toMillis(lookEvery)))
  const overfull = yield* Queue.sliding<void>(1)
  const ended = yield* Queue.unbounded<FollowingSocket>()
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
    toFrame: makeToFrame(
      Duration.toSeconds(limits.heartbeat),
      Option.isSome(compatibility) ? completeEvent : (event) => event
    ),
    noteWaiting: (change_bytes) => {
      total_bytes += change_bytes
      if (total_bytes > limits.maxTotalBytes) Queue.offerUnsafe(overfull, undefined)
    },
    awaitRoom: Effect.fnUntraced(function* (socket: FollowingSocket) {
      if (socket.isFull && !(yield* drains(socket))) yield* close(socket, tooSlow)
      if (socket.isEnding) return yield* Effect.never
    }),
    failed: (socket, cause) =>
      Effect.andThen(
        Effect.annotateLogs(Effect.logError("following an inbox died", cause), {
          workspace_id: socket.ofWorkspace.name
        }),
        close(socket, failed)
      ),
    close
  }

  const end = Effect.fnUntraced(function* (socket: FollowingSocket) {
    open.delete(socket)
    byWorkspace.remove(socket.ofWorkspace)
    byCaller.remove(socket.ofCaller)
    socket.forget()
    yield* Metric.update(openSockets, open.size)
    yield* Scope.close(socket.scope, Exit.void)
  })
  yield* supervised("sockets.ended", Effect.flatMap(Queue.take(ended), end))

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
  yield* supervised("sockets.memory", Effect.andThen(Queue.take(overfull), relieve))

  return OpenSockets.of({
    findCrowd: (owner) => Effect.sync(() => Option.fromUndefinedOr(crowdOf(owner))),
    add: Effect.fnUntraced(function* (live: LiveSocket, owner: SocketOwner, scope: Scope.Closeable) {
      if (crowdOf(owner) !== undefined) return Option.none()
      const counts = { ofWorkspace: byWorkspace.add(owner.workspaceId), ofCaller: byCaller.add(owner.callerId) }
      const socket = new FollowingSocket(live, counts, scope, pool)
      open.add(socket)
      live.onEnd(() => Queue.offerUnsafe(ended, socket))
      yield* Metric.update(openSockets, open.size)
      return Option.some(socket)
    }),
    closeAll: Effect.gen(function* () {
      if (open.size === 0) return
      const told = Array.from(open).filter(({ closedAt }) => closedAt === undefined)
      const within_ms = Math.min(Duration.toMillis(limits.closeWithin), told.length * eachCloses_ms)
      const steps = Math.max(1, Math.ceil(within_ms / closesEvery_ms))
      const atOnce = Math.ceil(told.length / steps)
      for (let from = 0; from < told.length; from += atOnce) {
        if (from > 0) yield* Effect.sleep(closesEvery_ms)
        yield* Effect.forEach(told.slice(from, from + atOnce), (socket) => close(socket, restarting), { discard: true })
      }
      const untilNone = Effect.sleep("10 millis").pipe(
        Effect.repeat({ while: () => open.size > 0 }),
        Effect.timeoutOrElse({ duration: farewell, orElse: () => Effect.void })
      )
      yield* untilNone
      for (const { live } of open) live.destroy()
      if (open.size > 0) yield* untilNone
    })
  })
})
