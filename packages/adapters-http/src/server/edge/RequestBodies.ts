import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import { freeChunk, makeSweep } from "./bodyChunks.ts"

const heldBytes = Metric.gauge("http_request_body_bytes", {
  description: "Bytes of request bodies that are in memory now"
})
const givenUp = Metric.counter("http_request_bodies_given_up_total", {
  description: "Request bodies that were given up because too many bytes of bodies were in memory",
  incremental: true
})

/** One body in memory: what came of it so far. */
export interface HeldBody {
  /** Keeps a chunk. False when the body was given up: nothing of it is held any more. */
  readonly keep: (chunk: Uint8Array) => boolean
  /** Ends the reading: all that was kept, in one piece; nothing of a body that was given up. A whole one is no longer. */
  readonly whole: () => Uint8Array | undefined
}

/** Bounds of bodies that are held in memory; what is left out is said beside it. */
export interface BodyOptions {
  /** Bytes of all of them in this process: 64 MiB. */
  readonly maxBytes?: number | undefined
  /** For a whole body to come: 30 seconds. */
  readonly within?: Duration.Input | undefined
  /** For more of it to come: 10 seconds. */
  readonly idle?: Duration.Input | undefined
  /**
   * Nobody else reads the requests of this server, so that the memory of a chunk is given back at once. False, unless said
   * otherwise: in an application that this is mounted in, what monitors its requests may have kept the same chunks.
   */
  readonly chunksAreOurs?: boolean | undefined
}

/** The bodies that one process holds in memory, bounded together. */
export interface RequestBodies {
  readonly within: Duration.Duration
  readonly idle: Duration.Duration
  /** Gives the memory of a chunk back that nobody reads, if it is ours. */
  readonly drop: (chunk: Uint8Array) => void
  /**
   * A place for a body, until the scope of its request closes. The memory of chunks that are the body's alone, as those of
   * a connection are, is given back as soon as nobody reads them; who made a `Request` may have others still.
   */
  readonly hold: (chunksAreItsOwn: boolean) => Effect.Effect<HeldBody, never, Scope.Scope>
}

interface Entry {
  readonly chunksAreItsOwn: boolean
  chunks: Array<Uint8Array>
  /** Of the body. */
  length: number
  /** That it costs us. */
  bytes: number
  isGivenUp: boolean
}

/** What a chunk costs besides its bytes: who sends them one by one must not get them for nothing. */
const chunkBytes = 256

const join = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [only] = chunks
  if (only !== undefined && chunks.length === 1) return only
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/**
 * A body counts with the bytes that have come, not with those that its sender announced.
 *
 * Above the bound the body that has been coming for the longest time is given up: so slow senders make room for those
 * whose bodies come in one go, and cannot keep them out.
 */
export const makeRequestBodies = (options: BodyOptions = {}): RequestBodies => {
  const { chunksAreOurs = false, idle = "10 seconds", maxBytes = 64 * 1024 * 1024, within = "30 seconds" } = options
  /** Bodies that are still coming, the oldest first. */
  const coming = new Set<Entry>()
  const sweep = makeSweep()
  const drop = chunksAreOurs ? freeChunk : () => undefined
  let held = 0

  const free = ({ chunks, chunksAreItsOwn }: Entry, whole?: Uint8Array) => {
    if (chunksAreItsOwn) for (const chunk of chunks) if (chunk !== whole) drop(chunk)
  }
  const release = (entry: Entry) => {
    coming.delete(entry)
    held -= entry.bytes
    entry.bytes = 0
    free(entry)
    entry.chunks = []
    heldBytes.updateUnsafe(held, Context.empty())
  }
  const makeRoom = () => {
    for (const entry of coming) {
      if (held <= maxBytes) return
      if (entry.bytes === 0) continue
      release(entry)
      entry.isGivenUp = true
      givenUp.updateUnsafe(1, Context.empty())
    }
  }
  const open = (chunksAreItsOwn: boolean): HeldBody & { readonly entry: Entry } => {
    const entry: Entry = { chunksAreItsOwn, chunks: [], length: 0, bytes: 0, isGivenUp: false }
    coming.add(entry)
    return {
      entry,
      keep: (chunk) => {
        sweep(chunk)
        if (entry.isGivenUp) return false
        entry.chunks.push(chunk)
        entry.length += chunk.length
        entry.bytes += chunk.length + chunkBytes
        held += chunk.length + chunkBytes
        heldBytes.updateUnsafe(held, Context.empty())
        if (held > maxBytes) makeRoom()
        return !entry.isGivenUp
      },
      whole: () => {
        if (entry.isGivenUp) return undefined
        coming.delete(entry)
        const whole = join(entry.chunks, entry.length)
        free(entry, whole)
        entry.chunks = []
        return whole
      }
    }
  }
  return {
    within: Duration.fromInputUnsafe(within),
    idle: Duration.fromInputUnsafe(idle),
    drop,
    hold: (chunksAreItsOwn) =>
      Effect.acquireRelease(
        Effect.sync(() => open(chunksAreItsOwn)),
        ({ entry }) => {
          // Done at once: an effect would be given a copy of the whole context to run with.
          release(entry)
          return Effect.void
        }
      )
  }
}

/** Those of the process; the edge puts what is configured in their place. */
export const CurrentRequestBodies = Context.Reference<RequestBodies>(
  "@loopbox/adapters-http/server/CurrentRequestBodies",
  { defaultValue: makeRequestBodies }
)
