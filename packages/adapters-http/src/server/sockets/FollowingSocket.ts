import type { FeedMessage, Follower } from "@loopbox/core/feed/FeedMessage"
import type * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Closing } from "./Closing.ts"
import type { Count } from "./Counts.ts"
import type { LiveSocket } from "./LiveSocket.ts"

/** What all sockets of a process have in common. */
export interface SocketPool {
  /** Bytes and frames that may wait in the server for one client. */
  readonly maxQueuedBytes: number
  readonly maxQueuedFrames: number
  /** The same bytes for the same message. */
  readonly toFrame: (message: FeedMessage) => Uint8Array
  /** Hears of each change of the bytes that wait for a client. */
  readonly noteWaiting: (change_bytes: number) => void
  /** Ends when the socket has room; never for one that ends. */
  readonly awaitRoom: (socket: FollowingSocket) => Effect.Effect<void>
  readonly failed: (socket: FollowingSocket, cause: Cause.Cause<never>) => Effect.Effect<void>
  readonly close: (socket: FollowingSocket, closing: Closing) => Effect.Effect<void>
}

/** The numbers of sockets of a workspace, and of a key or user in it. */
export interface OwnerCounts {
  readonly ofWorkspace: Count
  readonly ofCaller: Count
}

/**
 * A socket that follows an inbox, and what waits in the server for its client: a WebSocket takes whatever it is given,
 * nobody else counts.
 *
 * One event goes through thousands of these, each cold in the processor's caches: so it is one object, and in the usual
 * case, in which nothing waits, touches no other than the connection.
 */
export class FollowingSocket implements Follower {
  readonly live: LiveSocket
  /** When it was told to go, in monotonic nanoseconds. */
  closedAt: bigint | undefined
  readonly ofWorkspace: Count
  readonly ofCaller: Count
  /** What ends with it. */
  readonly scope: Scope.Closeable
  readonly #pool: SocketPool
  /** Where each frame that may still wait ends, in bytes ever written. */
  #ends: Array<number> | undefined
  #isWaiting = false
  #noted_bytes = 0

  constructor(live: LiveSocket, owner: OwnerCounts, scope: Scope.Closeable, pool: SocketPool) {
    this.live = live
    this.ofWorkspace = owner.ofWorkspace
    this.ofCaller = owner.ofCaller
    this.scope = scope
    this.#pool = pool
  }

  /** Whether nothing more may be sent: one side has begun to close. */
  get isEnding(): boolean {
    return this.closedAt !== undefined || !this.live.isOpen
  }

  /** Frames that wait, the one that is half sent included. */
  get frames(): number {
    const ends = this.#ends
    if (ends === undefined) return 0
    const sent = this.live.bytesWritten - this.live.writableLength
    const waiting = ends.findIndex((end) => end > sent)
    if (waiting < 0) this.#ends = undefined
    if (waiting > 0) this.#ends = ends.slice(waiting)
    return this.#ends?.length ?? 0
  }

  get isFull(): boolean {
    const { maxQueuedBytes, maxQueuedFrames } = this.#pool
    return (
      this.live.writableLength >= maxQueuedBytes ||
      (this.#ends !== undefined && this.#ends.length >= maxQueuedFrames && this.frames >= maxQueuedFrames)
    )
  }

  get isHalfEmpty(): boolean {
    const { maxQueuedBytes, maxQueuedFrames } = this.#pool
    return this.live.writableLength <= maxQueuedBytes / 2 && this.frames <= maxQueuedFrames / 2
  }

  get ready(): Effect.Effect<void> {
    return this.#pool.awaitRoom(this)
  }

  failed(cause: Cause.Cause<never>): Effect.Effect<void> {
    return this.#pool.failed(this, cause)
  }

  /** Tells the client that this is the end, after what it got. */
  close(closing: Closing): Effect.Effect<void> {
    return this.#pool.close(this, closing)
  }

  take(messages: ReadonlyArray<FeedMessage>): number {
    const [message] = messages
    if (message === undefined || messages.length > 1) return this.#takeMany(messages)
    if (this.isEnding || (this.#isWaiting && this.isFull)) return 0
    this.live.send(this.#pool.toFrame(message))
    if (this.#isWaiting || this.live.writableLength > 0) {
      this.#noteEnd(this.live.bytesWritten)
      this.#look()
    }
    return 1
  }

  /** Tells the pool what waits now. Answers how many bytes. */
  note(): number {
    const bytes = this.live.writableLength
    this.#pool.noteWaiting(bytes - this.#noted_bytes)
    this.#noted_bytes = bytes
    return bytes
  }

  /** Takes what it noted back: nobody waits any more. */
  forget(): void {
    this.#pool.noteWaiting(-this.#noted_bytes)
    this.#noted_bytes = 0
  }

  /** All in one write; what is held back for it counts as waiting. */
  #takeMany(messages: ReadonlyArray<FeedMessage>): number {
    let taken = 0
    let end = this.live.bytesWritten
    this.live.cork()
    for (const message of messages) {
      if (this.isEnding || this.isFull) break
      const frame = this.#pool.toFrame(message)
      this.live.send(frame)
      end += frame.length
      this.#noteEnd(end)
      taken++
    }
    this.live.uncork()
    this.#look()
    return taken
  }

  #noteEnd(end: number): void {
    if (this.#ends === undefined) this.#ends = [end]
    else this.#ends.push(end)
  }

  #look(): void {
    this.#isWaiting = this.note() > 0
    if (!this.#isWaiting) this.#ends = undefined
  }
}
