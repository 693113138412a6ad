import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { BlobMissing, BlobRange, BlobStore } from "./BlobStore.ts"
import { gifLimits } from "./gif/GifLimits.ts"
import { makeGifScan } from "./gif/scanGif.ts"
import type { ReadyMedia, StoredBytes } from "./Media.ts"
import type { MediaTraits } from "./MediaTraits.ts"
import { findMovie } from "./mp4/findMovie.ts"
import { readMovie } from "./mp4/readMovie.ts"
import { pictureHead_bytes, type PictureSizer, type SizedPicture } from "./PictureSizes.ts"
import type { TrackedFile, TrackReader } from "./TrackFacts.ts"

/** What an examination finds out. */
export type Examined = Pick<StoredBytes, "width" | "height" | "durationMs" | "traits">

/** The libraries' part in it. */
export interface FileReaders {
  readonly sizeOf: PictureSizer
  readonly tracksOf: TrackReader
}

type Stored = Pick<ReadyMedia, "blobKey" | "contentType" | "sizeBytes">
type Reading<A> = Effect.Effect<A, BlobMissing | StoreUnavailable>

const noTraits: MediaTraits = {
  frameRate: Option.none(),
  frames: Option.none(),
  videoCodec: Option.none(),
  audioCodec: Option.none()
}

const unknown: Examined = {
  width: Option.none(),
  height: Option.none(),
  durationMs: Option.none(),
  traits: Option.some(noTraits)
}

const known = (value: number | undefined): Option.Option<number> =>
  value === undefined || value === 0 ? Option.none() : Option.some(value)

const readPart = (blobs: BlobStore["Service"], key: string, range: BlobRange): Reading<Uint8Array> =>
  Effect.map(Stream.runCollect(blobs.read(key, range)), (chunks) => {
    const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0))
    let at = 0
    for (const chunk of chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    return bytes
  })

/** Reads a whole GIF, unless it is longer than any use of it allows. */
const examineGif = Effect.fnUntraced(function* (blobs: BlobStore["Service"], { blobKey, sizeBytes }: Stored) {
  if (sizeBytes > gifLimits.size_bytes) return unknown
  const scanner = makeGifScan()
  yield* blobs.read(blobKey).pipe(
    Stream.takeUntil((chunk) => {
      scanner.push(chunk)
      return scanner.isDone()
    }),
    Stream.runDrain
  )
  const { frames, height, width } = scanner.soFar()
  return {
    width: known(width),
    height: known(height),
    durationMs: Option.none<number>(),
    traits: Option.some({ ...noTraits, frames: known(frames) })
  }
})

const examineMovie = Effect.fnUntraced(function* (blobs: BlobStore["Service"], { blobKey, sizeBytes }: Stored) {
  const payload = yield* findMovie(sizeBytes, (range) => readPart(blobs, blobKey, range))
  if (Option.isNone(payload)) return unknown
  const facts = readMovie(payload.value)
  return {
    width: known(facts.width),
    height: known(facts.height),
    durationMs: known(facts.durationMs),
    traits: Option.some({
      ...noTraits,
      frameRate: known(facts.frameRate),
      videoCodec: Option.fromUndefinedOr(facts.videoCodec),
      audioCodec: Option.fromUndefinedOr(facts.audioCodec)
    })
  }
})

const examinePicture = Effect.fnUntraced(function* (
  blobs: BlobStore["Service"],
  sizeOf: PictureSizer,
  contentType: SizedPicture,
  { blobKey, sizeBytes }: Stored
) {
  const head = yield* readPart(blobs, blobKey, { offset: 0, length: Math.min(pictureHead_bytes, sizeBytes) })
  const size = sizeOf(contentType, head)
  return {
    ...unknown,
    width: Option.map(size, ({ width }) => width),
    height: Option.map(size, ({ height }) => height)
  }
})

const examineTracks = Effect.fnUntraced(function* (
  blobs: BlobStore["Service"],
  tracksOf: TrackReader,
  contentType: TrackedFile,
  { blobKey, sizeBytes }: Stored
) {
  const tracks = yield* tracksOf(contentType, sizeBytes, (range) => readPart(blobs, blobKey, range))
  if (Option.isNone(tracks)) return unknown
  const { audioCodec, durationMs, size, videoCodec } = tracks.value
  return {
    width: Option.map(size, ({ width }) => width),
    height: Option.map(size, ({ height }) => height),
    durationMs,
    traits: Option.some({ ...noTraits, videoCodec, audioCodec })
  }
})

/**
 * Reads what the bytes of a stored file say of it. Bytes that say nothing, or nothing true, leave their facts unknown.
 *
 * Bounded, whatever the bytes are: a GIF is read once up to the size that may be converted, of other files a few parts.
 */
export const examine = (
  blobs: BlobStore["Service"],
  { sizeOf, tracksOf }: FileReaders,
  stored: Stored
): Reading<Examined> => {
  const { contentType } = stored
  switch (contentType) {
    case "image/gif":
      return examineGif(blobs, stored)
    case "image/jpeg":
    case "image/png":
    case "image/webp":
      return examinePicture(blobs, sizeOf, contentType, stored)
    case "video/mp4":
    case "video/quicktime":
    case "audio/mp4":
      return examineMovie(blobs, stored)
    case "video/webm":
    case "audio/mpeg":
    case "audio/wav":
    case "audio/aac":
      return examineTracks(blobs, tracksOf, contentType, stored)
    case "image/heic":
      return Effect.succeed(unknown)
  }
}

/** What was found out, and otherwise what was known before. */
export const orKnown = (found: Examined, before: Examined): Examined => ({
  width: Option.orElse(found.width, () => before.width),
  height: Option.orElse(found.height, () => before.height),
  durationMs: Option.orElse(found.durationMs, () => before.durationMs),
  traits: found.traits
})
