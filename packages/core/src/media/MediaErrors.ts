import * as Schema from "effect/Schema"
import { MediaId } from "../kernel/Ids.ts"

/** No such media in this workspace, or it was deleted. */
export class MediaNotFound extends Schema.TaggedError<MediaNotFound>()("MediaNotFound", { mediaId: Schema.String }) {}

/** The upload is not finished, so there are no bytes. */
export class MediaNotReady extends Schema.TaggedError<MediaNotReady>()("MediaNotReady", { mediaId: MediaId }) {}

/** An active job reads the file. */
export class MediaInUse extends Schema.TaggedError<MediaInUse>()("MediaInUse", { mediaId: MediaId }) {}

/** The reserved upload has its bytes already. */
export class UploadAlreadyFinished extends Schema.TaggedError<UploadAlreadyFinished>()("UploadAlreadyFinished", {
  mediaId: MediaId
}) {}

/** The bytes are of no type that can be stored, or of another one than declared. */
export class UnsupportedMedia extends Schema.TaggedError<UnsupportedMedia>()("UnsupportedMedia", {
  declared: Schema.Option(Schema.String),
  found: Schema.Option(Schema.String)
}) {}

/** An upload without a byte. */
export class EmptyUpload extends Schema.TaggedError<EmptyUpload>()("EmptyUpload", {}) {}

/** Another number of bytes came than was reserved. */
export class UploadSizeMismatch extends Schema.TaggedError<UploadSizeMismatch>()("UploadSizeMismatch", {
  declared: Schema.Int,
  received: Schema.Int
}) {}

/** More bytes than a media file may have. */
export class MediaTooLarge extends Schema.TaggedError<MediaTooLarge>()("MediaTooLarge", {
  limitBytes: Schema.Int
}) {}

/** The workspace was erased while its file came in. */
export class WorkspaceErased extends Schema.TaggedError<WorkspaceErased>()("WorkspaceErased", {}) {}
