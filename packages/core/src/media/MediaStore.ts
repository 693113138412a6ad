import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { MediaId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { ContentType } from "./ContentType.ts"
import type { Media, PendingMedia, ReadyMedia, StoredBytes } from "./Media.ts"
import type { MediaInUse, MediaNotFound, UploadAlreadyFinished, WorkspaceErased } from "./MediaErrors.ts"

/** Port: the records of media. A deleted record is as good as absent for all but the retention store. */
export class MediaStore extends Context.Service<
  MediaStore,
  {
    readonly insert: (media: Media) => Effect.Effect<void, WorkspaceErased | StoreUnavailable>
    readonly find: (workspaceId: WorkspaceId, id: MediaId) => Effect.Effect<Option.Option<Media>, StoreUnavailable>
    /** The media that a signed link names; the link's signature stands for the workspace. */
    readonly findLinked: (id: MediaId) => Effect.Effect<Option.Option<Media>, StoreUnavailable>
    /** Newest first. */
    readonly list: (workspaceId: WorkspaceId, page: PageRequest) => Effect.Effect<Page<Media>, StoreUnavailable>
    /** Gives a pending record its bytes; of two uploads at once the first wins, the other is refused. */
    readonly finish: (
      pending: PendingMedia,
      bytes: StoredBytes & { readonly contentType: ContentType; readonly keepUntil: DateTime.Utc }
    ) => Effect.Effect<ReadyMedia, MediaNotFound | UploadAlreadyFinished | StoreUnavailable>
    /**
     * Marks the record deleted, under the workspace's submit lock; refused while a queued or processing job reads
     * it. The bytes are removed by the caller, or by the next sweep.
     */
    readonly remove: (
      workspaceId: WorkspaceId,
      id: MediaId,
      at: DateTime.Utc
    ) => Effect.Effect<Media, MediaNotFound | MediaInUse | StoreUnavailable>
  }
>()("@loopbox/core/media/MediaStore") {}
