import { contentTypes } from "@loopbox/core/media/ContentType"
import type { MediaTooLarge, UnsupportedMedia, UploadSizeMismatch } from "@loopbox/core/media/MediaErrors"
import * as Option from "effect/Option"
import { jsonRefusals } from "../edge/readJson.ts"
import { refuse, refuseUnauthorized } from "../edge/refuse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { mediaRequestRefusal, refuseMediaRequest } from "../edge/Validation.ts"

const notFound = () => refuse("media_not_found")

const unsupported = ({ found }: UnsupportedMedia) =>
  refuse(
    "UNSUPPORTED_MEDIA_TYPE",
    Option.match(found, {
      onNone: () => `This is no type that can be stored. Send one of ${contentTypes.join(", ")}.`,
      onSome: (type) => `The bytes are ${type}, but another Content-Type was declared.`
    })
  )

const tooLarge = ({ limitBytes }: MediaTooLarge) =>
  refuse("PAYLOAD_TOO_LARGE", `A file may have at most ${limitBytes} bytes.`)

export const emptyBody = { path: "body", message: "must not be empty" }

const bytesRefusals = {
  ...mediaRequestRefusal,
  UnsupportedMedia: unsupported,
  EmptyUpload: () => refuseMediaRequest([emptyBody]),
  MediaTooLarge: tooLarge,
  StoreUnavailable: refuseStore
}

/** Refusals of `POST /v1/media`, of each of its three kinds. */
export const uploadRefusals = {
  ...jsonRefusals,
  ...bytesRefusals,
  WorkspaceErased: () => refuseUnauthorized("The workspace of this key was erased.")
}

/** Refusals of a PUT to an `upload_url`. */
export const finishRefusals = {
  ...bytesRefusals,
  UploadSizeMismatch: ({ declared, received }: UploadSizeMismatch) =>
    refuseMediaRequest([
      { path: "body", message: `must have the ${declared} bytes that were reserved, not ${received}` }
    ]),
  UploadAlreadyFinished: () => refuse("upload_already_finished"),
  MediaNotFound: notFound,
  WorkspaceErased: notFound
}

export const mediaRefusals = { MediaNotFound: notFound, StoreUnavailable: refuseStore }

export const mediaListRefusals = {
  ...mediaRequestRefusal,
  StoreUnavailable: refuseStore
}

export const removeRefusals = {
  ...mediaRefusals,
  MediaInUse: () => refuse("media_in_use")
}
