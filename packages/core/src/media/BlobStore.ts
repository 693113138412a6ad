import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** There are no bytes under this key. */
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
 * Port: where bytes are kept.
 *
 * A key is `<workspace id>/<name>`, made by us, and written once: whoever writes takes a new key. What `write` or
 * `adopt` answered survives a power failure.
 */
export class BlobStore extends Context.Service<
  BlobStore,
  {
    /** Stores a stream under a key; a stream that fails or is interrupted leaves nothing. The sender bounds it. */
    readonly write: <E>(
      key: string,
      bytes: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<BlobFacts, E | StoreUnavailable>
    /**
     * Takes over a local file by renaming it, so that its bytes are not copied; the file is gone afterwards.
     * Absent where bytes are not kept on this machine's disk.
     */
    readonly adopt: Option.Option<(key: string, path: string) => Effect.Effect<BlobFacts, StoreUnavailable>>
    readonly read: (key: string, range?: BlobRange) => Stream.Stream<Uint8Array, BlobMissing | StoreUnavailable>
    /** Bytes under the key; absent when there are none. */
    readonly size: (key: string) => Effect.Effect<Option.Option<number>, StoreUnavailable>
    /** Also succeeds when there is nothing. */
    readonly remove: (key: string) => Effect.Effect<void, StoreUnavailable>
    /** Removes everything of one workspace. */
    readonly removeAll: (workspaceId: WorkspaceId) => Effect.Effect<void, StoreUnavailable>
    /** Keys whose bytes were written before `before`, for the search for bytes without a record. */
    readonly listOlder: (before: DateTime.Utc) => Stream.Stream<string, StoreUnavailable>
    /** Removes what writers that no longer run have left half written. */
    readonly removeAbandoned: Effect.Effect<void, StoreUnavailable>
    /** Fails when the store cannot take bytes now. */
    readonly probe: Effect.Effect<string, StoreUnavailable>
  }
>()("@loopbox/core/media/BlobStore") {}
