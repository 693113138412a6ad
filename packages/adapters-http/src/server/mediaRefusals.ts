import { contentTypes } from "@loopbox/core/media/ContentType"
import type { MediaTooLarge, UnsupportedMedia, UploadSizeMismatch } from "@loopbox/core/media/MediaErrors"
import * as Option from "effect/Option"
import { InvalidRequest } from "./issues.ts"
import { jsonRefusals } from "./readJson.ts"
import { refuse, refuseUnauthorized } from "./refuse.ts"
import { refuseStore } from "./storeRefusals.ts"
import { refuseMediaRequest } from "./Validation.ts"

const notFound = () => refuse("media_not_found", "There is no such media in this workspace.")

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

const bytesRefusals = {
  InvalidRequest: ({ issues }: InvalidRequest) => refuseMediaRequest(issues),
  UnsupportedMedia: unsupported,
  EmptyUpload: () => refuseMediaRequest([{ path: "body", message: "must not be empty" }]),
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
  UploadAlreadyFinished: () => refuse("upload_already_finished", "This upload has its bytes already."),
  MediaNotFound: notFound,
  WorkspaceErased: notFound
}

export const mediaRefusals = { MediaNotFound: notFound, StoreUnavailable: refuseStore }

export const mediaListRefusals = {
  InvalidRequest: ({ issues }: InvalidRequest) => refuseMediaRequest(issues),
  StoreUnavailable: refuseStore
}

export const removeRefusals = {
  ...mediaRefusals,
  MediaInUse: () => refuse("media_in_use", "A conversion reads this file. Wait until it has ended, or cancel it.")
}
