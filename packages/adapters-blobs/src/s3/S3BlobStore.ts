import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { BlobMissing, type BlobRange, BlobStore } from "@loopbox/core/media/BlobStore"
import type { IncrementalHash } from "../files/FileBlobStore.ts"
import { callWith, isAbsent, openClient, type S3BucketOptions } from "./s3Client.ts"
import { isPassing, s3Unavailable, statusOf } from "./s3Failure.ts"

export interface S3BlobStoreOptions extends S3BucketOptions {
  /** A new SHA-256: core has no streaming hash of its own. */
  readonly createSha256: () => IncrementalHash
}

/**
 * What a write holds in memory: the least that S3 takes as a part that is not the last one. It takes at most 10,000 parts, so a
 * file may have 50 GB. All parts but the last are of one size, which some stores that speak as S3 does insist on.
 */
const partBytes = 5 * 1024 * 1024

/** Where a page of uploads ends, and the next one begins. */
interface UploadMarker {
  readonly KeyMarker?: string
  readonly UploadIdMarker?: string
}

/** Parts that are kept for the next writes: thrown away, each would stay until V8's next full collection. */
const spareParts = 4

/**
 * Bytes as objects of a bucket of S3, or of a store that speaks as S3 does: `<prefix><workspace id>/<name>`.
 *
 * A file of less than 5 MiB is one request, a larger one an upload in parts, which becomes visible by its last request. The
 * signature of each request carries the SHA-256 of its bytes, and the size of the whole is compared at the end.
 */
export const layer = (options: S3BlobStoreOptions): Layer.Layer<BlobStore> => Layer.effect(BlobStore, make(options))

