import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { BlobStore } from "../../src/media/BlobStore.ts"
import { RetentionStore } from "../../src/retention/RetentionStore.ts"
import * as RetentionSweeper from "../../src/retention/RetentionSweeper.ts"
import { type Fault, faultyBlobStore, faultyRetentionStore } from "@loopbox/testing/fakes/faults"

export const day = 86_400_000
export const goTo = (at: DateTime.Utc | number) =>
  TestClock.setTime(typeof at === "number" ? at : DateTime.toEpochMillis(at))
export const after = (at: DateTime.Utc) => DateTime.add(at, { milliseconds: 1 })
export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

/** Sweeps with failing stores. */
export const sweepWith = (fault: Fault) =>
  RetentionSweeper.sweep().pipe(
    Effect.updateService(BlobStore, (blobs) => faultyBlobStore(blobs, fault)),
    Effect.updateService(RetentionStore, (store) => faultyRetentionStore(store, fault))
  )
