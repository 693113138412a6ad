import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { MediaId, nextMediaId, type WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Plan } from "../workspaces/Plan.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { type BlobMissing, type BlobRange, BlobStore } from "./BlobStore.ts"
import type { ContentType } from "./ContentType.ts"
import { examine, orKnown } from "./examine.ts"
import { keepUnfinishedUntil, keepUploadUntil } from "./keepUpload.ts"
import { type Media, PendingMedia, ReadyMedia, type StoredBytes } from "./Media.ts"
import {
  type EmptyUpload,
  type MediaInUse,
  MediaNotFound,
  type MediaTooLarge,
  type UnsupportedMedia,
  UploadAlreadyFinished,
  UploadSizeMismatch,
  type WorkspaceErased
} from "./MediaErrors.ts"
import { MediaStore } from "./MediaStore.ts"
import { PictureSizes } from "./PictureSizes.ts"
import { TrackFacts } from "./TrackFacts.ts"
import { readStored } from "./readStored.ts"
import { receive } from "./receive.ts"

/** The refusals of every kind of upload. */
export type UploadRefused = UnsupportedMedia | EmptyUpload | MediaTooLarge | WorkspaceErased

export interface Upload<E> {
  readonly workspace: Workspace
  /** The type that the sender declared, if any. The bytes decide the type, and a different declared type is refused. */
  readonly declaredType: Option.Option<string>
  readonly filename: Option.Option<string>
  readonly bytes: Stream.Stream<Uint8Array, E>
}

export interface Reservation {
  readonly workspaceId: WorkspaceId
  readonly contentType: ContentType
  readonly filename: Option.Option<string>
  readonly sizeBytes: Option.Option<number>
}

/** Largest media file: 4 GiB (api.md §5). */
export const maxMediaBytes = 4 * 1024 ** 3

