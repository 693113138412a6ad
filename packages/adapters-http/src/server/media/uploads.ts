import { contentTypes } from "@loopbox/core/media/ContentType"
import { type MediaLibrary, maxMediaBytes } from "@loopbox/core/media/MediaLibrary"
import { MediaTooLarge, UnsupportedMedia, UploadSizeMismatch } from "@loopbox/core/media/MediaErrors"
import type { Media } from "@loopbox/core/media/Media"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { ReservationBody } from "../../api/media/MediaApi.ts"
import { toOurType } from "../compatibility/unipostRequests.ts"
import type { HttpSettings } from "../system/HttpSettings.ts"
import { judgeFilename, judgeFilenameHeader, toFilename } from "./filename.ts"
import { InvalidRequest, invalid } from "../edge/issues.ts"
import { emptyBody } from "./mediaRefusals.ts"
import { readFormFile } from "./multipartFile.ts"
import { contentLengthOf, mediaTypeOf, readJson } from "../edge/readJson.ts"

type Library = MediaLibrary["Service"]

const tooLarge = new MediaTooLarge({ limitBytes: maxMediaBytes })

type Mode = HttpSettings["Service"]["compatibility"]

const toKnownType = (mode: Mode, type: string) => (Option.isSome(mode) ? toOurType(type) : type)

/** The request's body as it comes; the socket waits while nobody pulls. */
const bodyOf = (request: HttpServerRequest.HttpServerRequest) =>
  Stream.mapError(request.stream, () => invalid("body", "broke off"))

const uploadBytes = Effect.fnUntraced(function* (library: Library, workspace: Workspace, mode: Mode) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const filename = judgeFilenameHeader(request.headers["x-filename"])
  if (Result.isFailure(filename)) {
    const empty = contentLengthOf(request) === 0 ? [emptyBody] : []
    return yield* new InvalidRequest({ issues: [filename.failure, ...empty] })
  }
  if ((contentLengthOf(request) ?? 0) > maxMediaBytes) return yield* tooLarge
  return yield* library.upload({
    workspace,
    declaredType: Option.map(Option.fromUndefinedOr(request.headers["content-type"]), (type) =>
      toKnownType(mode, type)
    ),
    filename: filename.success,
    bytes: bodyOf(request)
  })
})

/** Bytes that a form needs besides its file's, at most. */
const formBytes = 1024 * 1024

const uploadForm = Effect.fnUntraced(function* (library: Library, workspace: Workspace, mode: Mode) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if ((contentLengthOf(request) ?? 0) > maxMediaBytes + formBytes) return yield* tooLarge
  const file = yield* readFormFile
  const filename = judgeFilename("file", file.name)
  if (Result.isFailure(filename)) return yield* new InvalidRequest({ issues: [filename.failure] })
  return yield* library.upload({
    workspace,
    declaredType: Option.some(toKnownType(mode, file.contentType)),
    filename: filename.success,
    bytes: file.bytes
  })
})

/** As UniPost's clients send it. */
const HashedReservationBody = Schema.Struct({
  ...ReservationBody.fields,
  content_hash: Schema.optionalKey(
    Schema.NullOr(Schema.String.check(Schema.isMaxLength(256, { message: "must have at most 256 characters" })))
  )
})
type HashedReservation = typeof HashedReservationBody.Type

const isContentType = (type: string) => contentTypes.find((known) => known === type)

/** A record that an upload made, or one that a reservation found. */
export interface Received {
  readonly media: Media
  readonly isNew: boolean
}

const asNew = (media: Media): Received => ({ media, isNew: true })

const reserve = Effect.fnUntraced(function* (library: Library, workspace: Workspace, compatibility: Mode) {
  const body: HashedReservation = yield* readJson(
    Option.isSome(compatibility) ? HashedReservationBody : ReservationBody
  )
  const filename = toFilename(body.filename)
  const sizeBytes = Option.fromNullishOr(body.size_bytes)
  const contentType = isContentType(toKnownType(compatibility, body.content_type).toLowerCase())
  if (contentType === undefined) {
    return yield* new UnsupportedMedia({ declared: Option.some(body.content_type), found: Option.none() })
  }
  if (Option.exists(sizeBytes, (size) => size > maxMediaBytes)) return yield* tooLarge
  const reservation = { workspaceId: workspace.id, contentType, filename, sizeBytes }
  const hash = body.content_hash ?? ""
  return hash === "" ? asNew(yield* library.reserve(reservation)) : yield* library.reserveOnce(reservation, hash)
})

/** `POST /v1/media`: its Content-Type says which of the three kinds it is. */
export const receiveUpload = Effect.fnUntraced(function* (library: Library, workspace: Workspace, mode: Mode) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  switch (mediaTypeOf(headers["content-type"])) {
    case "":
    case "application/json":
      return yield* reserve(library, workspace, mode)
    case "multipart/form-data":
      return asNew(yield* uploadForm(library, workspace, mode))
    // A form's file may come so, since its sender seldom chooses the type; bytes alone come with theirs (api.md §5).
    case "application/octet-stream":
    case "binary/octet-stream":
      return yield* new UnsupportedMedia({
        declared: Option.fromUndefinedOr(headers["content-type"]),
        found: Option.none()
      })
    default:
      return asNew(yield* uploadBytes(library, workspace, mode))
  }
})

/** `PUT upload_url`: a body whose length cannot be right is refused before it is read. */
export const finishUpload = Effect.fnUntraced(function* (library: Library, id: string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const length = contentLengthOf(request)
  if ((length ?? 0) > maxMediaBytes) return yield* tooLarge
  const media = yield* library.findLinked(id)
  const declared = media._tag === "PendingMedia" ? Option.getOrUndefined(media.declaredSize) : undefined
  if (declared !== undefined && length !== undefined && length !== declared) {
    return yield* new UploadSizeMismatch({ declared, received: length })
  }
  return yield* library.finish(id, bodyOf(request))
})
