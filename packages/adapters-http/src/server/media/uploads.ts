import { contentTypes } from "@loopbox/core/media/ContentType"
import { type MediaLibrary, maxMediaBytes } from "@loopbox/core/media/MediaLibrary"
import { MediaTooLarge, UnsupportedMedia, UploadSizeMismatch } from "@loopbox/core/media/MediaErrors"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { ReservationBody } from "../../api/media/MediaApi.ts"
import { judgeFilename, judgeFilenameHeader, toFilename } from "./filename.ts"
import { InvalidRequest, invalid } from "../edge/issues.ts"
import { emptyBody } from "./mediaRefusals.ts"
import { readFormFile } from "./multipartFile.ts"
import { contentLengthOf, mediaTypeOf, readJson } from "../edge/readJson.ts"

type Library = MediaLibrary["Service"]

const tooLarge = new MediaTooLarge({ limitBytes: maxMediaBytes })

/** The request's body as it comes; the socket waits while nobody pulls. */
const bodyOf = (request: HttpServerRequest.HttpServerRequest) =>
  Stream.mapError(request.stream, () => invalid("body", "broke off"))

const uploadBytes = Effect.fnUntraced(function* (library: Library, workspace: Workspace) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const filename = judgeFilenameHeader(request.headers["x-filename"])
  if (Result.isFailure(filename)) {
    const empty = contentLengthOf(request) === 0 ? [emptyBody] : []
    return yield* new InvalidRequest({ issues: [filename.failure, ...empty] })
  }
  if ((contentLengthOf(request) ?? 0) > maxMediaBytes) return yield* tooLarge
  return yield* library.upload({
    workspace,
    declaredType: Option.fromUndefinedOr(request.headers["content-type"]),
    filename: filename.success,
    bytes: bodyOf(request)
  })
})

/** Bytes that a form needs besides its file's, at most. */
const formBytes = 1024 * 1024

const uploadForm = Effect.fnUntraced(function* (library: Library, workspace: Workspace) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if ((contentLengthOf(request) ?? 0) > maxMediaBytes + formBytes) return yield* tooLarge
  const file = yield* readFormFile
  const filename = judgeFilename("file", file.name)
  if (Result.isFailure(filename)) return yield* new InvalidRequest({ issues: [filename.failure] })
  return yield* library.upload({
    workspace,
    declaredType: Option.some(file.contentType),
    filename: filename.success,
    bytes: file.bytes
  })
})

const isContentType = (type: string) => contentTypes.find((known) => known === type)

const reserve = Effect.fnUntraced(function* (library: Library, workspace: Workspace) {
  const body = yield* readJson(ReservationBody)
  const filename = toFilename(body.filename)
  const sizeBytes = Option.fromNullishOr(body.size_bytes)
  const contentType = isContentType(body.content_type.toLowerCase())
  if (contentType === undefined) {
    return yield* new UnsupportedMedia({ declared: Option.some(body.content_type), found: Option.none() })
  }
  if (Option.exists(sizeBytes, (size) => size > maxMediaBytes)) return yield* tooLarge
  return yield* library.reserve({ workspaceId: workspace.id, contentType, filename, sizeBytes })
})

/** `POST /v1/media`: its Content-Type says which of the three kinds it is. */
export const receiveUpload = Effect.fnUntraced(function* (library: Library, workspace: Workspace) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  switch (mediaTypeOf(headers["content-type"])) {
    case "":
    case "application/json":
      return yield* reserve(library, workspace)
    case "multipart/form-data":
      return yield* uploadForm(library, workspace)
    // A form's file may come so, since its sender seldom chooses the type; bytes alone come with theirs (api.md §5).
    case "application/octet-stream":
    case "binary/octet-stream":
      return yield* new UnsupportedMedia({
        declared: Option.fromUndefinedOr(headers["content-type"]),
        found: Option.none()
      })
    default:
      return yield* uploadBytes(library, workspace)
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
