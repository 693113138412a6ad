import * as Schema from "effect/Schema"
import { MediaId } from "../kernel/Ids.ts"

/** No such media in this workspace, or it was deleted. */
export class MediaNotFound extends Schema.TaggedError<MediaNotFound>()("MediaNotFound", { mediaId: Schema.String }) {}

/** The upload is not finished, so there are no bytes yet. */
export class MediaNotReady extends Schema.TaggedError<MediaNotReady>()("MediaNotReady", { mediaId: MediaId }) {}

/** An active job reads the file. */
export class MediaInUse extends Schema.TaggedError<MediaInUse>()("MediaInUse", { mediaId: MediaId }) {}

/** The reserved upload already has its bytes. */
export class UploadAlreadyFinished extends Schema.TaggedError<UploadAlreadyFinished>()("UploadAlreadyFinished", {
  mediaId: MediaId
}) {}

/** The type of the bytes is not supported, or differs from the declared type. */
export class UnsupportedMedia extends Schema.TaggedError<UnsupportedMedia>()("UnsupportedMedia", {
  declared: Schema.Option(Schema.String),
  found: Schema.Option(Schema.String)
}) {}

/** The upload has no bytes. */
export class EmptyUpload extends Schema.TaggedError<EmptyUpload>()("EmptyUpload", {}) {}

/** The number of bytes differs from the reservation. */
export class UploadSizeMismatch extends Schema.TaggedError<UploadSizeMismatch>()("UploadSizeMismatch", {
  declared: Schema.Int,
  received: Schema.Int
}) {}

/** More bytes than a media file may have. */
export class MediaTooLarge extends Schema.TaggedError<MediaTooLarge>()("MediaTooLarge", {
  limitBytes: Schema.Int
}) {}

/** The workspace was erased during the upload. */
export class WorkspaceErased extends Schema.TaggedError<WorkspaceErased>()("WorkspaceErased", {}) {}

/** A network that loads files from addresses can't reach this host. */
export class PublicUrlRequired extends Schema.TaggedError<PublicUrlRequired>()("PublicUrlRequired", {
  networks: Schema.Array(Schema.String)
}) {}
