import type { BlobRange } from "@loopbox/core/media/BlobStore"
import { TrackFacts, type TrackedFile, type TrackReader, type Tracks } from "@loopbox/core/media/TrackFacts"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { IAudioMetadata } from "music-metadata"
import { budget_bytes } from "./budget.ts"

/** How long the library may take for a file; an upload waits for it. */
const patience = Duration.seconds(10)

/** The sound of these files. */
const soundNames: Record<Exclude<TrackedFile, "video/webm">, string> = {
  "audio/mpeg": "mp3",
  "audio/wav": "pcm",
  "audio/aac": "aac"
}

const positive = (value: number | undefined) =>
  Option.filter(Option.fromUndefinedOr(value), (one) => Number.isFinite(one) && one > 0)

const side = (value: number | undefined) => Option.filter(positive(value), Number.isInteger)

/** Matroska's number of the kind of a track. */
const pictures = 1
const sound = 2

const named = (prefix: string, name: string | undefined) =>
  Option.map(Option.fromUndefinedOr(name), (text) => `${prefix}${text.slice(0, 32)}`)

const toTracks = (contentType: TrackedFile, { format }: IAudioMetadata): Option.Option<Tracks> => {
  const durationMs = Option.filter(
    Option.map(positive(format.duration), (seconds) => Math.round(seconds * 1000)),
    (value) => value > 0 && Number.isSafeInteger(value)
  )
  if (contentType !== "video/webm") {
    // The library says of anything that it has sound; of what it found it knows the samples a second.
    if (Option.isNone(positive(format.sampleRate))) return Option.none()
    const audioCodec = Option.some(soundNames[contentType])
    return Option.some({ durationMs, size: Option.none(), videoCodec: Option.none(), audioCodec })
  }
  const picture = format.trackInfo.find(({ type }) => type === pictures)
  const heard = format.trackInfo.find(({ type }) => type === sound)
  if (picture === undefined && heard === undefined) return Option.none()
  return Option.some({
    durationMs,
    size: Option.all({ width: side(picture?.video?.pixelWidth), height: side(picture?.video?.pixelHeight) }),
    videoCodec: picture === undefined ? Option.none() : named("V_", picture.codecName),
    audioCodec: heard === undefined ? Option.none() : named("A_", heard.codecName)
  })
}

/** Whether the length is counted piece by piece where no header says it. */
const isCounted = (contentType: TrackedFile, size_bytes: number) =>
  contentType !== "video/webm" && size_bytes <= budget_bytes

const tracksOf: TrackReader = <E>(
  contentType: TrackedFile,
  size_bytes: number,
  read: (range: BlobRange) => Effect.Effect<Uint8Array, E>
) =>
  Effect.gen(function* () {
    const runExit = Effect.runPromiseExitWith(yield* Effect.context())
    let unread = Option.none<Cause.Cause<E>>()
    const parsed = yield* Effect.tryPromise(async (signal) => {
      // Loaded by the first file that needs it.
      const [{ parseFromTokenizer }, { BoundedTokenizer }] = await Promise.all([
        import("music-metadata"),
        import("./BoundedTokenizer.ts")
      ])
      const readNow = async (range: BlobRange) => {
        const exit = await runExit(read(range), { signal })
        if (Exit.isSuccess(exit)) return exit.value
        unread = Option.some(exit.cause)
        throw new Error("the file could not be read")
      }
      const tokenizer = new BoundedTokenizer({ size: size_bytes, mimeType: contentType }, readNow, signal)
      return parseFromTokenizer(tokenizer, {
        duration: isCounted(contentType, size_bytes),
        skipCovers: true,
        skipPostHeaders: true
      })
    }).pipe(Effect.timeout(patience), Effect.option)
    if (Option.isSome(unread)) return yield* Effect.failCause(unread.value)
    return Option.flatMap(parsed, (metadata) => toTracks(contentType, metadata))
  })

/** Tracks of sound files and WebM by the library `music-metadata`, which throws where a file is broken. */
export const layer: Layer.Layer<never> = Layer.succeed(TrackFacts, tracksOf)
