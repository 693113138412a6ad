import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { BlobStore } from "./BlobStore.ts"
import type { ContentType } from "./ContentType.ts"
import { examine, type Examined, orKnown, type FileReaders } from "./examine.ts"
import { type Inspection, inspectBytes, inspectedBytes } from "./inspectBytes.ts"
import { EmptyUpload, MediaTooLarge, UnsupportedMedia } from "./MediaErrors.ts"

/** Generic types, from clients that do not know what they send. */
const unspecific = new Set(["application/octet-stream", "binary/octet-stream"])

/** Other names of supported types. */
const synonyms: Readonly<Record<string, ContentType>> = {
  "image/jpg": "image/jpeg",
  "image/heif": "image/heic",
  "audio/mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "audio/aacp": "audio/aac",
  "audio/x-m4a": "audio/mp4",
  "audio/m4a": "audio/mp4"
}

const judge = (
  declaredType: Option.Option<string>,
  found: Inspection | undefined
): Effect.Effect<Inspection, UnsupportedMedia> => {
  const declared = Option.map(declaredType, (type) => type.split(";")[0]?.trim().toLowerCase() ?? "").pipe(
    Option.filter((type) => !unspecific.has(type)),
    Option.map((type) => synonyms[type] ?? type)
  )
  const refused = Effect.fail(
    new UnsupportedMedia({ declared: declaredType, found: Option.fromUndefinedOr(found?.contentType) })
  )
  if (found === undefined) return refused
  if (Option.isNone(declared) || declared.value === found.contentType) return Effect.succeed(found)
  // Audio and video use the same container, and the first bytes do not always show which it is.
  if (declared.value !== "audio/mp4" || found.mayBeSound !== true) return refused
  return Effect.succeed({ ...found, contentType: "audio/mp4" })
}

/** Counts the bytes of a stream, collects the first ones, and judges them as soon as there are enough. */
const makeInspector = (declaredType: Option.Option<string>, maxBytes: number) => {
  let total = 0
  const head = new Uint8Array(inspectedBytes)
  let length = 0
  let verdict: Inspection | undefined
  const decide = () =>
    Effect.map(judge(declaredType, inspectBytes(head.subarray(0, length))), (inspection) => {
      verdict = inspection
      return inspection
    })
  return {
    pass: (chunk: Uint8Array): Effect.Effect<void, UnsupportedMedia | MediaTooLarge> => {
      total += chunk.length
      if (total > maxBytes) return Effect.fail(new MediaTooLarge({ limitBytes: maxBytes }))
      if (verdict !== undefined) return Effect.void
      const taken = chunk.subarray(0, head.length - length)
      head.set(taken, length)
      length += taken.length
      return length < head.length ? Effect.void : Effect.asVoid(decide())
    },
    /** Judges a file at its end, for files shorter than `inspectedBytes`. */
    finish: Effect.suspend((): Effect.Effect<Inspection, UnsupportedMedia | EmptyUpload> => {
      if (verdict !== undefined) return Effect.succeed(verdict)
      return length === 0 ? Effect.fail(new EmptyUpload()) : decide()
    })
  }
}

/** Without an answer of the blob store the file stays unexamined, and whoever needs its facts asks again. */
const examineNow = (
  blobs: BlobStore["Service"],
  readers: FileReaders,
  stored: Examined & Parameters<typeof examine>[2]
): Effect.Effect<Examined> =>
  examine(blobs, readers, stored).pipe(
    Effect.map((found) => orKnown(found, stored)),
    Effect.catch((error) => Effect.as(Effect.logWarning("an upload was not examined", error), stored))
  )

/**
 * Stores the bytes of an upload under `blobKey` and returns what they are.
 *
 * The bytes decide the type. Bytes that are refused, or a stream that fails, leave nothing.
 */
export const receive = Effect.fnUntraced(function* <E>(
  blobs: BlobStore["Service"],
  readers: FileReaders,
  upload: {
    readonly blobKey: string
    readonly bytes: Stream.Stream<Uint8Array, E>
    readonly declaredType: Option.Option<string>
    readonly maxBytes: number
  }
) {
  const inspector = makeInspector(upload.declaredType, upload.maxBytes)
  const facts = yield* blobs.write(
    upload.blobKey,
    // A file shorter than `inspectedBytes` is judged inside the stream, so that nothing of a refused file is stored.
    upload.bytes.pipe(Stream.tap(inspector.pass), Stream.concat(Stream.fromEffectDrain(inspector.finish)))
  )
  const { contentType, size } = yield* inspector.finish
  const stored = {
    blobKey: upload.blobKey,
    contentType,
    sizeBytes: facts.sizeBytes,
    sha256: facts.sha256,
    width: Option.fromUndefinedOr(size?.width),
    height: Option.fromUndefinedOr(size?.height),
    durationMs: Option.none(),
    traits: Option.none()
  }
  const { durationMs, height, traits, width } = yield* examineNow(blobs, readers, stored)
  return { ...stored, width, height, durationMs, traits }
})
