import { AuthExpired } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed, Rejected, Unavailable, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { PreparationStep } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { Publication, PublishMedia } from "@loopbox/core/networks/publishing/Publication"
import { PreparationFailed } from "@loopbox/core/networks/publishing/PublishErrors"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { repeatable } from "../../calls/repeatable.ts"
import { Id, OptionalCount, OptionalName, optionalPart, OptionalText, reader } from "../../payloads/payload.ts"
import { again, pauseAfter, preparationReader, ready } from "../../publishing/preparation.ts"
import type { XApi, XWrite } from "../XApi.ts"

/** How far one file is. */
const Upload = Schema.Struct({
  id: Schema.String,
  /** By it X's timeline names the file: an exact match. */
  mediaKey: Schema.NullOr(Schema.String),
  /** Pieces that X has; null for what is sent at once. */
  pieces: Schema.NullOr(Schema.Int),
  state: Schema.Literals(["sending", "processing", "ready"]),
  isDescribed: Schema.Boolean
})
type Upload = typeof Upload.Type

const Uploads = Schema.Struct({ uploads: Schema.Array(Upload), polls: Schema.Int })
type Uploads = typeof Uploads.Type

/** What is kept of the work at X. */
export const uploadsOf = preparationReader(Uploads, { uploads: [], polls: 0 })

/** X takes pieces of up to 5 MB, and no more than a thousand. */
export const piece_bytes = 4 * 1024 * 1024
const fileWithin = Duration.minutes(2)

const Processing = Schema.Struct({
  state: OptionalName,
  check_after_secs: OptionalCount,
  error: optionalPart(Schema.Struct({ name: OptionalName, message: OptionalText }))
})
const readUpload = reader(
  Schema.Struct({
    data: Schema.Struct({ id: Id, media_key: OptionalName, processing_info: optionalPart(Processing) })
  })
)
/** X says nothing there that matters. */
const readAnything = (value: unknown): Result.Result<unknown, string> => Result.succeed(value)

type Step = Effect.Effect<PreparationStep, ReadFailed | PreparationFailed>

const category = ({ kind }: PublishMedia): string => (kind === "image" ? "tweet_image" : `tweet_${kind}`)

/** What X says of an upload: by its words, for it has no codes (B4.3). */
const refusedUpload = ({ detail, network, networkCode }: Rejected): AuthExpired | PreparationFailed => {
  const shared = { network, networkCode, detail }
  const words = detail.toLowerCase()
  if (words.includes("permitted to perform this action")) {
    return new AuthExpired({ ...shared, reason: "permission", missingScopes: ["media.write"] })
  }
  return words.includes("media ids are invalid")
    ? new PreparationFailed({ ...shared, code: "container_expired", again: "new" })
    : new PreparationFailed({ ...shared, code: "media_rejected", again: "never" })
}

const aboutFile = <A>(write: Effect.Effect<A, WriteFailed>): Effect.Effect<A, ReadFailed | PreparationFailed> =>
  Effect.catchTag(repeatable(write), "Rejected", (error) => Effect.fail(refusedUpload(error)))

const bytesOf = (stream: Stream.Stream<Uint8Array, Unavailable>): Effect.Effect<Uint8Array<ArrayBuffer>, Unavailable> =>
  Effect.map(Stream.runCollect(stream), (chunks) => {
    const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const chunk of chunks) {
      whole.set(chunk, at)
      at += chunk.length
    }
    return whole
  })

/** The fields come before the file: X reads them in this order (B4.3). */
const partsOf = (fields: Readonly<Record<string, string>>, bytes: Uint8Array<ArrayBuffer>, type: string): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append("media", new Blob([bytes], { type }), "media")
  return form
}