/** Driving service: uploads, finds, reads and deletes files. */
export class MediaLibrary extends Context.Service<
  MediaLibrary,
  {
    /** Stores a file and its record. A stream that fails leaves nothing. */
    readonly upload: <E>(upload: Upload<E>) => Effect.Effect<ReadyMedia, E | UploadRefused | StoreUnavailable>
    /** Creates a record for an upload that follows. */
    readonly reserve: (reservation: Reservation) => Effect.Effect<PendingMedia, WorkspaceErased | StoreUnavailable>
    /**
     * Likewise, once for each content hash in a workspace: a second call returns the first one's record, pending or
     * ready, until it is deleted. The hash is the sender's; the bytes are not compared with it.
     */
    readonly reserveOnce: (
      reservation: Reservation,
      contentHash: string
    ) => Effect.Effect<{ readonly media: Media; readonly isNew: boolean }, WorkspaceErased | StoreUnavailable>
    /**
     * Adds the bytes to a reserved record. If they are refused, the record stays pending, so that the upload can be
     * retried.
     */
    readonly finish: <E>(
      id: string,
      bytes: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<
      ReadyMedia,
      E | UploadRefused | UploadSizeMismatch | UploadAlreadyFinished | MediaNotFound | StoreUnavailable
    >
    readonly find: (workspaceId: WorkspaceId, id: string) => Effect.Effect<Media, MediaNotFound | StoreUnavailable>
    /** The file of a signed link. No workspace is needed, because the link is signed. */
    readonly findLinked: (id: string) => Effect.Effect<Media, MediaNotFound | StoreUnavailable>
    readonly list: (workspaceId: WorkspaceId, page: PageRequest) => Effect.Effect<Page<Media>, StoreUnavailable>
    /**
     * The record with everything that its bytes say. A file that was not examined yet, as those of earlier versions, is
     * examined now.
     */
    readonly examined: (media: ReadyMedia) => Effect.Effect<ReadyMedia, BlobMissing | StoreUnavailable>
    /** The bytes of a file, or a part of them. */
    readonly read: (media: ReadyMedia, range?: BlobRange) => Stream.Stream<Uint8Array, BlobMissing | StoreUnavailable>
    /** Deletes the record and the bytes. Refused while an active job reads them. */
    readonly remove: (
      workspaceId: WorkspaceId,
      id: string
    ) => Effect.Effect<Media, MediaNotFound | MediaInUse | StoreUnavailable>
  }
>()("@loopbox/core/media/MediaLibrary") {
  static readonly layer: Layer.Layer<MediaLibrary, never, MediaStore | BlobStore | Workspaces | SecureRandom> =
    Layer.effect(
      MediaLibrary,
      Effect.suspend(() => make)
    )
}

const make = Effect.gen(function* () {
  const records = yield* MediaStore
  const blobs = yield* BlobStore
  const workspaces = yield* Workspaces
  const random = yield* SecureRandom
  const readers = { sizeOf: yield* PictureSizes, tracksOf: yield* TrackFacts }

  const nextBlobKey = (workspaceId: WorkspaceId) => Effect.map(nextMediaId(random), (id) => `${workspaceId}/${id}`)
  /**
   * Creates the record of new bytes, and removes the bytes if the record is refused. If the record may have been
   * created, the bytes stay: a record must not lose its bytes, while bytes without a record are swept.
   */
  const keepIfRecorded = <A, E>(blobKey: string, record: Effect.Effect<A, E>) =>
    record.pipe(
      Effect.tapError((error) =>
        error instanceof StoreUnavailable && error.committed === "unknown"
          ? Effect.void
          : Effect.ignore(blobs.remove(blobKey))
      ),
      // All bytes are stored, so an interruption now would only leave it unknown whether the record exists.
      Effect.uninterruptible
    )

  const examined = Effect.fn("MediaLibrary.examined")(function* (media: ReadyMedia) {
    if (Option.isSome(media.traits)) return media
    const found = orKnown(yield* examine(blobs, readers, media), media)
    yield* records.describe(media, found)
    return new ReadyMedia({ ...media, ...found })
  })

  const upload = Effect.fn("MediaLibrary.upload")(function* <E>({
    bytes,
    declaredType,
    filename,
    workspace
  }: Upload<E>) {
    const id = yield* nextMediaId(random)
    const blobKey = `${workspace.id}/${id}`
    const received = yield* receive(blobs, readers, { blobKey, bytes, declaredType, maxBytes: maxMediaBytes })
    const createdAt = yield* DateTime.now
    const media = new ReadyMedia({
      ...received,
      id,
      workspaceId: workspace.id,
      filename,
      createdAt,
      keepUntil: keepUploadUntil(workspace.plan, createdAt),
      source: "upload",
      jobId: Option.none()
    })
    yield* keepIfRecorded(blobKey, records.insert(media))
    return media
  })

  const makeReserved = Effect.fnUntraced(function* (reservation: Reservation) {
    const createdAt = yield* DateTime.now
    return new PendingMedia({
      id: yield* nextMediaId(random),
      workspaceId: reservation.workspaceId,
      filename: reservation.filename,
      contentType: reservation.contentType,
      declaredSize: reservation.sizeBytes,
      createdAt,
      keepUntil: keepUnfinishedUntil(createdAt)
    })
  })

  const reserve = Effect.fn("MediaLibrary.reserve")(function* (reservation: Reservation) {
    const media = yield* makeReserved(reservation)
    yield* records.insert(media)
    return media
  })

  const reserveOnce = Effect.fn("MediaLibrary.reserveOnce")(function* (reservation: Reservation, contentHash: string) {
    const reserved = yield* makeReserved(reservation)
    const media = yield* records.insertOnce(reserved, contentHash)
    return { media, isNew: media.id === reserved.id }
  })

  const known = Effect.fnUntraced(function* (
    id: string,
    lookUp: (id: MediaId) => Effect.Effect<Option.Option<Media>, StoreUnavailable>
  ) {
    if (!isMediaId(id)) return yield* new MediaNotFound({ mediaId: id })
    const media = yield* lookUp(id)
    if (Option.isNone(media)) return yield* new MediaNotFound({ mediaId: id })
    return media.value
  })
  const findLinked = Effect.fn("MediaLibrary.findLinked")((id: string) => known(id, records.findLinked))

  const recordFinished = Effect.fnUntraced(function* (
    media: PendingMedia,
    received: StoredBytes & { readonly contentType: ContentType },
    plan: Plan
  ) {
    const declared = Option.getOrElse(media.declaredSize, () => received.sizeBytes)
    if (declared !== received.sizeBytes) {
      return yield* new UploadSizeMismatch({ declared, received: received.sizeBytes })
    }
    return yield* records.finish(media, { ...received, keepUntil: keepUploadUntil(plan, yield* DateTime.now) })
  })

  const finish = Effect.fn("MediaLibrary.finish")(function* <E>(id: string, bytes: Stream.Stream<Uint8Array, E>) {
    const media = yield* findLinked(id)
    if (media._tag === "ReadyMedia") return yield* new UploadAlreadyFinished({ mediaId: media.id })
    const workspace = yield* workspaces.find(media.workspaceId)
    if (Option.isNone(workspace)) return yield* new MediaNotFound({ mediaId: id })
    const blobKey = yield* nextBlobKey(media.workspaceId)
    const received = yield* receive(blobs, readers, {
      blobKey,
      bytes: Option.match(media.declaredSize, { onNone: () => bytes, onSome: (size) => atMost(bytes, size) }),
      declaredType: Option.some(media.contentType),
      maxBytes: maxMediaBytes
    })
    return yield* keepIfRecorded(blobKey, recordFinished(media, received, workspace.value.plan))
  })

  const remove = Effect.fn("MediaLibrary.remove")(function* (workspaceId: WorkspaceId, id: string) {
    if (!isMediaId(id)) return yield* new MediaNotFound({ mediaId: id })
    const media = yield* records.remove(workspaceId, id, yield* DateTime.now)
    // The record is deleted, so nobody can reach the bytes; if this fails, the next sweep removes them.
    if (media._tag === "ReadyMedia") yield* Effect.ignore(blobs.remove(media.blobKey))
    return media
  })

  return MediaLibrary.of({
    upload,
    reserve,
    reserveOnce,
    finish,
    findLinked,
    find: Effect.fn("MediaLibrary.find")((workspaceId, id) =>
      known(id, (mediaId) => records.find(workspaceId, mediaId))
    ),
    list: records.list,
    examined,
    read: (media, range) => readStored(blobs, media, range),
    remove
  })
})

const isMediaId = Schema.is(MediaId)

/** Stops reading at the first byte above the reserved size. */
const atMost = <E>(bytes: Stream.Stream<Uint8Array, E>, declared: number) =>
  Stream.suspend(() => {
    let received = 0
    return Stream.tap(bytes, (chunk) => {
      received += chunk.length
      return received > declared ? Effect.fail(new UploadSizeMismatch({ declared, received })) : Effect.void
    })
  })
