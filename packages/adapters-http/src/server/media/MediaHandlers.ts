import type { Media } from "@loopbox/core/media/Media"
import { BlobLinks } from "@loopbox/core/media/BlobLinks"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentContentGrant } from "../../api/Authentication.ts"
import { CurrentCaller } from "../../api/CurrentCaller.ts"
import { defaultLimit } from "../../api/ListQuery.ts"
import { type MediaLink, toMediaBody } from "../../api/media/MediaBody.ts"
import { serveContent } from "./content.ts"
import { Cursors, toPageBody } from "../edge/Cursors.ts"
import { listUse } from "../edge/listUse.ts"
import { MediaLinks } from "./linkSigning.ts"
import { finishRefusals, mediaListRefusals, mediaRefusals, removeRefusals, uploadRefusals } from "./mediaRefusals.ts"
import { answer, refuse } from "../edge/refuse.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import { finishUpload, receiveUpload } from "./uploads.ts"

const uploadWindow = { minutes: 15 } as const
const downloadWindow = { hours: 1 } as const

const makeBodies = Effect.gen(function* () {
  const links = yield* MediaLinks
  const linkOf = Effect.fnUntraced(function* (media: Media) {
    const now = yield* DateTime.now
    if (media._tag === "ReadyMedia") {
      const url = yield* links.sign("download", media.id, DateTime.add(now, downloadWindow))
      return { _tag: "Download", url } satisfies MediaLink
    }
    const expiresAt = DateTime.min(DateTime.add(now, uploadWindow), media.keepUntil)
    return { _tag: "Upload", url: yield* links.sign("upload", media.id, expiresAt), expiresAt } satisfies MediaLink
  })
  return (media: Media) => Effect.map(linkOf(media), (link) => toMediaBody(media, link))
})

export const layer = HttpApiBuilder.group(
  Api,
  "media",
  Effect.fnUntraced(function* (handlers) {
    const library = yield* MediaLibrary
    const linker = yield* BlobLinks
    const cursors = yield* Cursors
    const bodyOf = yield* makeBodies
    const { compatibility } = yield* HttpSettings
    return handlers
      .handleRaw(
        "upload",
        Effect.fnUntraced(function* () {
          const { workspace } = yield* CurrentCaller
          const { isNew, media } = yield* receiveUpload(library, workspace, compatibility)
          const body = yield* answer(yield* bodyOf(media))
          return isNew ? body : HttpServerResponse.jsonUnsafe(body)
        }, Effect.catchTags(uploadRefusals))
      )
      .handleRaw(
        "finish",
        Effect.fnUntraced(function* ({ params }) {
          return yield* answer(yield* bodyOf(yield* finishUpload(library, params.id)))
        }, Effect.catchTags(finishRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { workspace } = yield* CurrentCaller
          const use = listUse("media", workspace.id, query)
          const after = yield* cursors.open(use, query.cursor)
          const page = yield* library.list(workspace.id, { limit: query.limit ?? defaultLimit, after })
          const items = yield* Effect.forEach(page.items, bodyOf)
          return yield* toPageBody(cursors, use, { ...page, items }, (body) => body)
        }, Effect.catchTags(mediaListRefusals)),
        find: Effect.fnUntraced(function* ({ params }) {
          const { workspace } = yield* CurrentCaller
          return yield* answer(yield* bodyOf(yield* library.find(workspace.id, params.id)))
        }, Effect.catchTags(mediaRefusals)),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { workspace } = yield* CurrentCaller
          const { id } = yield* library.remove(workspace.id, params.id)
          return yield* answer({ id, deleted: true as const })
        }, Effect.catchTags(removeRefusals)),
        content: Effect.fnUntraced(
          function* ({ params }) {
            const grant = yield* CurrentContentGrant
            const media = yield* grant._tag === "Link"
              ? library.findLinked(params.id)
              : library.find(grant.workspaceId, params.id)
            if (media._tag === "PendingMedia") {
              return yield* refuse("media_not_ready")
            }
            // Networks follow no redirect to read a file, and pages of the console may load nothing from elsewhere.
            return yield* serveContent(library, media, grant._tag === "Key" ? linker : Option.none())
          },
          Effect.catchTags({
            ...mediaRefusals,
            BlobMissing: () => refuse("media_not_found", "The bytes of this file are gone.")
          })
        )
      })
  })
)
