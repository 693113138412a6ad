import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { MediaId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { ContentType } from "./ContentType.ts"
import type { Examined } from "./examine.ts"
import type { Media, PendingMedia, ReadyMedia, StoredBytes } from "./Media.ts"
import type { MediaInUse, MediaNotFound, UploadAlreadyFinished, WorkspaceErased } from "./MediaErrors.ts"

/** Port: the records of media. Only the retention store sees deleted records. */
export class MediaStore extends Context.Service<
  MediaStore,
  {
    readonly insert: (media: Media) => Effect.Effect<void, WorkspaceErased | StoreUnavailable>
    /**
     * Inserts a reservation, unless a live record of the workspace was reserved with the same content hash. Returns the
     * record that has it: of several calls at once, one's.
     */
    readonly insertOnce: (
      media: PendingMedia,
      contentHash: string
    ) => Effect.Effect<Media, WorkspaceErased | StoreUnavailable>
    readonly find: (workspaceId: WorkspaceId, id: MediaId) => Effect.Effect<Option.Option<Media>, StoreUnavailable>
    /** The media of a signed link. No workspace is needed, because the link is signed. */
    readonly findLinked: (id: MediaId) => Effect.Effect<Option.Option<Media>, StoreUnavailable>
    /** Newest first. */
    readonly list: (workspaceId: WorkspaceId, page: PageRequest) => Effect.Effect<Page<Media>, StoreUnavailable>
    /** Adds the bytes to a pending record. Of two concurrent uploads the first wins and the other is refused. */
    readonly finish: (
      pending: PendingMedia,
      bytes: StoredBytes & { readonly contentType: ContentType; readonly keepUntil: DateTime.Utc }
    ) => Effect.Effect<ReadyMedia, MediaNotFound | UploadAlreadyFinished | StoreUnavailable>
    /** Adds what an examination of the bytes found out. Nothing happens to a record that is gone. */
    readonly describe: (
      media: Pick<ReadyMedia, "workspaceId" | "id">,
      examined: Examined
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Marks the record deleted, under the workspace's submit lock. Refused while a queued or processing job reads it.
     * The caller, or else the next sweep, removes the bytes.
     */
    readonly remove: (
      workspaceId: WorkspaceId,
      id: MediaId,
      at: DateTime.Utc
    ) => Effect.Effect<Media, MediaNotFound | MediaInUse | StoreUnavailable>
  }
>()("@loopbox/core/media/MediaStore") {}
