import * as Option from "effect/Option"
import type { OutgoingDeliveryId } from "../../kernel/Ids.ts"
import type { OutgoingDelivery } from "../OutgoingDelivery.ts"
import {
  atOnceOfEndpoint,
  type EndedAttempt,
  type LaneBatch,
  type LanePlace,
  type OutgoingClaim
} from "../OutgoingQueue.ts"
import { OpenedSecrets } from "../sealSecret.ts"
import { isDelivered } from "../judgeAttempt.ts"
import { slow_ms } from "./places.ts"
import type { Unwritten } from "./Unwritten.ts"

/** Deliveries that are read of a lane at a time: few at first, and more of one whose receiver is fast. */
export const firstBatch = 16
const largestBatch = 256
const largestOrdered = 32

/** What was read longer ago is read again: the endpoint may have another address by now. */
const fresh_ms = 1_000

/** How often a lane is read from its beginning, for what was added with an earlier time. */
const rewind_ms = 10_000

/** How often a lane of which nothing more is due is read again, while something of it is being sent. */
const lookAgain_ms = 500

/** Attempts of a lane that are under way, or answered and not written yet: a process that dies repeats the latter. */
const openAtMost = 3 * atOnceOfEndpoint

/** An attempt that takes less is over before the one before it is written: what is open then is mostly answered. */
const quick_ms = 50

/**
 * Between two attempts where nobody answers, once as many as an endpoint has at once have failed: each costs the database as much
 * as one that arrives, and others wait behind it.
 */
const pause_ms = 500

/** What a worker has of a lane. Times are of the caller's clock, in milliseconds. */
export class LaneRun {
  readonly lane: OutgoingClaim["lane"]
  batch: LaneBatch
  readonly opened = new OpenedSecrets()
  /** Nothing more is begun. */
  isClosing = false
  /** An attempt could not be made. */
  hasFault = false
  /** Answered, and not written yet. */
  readonly #ended: Array<EndedAttempt> = []
  readonly #unwritten: Unwritten
  #waiting: Array<OutgoingDelivery>
  /** Read, and not settled: a reader finds them again. */
  readonly #known = new Set<OutgoingDeliveryId>()
  /** Settled since the reading began that is under way: it may have been read as it was before. */
  readonly #settled = new Set<OutgoingDeliveryId>()
  /** Begun, and not settled. */
  #open = 0
  /** Failures since the last success, or the last slow answer. */
  #quickFailures = 0
  /** When the next attempt may begin. */
  #resumesAt = 0
  /** Whether the last attempt was over at once. */
  #isQuick: boolean
  /** What counts as in hand: of an endpoint that does not answer at once, only what was answered. */
  #inHand = 0
  #cursor: Option.Option<LanePlace> = Option.none()
  #size = firstBatch
  #readAt: number
  #rewoundAt: number
  #mayHaveMore: boolean

  constructor(
    { lane, ...batch }: OutgoingClaim,
    { isSlow, now, unwritten }: { readonly isSlow: boolean; readonly now: number; readonly unwritten: Unwritten }
  ) {
    unwritten.enter()
    this.#unwritten = unwritten
    this.#isQuick = !isSlow
    this.lane = lane
    this.batch = batch
    this.#waiting = [...batch.deliveries].reverse()
    for (const { id } of batch.deliveries) this.#known.add(id)
    this.#mayHaveMore = batch.isFull || batch.endpoint.isOrdered
    this.#readAt = now
    this.#rewoundAt = now
  }

  /**
   * Where nobody listens attempts fail in no time: of a few such endpoints, with all that waits for them, a process would do
   * little else, and others would wait. After as many as an endpoint has at once it gets one at a time, until one arrives.
   */
  get places(): number {
    return this.batch.endpoint.isOrdered || this.#quickFailures >= atOnceOfEndpoint ? 1 : atOnceOfEndpoint
  }

  /** An attempt was answered, or not, after `took_ms`. One that was slow costs nobody anything, whatever came of it. */
  answered(ended: EndedAttempt, { now, took_ms }: { readonly now: number; readonly took_ms: number }): void {
    this.#ended.push(ended)
    this.#isQuick = took_ms < quick_ms
    this.#count()
    this.#quickFailures = isDelivered(ended.attempt) || took_ms >= slow_ms ? 0 : this.#quickFailures + 1
    const isUnreached = Option.isNone(ended.attempt.status)
    this.#resumesAt = isUnreached && this.#quickFailures >= atOnceOfEndpoint ? now + pause_ms : 0
  }