const make = Effect.fnUntraced(function* (options: S3BlobStoreOptions) {
  const { sdk, client } = yield* openClient(options)
  const { bucket: Bucket, prefix = "" } = options
  const spare: Array<Uint8Array<ArrayBuffer>> = []
  const call = callWith(client)
  const unavailable = (operation: string, committed: StoreUnavailable["committed"]) =>
    s3Unavailable(Bucket, operation, committed)

  const head = (key: string) =>
    call((s3, signal) => s3.send(new sdk.HeadObjectCommand({ Bucket, Key: prefix + key }), signal)).pipe(
      Effect.map(({ ContentLength }) => Option.some(ContentLength ?? 0)),
      Effect.catchIf(isAbsent, () =>
        // The answer to HEAD does not say whether the object or its bucket is missing.
        Effect.as(
          call((s3, signal) => s3.send(new sdk.ListObjectsV2Command({ Bucket, MaxKeys: 1 }), signal)),
          Option.none<number>()
        )
      )
    )

  const removeKey = (key: string) =>
    call((s3, signal) => s3.send(new sdk.DeleteObjectCommand({ Bucket, Key: prefix + key }), signal)).pipe(
      Effect.catchIf(isAbsent, () => Effect.void),
      Effect.asVoid
    )

  const abort = (Key: string, UploadId: string) =>
    call((s3, signal) => s3.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), signal)).pipe(
      Effect.catchIf(isAbsent, () => Effect.void),
      Effect.asVoid
    )

  const begin = (Key: string) =>
    call((s3, signal) => s3.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }), signal)).pipe(
      Effect.flatMap(({ UploadId }) =>
        UploadId === undefined ? Effect.fail(new Error("the upload has no id")) : Effect.succeed(UploadId)
      )
    )

  const write = Effect.fn("S3BlobStore.write")(function* <E>(key: string, bytes: Stream.Stream<Uint8Array, E>) {
    const Key = prefix + key
    const hash = options.createSha256()
    const sent: Array<{ readonly ETag: string | undefined; readonly PartNumber: number }> = []
    // Grows with the first part, and is used again for each: one is sent before the next is filled.
    let part = new Uint8Array(0)
    let waitingBytes = 0
    let sizeBytes = 0
    let upload: string | undefined

    const grow = (wanted: number) => {
      const size = Math.min(partBytes, Math.max(wanted, 16 * part.length))
      const larger = (size === partBytes ? spare.pop() : undefined) ?? new Uint8Array(size)
      larger.set(part.subarray(0, waitingBytes))
      part = larger
    }
    const takeWaiting = () => {
      const body = part.subarray(0, waitingBytes)
      waitingBytes = 0
      return body
    }
    const sendPart = Effect.gen(function* () {
      upload ??= yield* Effect.uninterruptible(begin(Key).pipe(Effect.tap((id) => Effect.sync(() => (upload = id)))))
      const UploadId = upload
      const PartNumber = sent.length + 1
      const Body = takeWaiting()
      const { ETag } = yield* call((s3, signal) =>
        s3.send(new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }), signal)
      )
      sent.push({ ETag, PartNumber })
    })
    const takeIn = Effect.fnUntraced(function* (chunk: Uint8Array) {
      let taken = 0
      while (taken < chunk.length) {
        const piece = chunk.subarray(taken, taken + partBytes - waitingBytes)
        if (waitingBytes + piece.length > part.length) grow(waitingBytes + piece.length)
        part.set(piece, waitingBytes)
        taken += piece.length
        waitingBytes += piece.length
        if (waitingBytes === partBytes) yield* sendPart
      }
    })
    const finish = Effect.gen(function* () {
      if (upload === undefined) {
        const Body = takeWaiting()
        yield* call((s3, signal) => s3.send(new sdk.PutObjectCommand({ Bucket, Key, Body }), signal))
        return
      }
      if (waitingBytes > 0) yield* sendPart
      const UploadId = upload
      yield* call(
        (s3, signal) =>
          s3.send(
            new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts: sent } }),
            signal
          )
        // When the answer to the first try was lost, the second finds no upload; the size below tells.
      ).pipe(Effect.catchIf(isAbsent, () => Effect.void))
      const stored = yield* head(key)
      if (!Option.contains(stored, sizeBytes))
        yield* Effect.fail(new Error("the object has another size than was sent"))
    })
    const cleanUp = Effect.suspend(() =>
      Effect.ignore(
        upload === undefined ? removeKey(key) : Effect.andThen(Effect.ignore(abort(Key, upload)), removeKey(key))
      )
    )

    yield* Stream.runForEach(bytes, (chunk) => {
      hash.update(chunk)
      sizeBytes += chunk.length
      return Effect.mapError(takeIn(chunk), unavailable("blobs.write", "no"))
    }).pipe(
      Effect.andThen(Effect.mapError(finish, unavailable("blobs.write", "unknown"))),
      Effect.onError(() => cleanUp)
    )
    // Not after a failure: a request that was given up may still be reading it.
    if (part.length === partBytes && spare.length < spareParts) spare.push(part)
    return { sizeBytes, sha256: hash.digest("hex") }
  })

  const open = (key: string, range: BlobRange | undefined, offset: number) => {
    const end = range === undefined ? "" : `${range.offset + range.length - 1}`
    const Range = range === undefined && offset === 0 ? undefined : `bytes=${offset}-${end}`
    return call((s3, signal) =>
      s3.send(
        new sdk.GetObjectCommand({ Bucket, Key: prefix + key, ...(Range === undefined ? {} : { Range }) }),
        signal
      )
    )
  }

  /** A connection that is cut is opened again where it stopped, a few times. */
  const readFrom = (
    key: string,
    range: BlobRange | undefined,
    offset: number,
    tries: number
  ): Stream.Stream<Uint8Array, unknown> => {
    let at = offset
    return Stream.unwrap(
      open(key, range, offset).pipe(
        Effect.map(({ Body }) =>
          Body === undefined
            ? Stream.empty
            : Stream.fromReadableStream<Uint8Array, unknown>({
                evaluate: () => Body.transformToWebStream(),
                onError: (cause) => cause
              }).pipe(
                Stream.tap((chunk) => Effect.sync(() => (at += chunk.length))),
                Stream.catch((cause) =>
                  tries > 1 && isPassing(cause) ? readFrom(key, range, at, tries - 1) : Stream.fail(cause)
                )
              )
        ),
        // Nothing lies at or after this place.
        Effect.catchIf(
          (cause) => statusOf(cause) === 416,
          () => Effect.succeed(Stream.empty)
        )
      )
    )
  }

  const pages = (Prefix: string) =>
    Stream.paginate(Option.none<string>(), (token) =>
      call((s3, signal) =>
        s3.send(
          new sdk.ListObjectsV2Command({
            Bucket,
            Prefix,
            ...(Option.isNone(token) ? {} : { ContinuationToken: token.value })
          }),
          signal
        )
      ).pipe(
        Effect.map((page) => {
          const next = page.IsTruncated === true ? Option.fromUndefinedOr(page.NextContinuationToken) : Option.none()
          return [page.Contents ?? [], Option.map(next, Option.some)] as const
        })
      )
    )

  const listOlder = (before: DateTime.Utc) =>
    pages(`${prefix}ws_`).pipe(
      Stream.filter(({ LastModified }) => (LastModified?.getTime() ?? Infinity) < DateTime.toEpochMillis(before)),
      Stream.map(({ Key = "" }) => Key.slice(prefix.length)),
      Stream.mapError(unavailable("blobs.list", "no"))
    )

  /** Uploads that nobody has completed: a thousand of a page. */
  const uploads = Stream.paginate({}, (from: UploadMarker) =>
    call((s3, signal) =>
      s3.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: `${prefix}ws_`, ...from }), signal)
    ).pipe(
      Effect.map(({ IsTruncated, NextKeyMarker, NextUploadIdMarker, Uploads = [] }) => {
        const next: UploadMarker = {
          ...(NextKeyMarker === undefined ? {} : { KeyMarker: NextKeyMarker }),
          ...(NextUploadIdMarker === undefined ? {} : { UploadIdMarker: NextUploadIdMarker })
        }
        const goesOn =
          IsTruncated === true && (next.KeyMarker !== from.KeyMarker || next.UploadIdMarker !== from.UploadIdMarker)
        return [Uploads, goesOn ? Option.some(next) : Option.none()] as const
      })
    )
  )

  /** One that can't be taken back keeps none behind it; it fails the whole at its end. */
  const removeAbandoned = Effect.gen(function* () {
    const dayAgo = DateTime.toEpochMillis(DateTime.subtract(yield* DateTime.now, { days: 1 }))
    const old = yield* Stream.runCollect(
      Stream.filter(uploads, ({ Initiated }) => (Initiated?.getTime() ?? Infinity) < dayAgo)
    )
    const [, failures] = yield* Effect.partition(old, ({ Key, UploadId }) =>
      Key === undefined || UploadId === undefined ? Effect.void : abort(Key, UploadId)
    )
    if (failures.length > 0) return yield* Effect.fail(failures[0])
  }).pipe(
    Effect.mapError(unavailable("blobs.removeAbandoned", "unknown")),
    Effect.withSpan("S3BlobStore.removeAbandoned")
  )

  return BlobStore.of({
    write,
    adopt: Option.none(),
    read: (key, range) =>
      range?.length === 0
        ? Stream.empty
        : readFrom(key, range, range?.offset ?? 0, 4).pipe(
            Stream.mapError((cause) =>
              isAbsent(cause) ? new BlobMissing({ key }) : unavailable("blobs.read", "no")(cause)
            )
          ),
    size: Effect.fn("S3BlobStore.size")((key) => Effect.mapError(head(key), unavailable("blobs.size", "no"))),
    remove: Effect.fn("S3BlobStore.remove")((key) =>
      Effect.mapError(removeKey(key), unavailable("blobs.remove", "unknown"))
    ),
    removeAll: Effect.fn("S3BlobStore.removeAll")((workspaceId) =>
      pages(`${prefix}${workspaceId}/`).pipe(
        Stream.mapEffect(({ Key = "" }) => removeKey(Key.slice(prefix.length)), { concurrency: 8 }),
        Stream.runDrain,
        Effect.mapError(unavailable("blobs.removeAll", "unknown"))
      )
    ),
    listOlder,
    removeAbandoned,
    probe: call((s3, signal) =>
      s3.send(new sdk.PutObjectCommand({ Bucket, Key: `${prefix}probe`, Body: new Uint8Array([112]) }), signal)
    ).pipe(Effect.as(`s3://${Bucket}/${prefix}`), Effect.mapError(unavailable("blobs.probe", "no")))
  })
})