/** Puts the files of a post up, which shows nothing to anyone; what is lost is put up again. */
export const xUploads = (api: XApi) => {
  const write = <A>(
    access: AccountAccess,
    call: Omit<XWrite, "timeLimit">,
    read: (body: unknown) => Result.Result<A, string>
  ) => aboutFile(api.write(access, { ...call, timeLimit: fileWithin }, read))

  const atOnce = Effect.fnUntraced(function* (access: AccountAccess, media: PublishMedia) {
    const bytes = yield* bytesOf(media.read())
    const parts = partsOf({ media_category: category(media) }, bytes, media.contentType)
    const call = { path: "/media/upload", endpoint: "POST media/upload", body: { parts } }
    const { data } = yield* write(access, call, readUpload)
    return {
      id: data.id,
      mediaKey: Option.getOrNull(data.media_key),
      pieces: null,
      state: "ready",
      isDescribed: false
    } as const
  })

  const begin = Effect.fnUntraced(function* (access: AccountAccess, media: PublishMedia) {
    const json = { media_type: media.contentType, total_bytes: media.sizeBytes, media_category: category(media) }
    const call = { path: "/media/upload/initialize", endpoint: "POST media/upload/initialize", body: { json } }
    const { data } = yield* write(access, call, readUpload)
    return {
      id: data.id,
      mediaKey: Option.getOrNull(data.media_key),
      pieces: 0,
      state: "sending",
      isDescribed: false
    } as const
  })

  const sendPiece = Effect.fnUntraced(function* (access: AccountAccess, media: PublishMedia, { id, pieces }: Upload) {
    const index = pieces ?? 0
    const offset = index * piece_bytes
    const length = Math.min(piece_bytes, media.sizeBytes - offset)
    const bytes = yield* bytesOf(media.read({ offset, length }))
    const parts = partsOf({ segment_index: String(index) }, bytes, "application/octet-stream")
    const call = { path: `/media/upload/${id}/append`, endpoint: "POST media/upload/append", body: { parts } }
    yield* write(access, call, readAnything)
  })

  /** What X says of its work on a file; nothing said means ready. */
  const judged = (
    upload: Upload,
    { data }: { readonly data: { readonly processing_info: Option.Option<typeof Processing.Type> } }
  ) => {
    if (Option.isNone(data.processing_info))
      return Effect.succeed({ upload: { ...upload, state: "ready" } as const, after: Option.none<number>() })
    const { check_after_secs, error, state } = data.processing_info.value
    if (Option.contains(state, "failed")) {
      const said = Option.flatMap(error, ({ message, name }) => Option.orElse(message, () => name))
      return Effect.fail(
        new PreparationFailed({
          network: "x",
          networkCode: Option.flatMap(error, ({ name }) => name),
          detail: Option.getOrElse(said, () => "X could not process the file").slice(0, 500),
          code: "media_rejected",
          again: "never"
        })
      )
    }
    const isReady = Option.contains(state, "succeeded")
    return Effect.succeed({
      upload: { ...upload, state: isReady ? "ready" : "processing" } as const,
      after: check_after_secs
    })
  }

  const finish = (access: AccountAccess, upload: Upload) =>
    Effect.flatMap(
      write(
        access,
        { path: `/media/upload/${upload.id}/finalize`, endpoint: "POST media/upload/finalize", body: { json: {} } },
        readUpload
      ),
      (answer) => judged(upload, answer)
    )

  const check = (access: AccountAccess, upload: Upload) =>
    Effect.flatMap(
      api.read(
        access,
        {
          path: "/media/upload",
          endpoint: "GET media/upload",
          query: () => ({ command: "STATUS", media_id: upload.id })
        },
        readUpload
      ),
      (answer) => judged(upload, answer)
    )

  const describe = (access: AccountAccess, id: string, text: string) =>
    write(
      access,
      {
        path: "/media/metadata",
        endpoint: "POST media/metadata",
        body: { json: { id, metadata: { alt_text: { text } } } }
      },
      readAnything
    )

  /** The next call for one file. */
  const advance = Effect.fnUntraced(function* (access: AccountAccess, media: PublishMedia, upload: Upload) {
    const stay = (next: Upload) => ({ upload: next, after: Option.none<number>() })
    if (upload.state === "processing") return yield* check(access, upload)
    if (upload.state === "sending") {
      const pieces = upload.pieces ?? 0
      if (pieces * piece_bytes >= media.sizeBytes) return yield* finish(access, upload)
      yield* sendPiece(access, media, upload)
      return stay({ ...upload, pieces: pieces + 1 })
    }
    if (Option.isSome(media.altText) && media.kind !== "video") yield* describe(access, upload.id, media.altText.value)
    return stay({ ...upload, isDescribed: true })
  })

  const isDone = ({ altText }: PublishMedia, { isDescribed, state }: Upload): boolean =>
    state === "ready" && (isDescribed || Option.isNone(altText))

  return (access: AccountAccess, { media }: Publication, kept: Uploads): Step =>
    Effect.gen(function* () {
      const { polls, uploads } = kept
      const place = media.findIndex((one, i) => {
        const upload = uploads[i]
        return upload === undefined || !isDone(one, upload)
      })
      const one = media[place]
      if (one === undefined) return ready(kept)
      const upload = uploads[place]
      if (upload === undefined) {
        const made = yield* one.kind === "image" ? atOnce(access, one) : begin(access, one)
        return again({ uploads: [...uploads, made], polls: 0 })
      }
      const { after, upload: next } = yield* advance(access, one, upload)
      const others = uploads.map((other, i) => (i === place ? next : other))
      if (next.state !== "processing") return again({ uploads: others, polls: 0 })
      const pause = Option.match(after, { onNone: () => pauseAfter(polls), onSome: (secs) => Duration.seconds(secs) })
      return again({ uploads: others, polls: polls + 1 }, pause)
    })
}
