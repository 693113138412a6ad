import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** No bytes are stored under this key. */
export class BlobMissing extends Schema.TaggedError<BlobMissing>()("BlobMissing", { key: Schema.String }) {}

export interface BlobFacts {
  readonly sizeBytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** A part of a blob, in bytes. */
export interface BlobRange {
  readonly offset: number
  readonly length: number
}

/**
 * Port: stores the bytes of files.
 *
 * A key is `<workspace id>/<name>`, made by Loopbox, and written only once: every write uses a new key. Bytes are
 * durable when `write` or `adopt` returns.
 */
export class BlobStore extends Context.Service<
  BlobStore,
  {
    /**
     * Stores a stream under a key. A stream that fails or is interrupted leaves nothing. The caller limits its size.
     */
    readonly write: <E>(
      key: string,
      bytes: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<BlobFacts, E | StoreUnavailable>
    /**
     * Moves a local file into the store by renaming it, so that its bytes are not copied. Absent if the store is not on
     * this machine's disk.
     */
    readonly adopt: Option.Option<(key: string, path: string) => Effect.Effect<BlobFacts, StoreUnavailable>>
    readonly read: (key: string, range?: BlobRange) => Stream.Stream<Uint8Array, BlobMissing | StoreUnavailable>
    /** Number of bytes under the key; absent when there are none. */
    readonly size: (key: string) => Effect.Effect<Option.Option<number>, StoreUnavailable>
    /** Succeeds also when there is nothing to remove. */
    readonly remove: (key: string) => Effect.Effect<void, StoreUnavailable>
    /** Removes everything of one workspace. */
    readonly removeAll: (workspaceId: WorkspaceId) => Effect.Effect<void, StoreUnavailable>
    /** Keys whose bytes were written before `before`; used to find bytes without a record. */
    readonly listOlder: (before: DateTime.Utc) => Stream.Stream<string, StoreUnavailable>
    /** Removes incomplete files of writers that no longer run. */
    readonly removeAbandoned: Effect.Effect<void, StoreUnavailable>
    /** Fails when the store cannot accept bytes now. */
    readonly probe: Effect.Effect<string, StoreUnavailable>
  }
>()("@loopbox/core/media/BlobStore") {}
