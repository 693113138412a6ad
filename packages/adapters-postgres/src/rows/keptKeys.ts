import * as DateTime from "effect/DateTime"
import { isLookDue, type QueueTurns } from "./fairTurns.ts"

/** The longest that keys are kept, on the lease clock: what comes before them in the queue meanwhile waits for that long. */
const kept_ms = 20

/** What a look has found beyond what its claim took. */
export interface KeptKeys<K, A> {
  /** The keys, if they may still be used; they are not kept any longer. */
  readonly take: (turns: QueueTurns, leaseNow: DateTime.Utc) => ReadonlyArray<K>
  /** Keeps those of which no row was read. */
  readonly keep: (due: ReadonlyArray<K>, read: ReadonlyArray<A>) => void
  /** The next claim looks: there may be something that precedes all of them. */
  readonly drop: () => void
}

/**
 * Keeps what a look at a backlog has found for the claims that follow at once, so that a claim of a short piece of work is
 * one statement and not two.
 *
 * Only until the backlog may be looked behind again: up to then another look would find the same workspaces.
 */
export const makeKeptKeys = <K, A>(isOf: (key: K, row: A) => boolean): KeptKeys<K, A> => {
  let kept: ReadonlyArray<K> = []
  let lookedAt_ms = 0
  return {
    take: (turns, leaseNow) => {
      const now_ms = DateTime.toEpochMillis(leaseNow)
      const isFresh = now_ms >= lookedAt_ms && now_ms < lookedAt_ms + kept_ms
      if (kept.length > 0 && isFresh && !isLookDue(turns)) {
        const keys = kept
        kept = []
        return keys
      }
      kept = []
      lookedAt_ms = now_ms
      return kept
    },
    keep: (due, read) => {
      kept = due.filter((key) => !read.some((row) => isOf(key, row)))
    },
    drop: () => {
      kept = []
    }
  }
}
