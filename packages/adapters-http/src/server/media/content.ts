import type { BlobRange } from "@loopbox/core/media/BlobStore"
import type { ReadyMedia } from "@loopbox/core/media/Media"
import type { BlobLinker } from "@loopbox/core/media/BlobLinks"
import type { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isNamedStrongly, isNamedWeakly, judgeRange, type RangeVerdict } from "./contentRange.ts"
import { contentDisposition } from "./filename.ts"
import { refuse, setAnswerHeaders } from "../edge/refuse.ts"

const extensions: Record<ReadyMedia["contentType"], string> = {
  "image/gif": "gif",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/heic": "heic",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/aac": "aac",
  "audio/mp4": "m4a"
}

const etagOf = (media: ReadyMedia) => `"${media.sha256}"`

const headersOf = (media: ReadyMedia) => ({
  etag: etagOf(media),
  "accept-ranges": "bytes",
  // The bytes of a file never change, but whether the reader may have them does.
  "cache-control": "private, no-cache",
  "content-disposition": contentDisposition(
    Option.getOrElse(media.filename, () => `${media.id}.${extensions[media.contentType]}`)
  ),
  // A file is what a customer gave us; opened as a page it may do nothing.
  "content-security-policy": "default-src 'none'; sandbox"
})

/** The wanted part, for GET alone and only while the file is what `If-Range` says (RFC 9110 §13.1.5, §14.2). */
const wantedRange = (request: HttpServerRequest.HttpServerRequest, media: ReadyMedia): RangeVerdict => {
  const ifRange = request.headers["if-range"]
  const isStale = ifRange !== undefined && ifRange.trim() !== etagOf(media)
  return judgeRange(request.method === "GET" && !isStale ? request.headers["range"] : undefined, media.sizeBytes)
}

/**
 * The bytes as a stream that is known to have begun: what cannot be read is refused while that can still be said.
 *
 * It lives as long as the request, so it is closed also when the client goes away in the middle.
 */
const begunStream = Effect.fnUntraced(function* (
  library: MediaLibrary["Service"],
  media: ReadyMedia,
  range?: BlobRange
) {
  const pull = yield* Stream.toPull(library.read(media, range))
  const first = yield* Effect.catchTag(pull, "Done", () => Effect.succeed([]))
  return Stream.concat(Stream.fromArray(first), Stream.fromPull(Effect.succeed(pull)))
})

/**
 * Whether the bytes may come from the store itself. Who sends our tag along would send it to the store too, which has another
 * one.
 */
const mayRedirect = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  method === "GET" && headers["if-match"] === undefined && headers["if-range"] === undefined

/** Answers with a file's bytes as RFC 9110 has it, or with an address of the store's where a linker is given. */
export const serveContent = Effect.fnUntraced(function* (
  library: MediaLibrary["Service"],
  media: ReadyMedia,
  linker: Option.Option<BlobLinker>
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = request.headers
  const headers = headersOf(media)
  if (ifMatch !== undefined && !isNamedStrongly(ifMatch, headers.etag)) {
    return yield* refuse("PRECONDITION_FAILED")
  }
  if (ifNoneMatch !== undefined && isNamedWeakly(ifNoneMatch, headers.etag)) {
    return HttpServerResponse.empty({
      status: 304,
      headers: { etag: headers.etag, "cache-control": headers["cache-control"] }
    })
  }
  const wanted = wantedRange(request, media)
  if (wanted._tag === "Unsatisfiable") {
    yield* setAnswerHeaders({ "content-range": `bytes */${media.sizeBytes}`, "accept-ranges": "bytes" })
    return yield* refuse("RANGE_NOT_SATISFIABLE", `The file has ${media.sizeBytes} bytes.`)
  }
  if (Option.isSome(linker) && mayRedirect(request)) {
    const url = yield* linker.value(media.blobKey, {
      contentType: media.contentType,
      contentDisposition: headers["content-disposition"],
      cacheControl: headers["cache-control"]
    })
    return HttpServerResponse.redirect(url, { status: 302, headers: { "cache-control": "private, no-store" } })
  }
  const range = wanted._tag === "Part" ? wanted.range : undefined
  const stream = request.method === "HEAD" ? Stream.empty : yield* begunStream(library, media, range)
  const contentLength = range?.length ?? media.sizeBytes
  if (range === undefined) {
    return HttpServerResponse.stream(stream, { headers, contentType: media.contentType, contentLength })
  }
  return HttpServerResponse.stream(stream, {
    status: 206,
    headers: {
      ...headers,
      "content-range": `bytes ${range.offset}-${range.offset + range.length - 1}/${media.sizeBytes}`
    },
    contentType: media.contentType,
    contentLength
  })
})
