import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { BlobMissing, BlobStore } from "../media/BlobStore.ts"
import type { ReadyMedia } from "../media/Media.ts"
import { JobFailed } from "../jobs/JobErrors.ts"
import type { JobFailure } from "../jobs/MediaJob.ts"
import type { RenderedVideo } from "../jobs/RenderedVideo.ts"
import type { MediaTraits } from "../media/MediaTraits.ts"
import { readStored } from "../media/readStored.ts"
import type { ConversionFailureCode } from "./ConversionJob.ts"
import type { ConversionClaim } from "./ConversionStore.ts"
import { failure, machineFailure } from "./failures.ts"
import { type CanonicalPiece, canonicalPieces, makeCanonicalWriter } from "./gif/canonicalGif.ts"
import { renderPlan } from "./gif/renderPlan.ts"
import type { GifFacts, GifVerdict } from "../media/gif/GifFacts.ts"
import { type GifScanOptions, makeGifScan } from "../media/gif/scanGif.ts"
import { encodeUnfollowed } from "./encodeUnfollowed.ts"
import type { GifEncoder } from "./GifEncoder.ts"
import type { EncodeFailed } from "../encoding/EncodeFailed.ts"

export interface RenderPorts {
  readonly blobs: BlobStore["Service"]
  readonly encoder: GifEncoder["Service"]
  readonly maxOutputBytes: number
}

type ConversionFailed = JobFailed<ConversionFailureCode>

const failed = (reason: JobFailure<ConversionFailureCode>): Effect.Effect<never, ConversionFailed> =>
  Effect.fail(new JobFailed({ failure: reason }))

/** What every video of the profile `universal_mp4_v1` is. */
const universalMp4Traits: MediaTraits = {
  frameRate: Option.some(30),
  frames: Option.none(),
  videoCodec: Option.some("avc1"),
  audioCodec: Option.none()
}

const toMp4Name = (name: string): string => `${name.replace(/\.gif$/i, "")}.mp4`

/** Shares of a job's progress: the scan is short, and storing the video comes last. */
const scannedShare = 0.02
const encodedShare = 0.98

const failureOfReason: Record<EncodeFailed["reason"], JobFailure<ConversionFailureCode>> = {
  Undecodable: failure("gif_decode_failed"),
  OutputTooLarge: failure("output_size_exceeded"),
  Rejected: failure("gif_conversion_failed"),
  MachineFailed: machineFailure
}

/** A video that grew too large shows that the encoder works. */
const encoderFailed = (reason: EncodeFailed["reason"]): Effect.Effect<never, ConversionFailed> =>
  Effect.fail(new JobFailed({ failure: failureOfReason[reason], suspectsEncoder: reason !== "OutputTooLarge" }))

const inputGone = () => failed(failure("input_media_unavailable"))

const storeFailed = (error: StoreUnavailable) =>
  Effect.andThen(Effect.logWarning("the blob store failed under a conversion", error), failed(machineFailure))

/** Scans the upload without decoding it: returns the facts, or fails with the verdict. */
const scan = Effect.fn("render.scan")(function* (
  blobs: BlobStore["Service"],
  input: ReadyMedia,
  options: GifScanOptions
) {
  const scanner = makeGifScan(options)
  yield* readStored(blobs, input).pipe(
    Stream.takeUntil((chunk) => {
      scanner.push(chunk)
      return scanner.isDone()
    }),
    Stream.runDrain
  )
  return yield* Effect.fromResult(scanner.finish())
})

/** Reads the upload once more, as the canonical GIF for the encoder. */
const canonicalStream = (
  blobs: BlobStore["Service"],
  input: ReadyMedia,
  pieces: ReadonlyArray<CanonicalPiece>
): Stream.Stream<Uint8Array, BlobMissing | StoreUnavailable> =>
  Stream.suspend(() => {
    const writer = makeCanonicalWriter(pieces)
    return readStored(blobs, input).pipe(
      Stream.map(writer.push),
      Stream.takeUntil(() => writer.isDone()),
      Stream.filter((chunk) => chunk.length > 0)
    )
  })

/**
 * Encodes the video of a claimed job. Fails with the failure for the customer. The video exists until the scope closes.
 */
export const render = Effect.fn("render")(function* (
  { blobs, encoder, maxOutputBytes }: RenderPorts,
  claim: ConversionClaim,
  onProgress: (fraction: number) => Effect.Effect<void>
): Effect.fn.Return<RenderedVideo, ConversionFailed, Scope.Scope> {
  const { backgroundColor, gifMediaId } = claim.job.task
  const input = claim.inputs.get(gifMediaId)
  if (input === undefined) return yield* inputGone()
  const ended = <A, R>(
    effect: Effect.Effect<A, GifVerdict | EncodeFailed | BlobMissing | StoreUnavailable, R>
  ): Effect.Effect<A, ConversionFailed, R> =>
    Effect.catchTags(effect, {
      GifVerdict: ({ code }) => failed(failure(code)),
      EncodeFailed: (error) =>
        Effect.andThen(Effect.logWarning(`the encoder failed: ${error.detail}`, error), encoderFailed(error.reason)),
      BlobMissing: inputGone,
      StoreUnavailable: storeFailed
    })
  const facts = yield* ended(scan(blobs, input, { followsData: false }))
  yield* onProgress(scannedShare)
  const plan = renderPlan(facts, backgroundColor)
  const isGiven = yield* Latch.make()
  const encode = (found: GifFacts) =>
    encoder
      .encode({
        name: `${claim.job.id}-${claim.token}`,
        plan,
        gif: canonicalStream(blobs, input, canonicalPieces(found, backgroundColor)).pipe(Stream.ensuring(isGiven.open)),
        onProgress: (fraction) => onProgress(scannedShare + fraction * (encodedShare - scannedShare)),
        maxOutput_bytes: maxOutputBytes
      })
      // An encoder that could not begin has not asked for the GIF.
      .pipe(Effect.ensuring(isGiven.open))
  const follow = Effect.andThen(isGiven.await, scan(blobs, input, { followsData: true }))
  const video = yield* ended(encodeUnfollowed(facts, follow, encode))
  return {
    video,
    filename: Option.map(input.filename, toMp4Name),
    width: plan.width,
    height: plan.height,
    durationMs: plan.duration_ms,
    // As `checkVideo` has just seen it.
    traits: universalMp4Traits
  }
})