  /** How long what waits is put off, in milliseconds; 0: nothing waits, or not for that. */
  pausedFor(now: number): number {
    return this.isClosing || this.#waiting.length === 0 ? 0 : Math.max(0, this.#resumesAt - now)
  }

  /** What was answered first and is not written yet, at most so many. */
  firstEnded(count: number): ReadonlyArray<EndedAttempt> {
    return this.#ended.slice(0, count)
  }

  /** The first of what was answered is written. */
  written(some: ReadonlyArray<EndedAttempt>): void {
    this.#ended.splice(0, some.length)
    for (const { attempt, delivery } of some) this.close(delivery, isDelivered(attempt))
  }

  /** The endpoint is no longer served. */
  leave(): void {
    this.#unwritten.leave(this.#inHand)
  }

  /** Nothing is under way, and nothing waits to be written. */
  get isIdle(): boolean {
    return this.#open === 0
  }

  /** Whether another attempt may begin before others are settled. */
  get hasRoom(): boolean {
    if (this.batch.endpoint.isOrdered) return this.#open < 1
    return this.#open < openAtMost && this.#unwritten.hasRoom(this.#inHand)
  }

  /** What to read next, if it is time to; what waits and is too old is dropped, and read again. */
  wants(now: number): { readonly after: Option.Option<LanePlace>; readonly limit: number } | undefined {
    if (this.isClosing || !this.hasRoom) return undefined
    if (this.#waiting.length > 0) {
      if (now - this.#readAt <= fresh_ms) return undefined
      this.#drop()
    }
    if (!this.#mayHaveMore && (this.isIdle || now - this.#readAt < lookAgain_ms)) return undefined
    const isRewound = !this.#mayHaveMore || now - this.#rewoundAt > rewind_ms
    if (isRewound) {
      this.#cursor = Option.none()
      this.#rewoundAt = now
    }
    this.#settled.clear()
    return { after: this.#cursor, limit: this.#size + this.#known.size }
  }

  /** Takes what was read at `now`. */
  read(batch: LaneBatch, now: number): void {
    const passed = now - this.#readAt
    const largest = batch.endpoint.isOrdered ? largestOrdered : largestBatch
    if (passed < fresh_ms / 4) this.#size = Math.min(largest, this.#size * 2)
    if (passed > fresh_ms) this.#size = firstBatch
    this.batch = batch
    this.#readAt = now
    this.#mayHaveMore = batch.isFull
    // It became ordered meanwhile: the next one waits for all that were sent beside each other.
    if (batch.endpoint.isOrdered) this.#mayHaveMore = !this.isIdle || batch.deliveries.length > 0
    if (batch.endpoint.isOrdered && !this.isIdle) return
    const fresh = batch.deliveries.filter(({ id }) => !this.#known.has(id) && !this.#settled.has(id))
    for (const { id } of fresh) this.#known.add(id)
    this.#waiting = fresh.reverse()
  }

  take(): OutgoingDelivery | undefined {
    if (this.isClosing) return undefined
    const delivery = this.#waiting.pop()
    if (delivery === undefined) return undefined
    this.#open += 1
    this.#count()
    this.#cursor = Option.some(delivery)
    return delivery
  }

  /** An attempt that was begun is settled, or given up. `isDelivered`: what was read behind it may follow in order. */
  close({ id }: Pick<OutgoingDelivery, "id">, isDelivered = false): void {
    this.#open -= 1
    this.#count()
    this.#known.delete(id)
    this.#settled.add(id)
    if (!this.batch.endpoint.isOrdered) return
    this.#mayHaveMore = true
    if (!isDelivered) this.#drop()
  }

  /** What is under way where nobody answers at once is seldom answered when a process dies. */
  #count(): void {
    const inHand = this.#isQuick ? this.#open : this.#ended.length
    this.#unwritten.change(inHand - this.#inHand)
    this.#inHand = inHand
  }

  /** What waits is read again. */
  #drop(): void {
    for (const { id } of this.#waiting) this.#known.delete(id)
    this.#waiting = []
    this.#mayHaveMore = true
  }
}
