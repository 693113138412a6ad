import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { PreparationStep } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { Publication, PublishMedia } from "@loopbox/core/networks/publishing/Publication"
import { PreparationFailed } from "@loopbox/core/networks/publishing/PublishErrors"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../../meta/graphApi.ts"
import { preparing } from "../../meta/publishing/refusals.ts"
import { Id, OptionalFlag, reader } from "../../payloads/payload.ts"
import { again, linkOf, preparationReader, ready } from "../../publishing/preparation.ts"
import { facebookKinds } from "../facebookKinds.ts"

/** What a Page has of a post that is not published: photos that no post shows, a reel and its bytes. */
const Uploads = Schema.Struct({
  photos: Schema.Array(Schema.String),
  reel: Schema.NullOr(Schema.Struct({ id: Schema.String, address: Schema.String, isSent: Schema.Boolean }))
})
type Uploads = typeof Uploads.Type

/** What is kept of the work at Facebook. */
export const uploadsOf = preparationReader(Uploads, { photos: [], reel: null })

const readId = reader(Schema.Struct({ id: Id }))
const readStarted = reader(Schema.Struct({ video_id: Id, upload_url: Schema.String }))
const readSuccess = reader(Schema.Struct({ success: OptionalFlag }))

type Step = Effect.Effect<PreparationStep, ReadFailed | PreparationFailed>

/** Does what comes before the one call that publishes: words, links and plain videos need nothing. */
export const facebookUploads = (graph: GraphApi) => {
  const { publishing } = facebookKinds

  const addPhoto = Effect.fnUntraced(function* (access: AccountAccess, media: PublishMedia) {
    const form = {
      url: yield* linkOf("facebook", media),
      published: "false",
      ...Option.match(media.altText, { onNone: () => ({}), onSome: (text) => ({ alt_text_custom: text }) })
    }
    const call = { access, ...publishing, path: [access.networkAccountId, "photos"] }
    return (yield* preparing(graph.write(call, { form }, readId))).id
  })

  const startReel = Effect.fnUntraced(function* (access: AccountAccess) {
    const call = { access, ...publishing, path: [access.networkAccountId, "video_reels"] }
    const started = yield* preparing(graph.write(call, { form: { upload_phase: "start" } }, readStarted))
    return { id: started.video_id, address: started.upload_url, isSent: false }
  })

  /** The whole file at once. What the host of uploads refuses, or does not confirm, is begun anew (E9). */
  const sendReel = Effect.fnUntraced(function* (access: AccountAccess, media: PublishMedia, address: string) {
    const file = { bytes: media.read(), size_bytes: media.sizeBytes }
    const sent = preparing(graph.upload({ access, ...publishing, address }, file, readSuccess)).pipe(
      Effect.catchTag("Unavailable", (error) =>
        error.reason === "unreadable" ? Effect.succeed({ success: Option.none() }) : Effect.fail(error)
      )
    )
    const { success } = yield* sent
    if (Option.isSome(success)) return
    return yield* new PreparationFailed({
      network: "facebook",
      networkCode: Option.none(),
      detail: "the host of uploads did not take the file",
      code: "network_unavailable",
      again: "new"
    })
  })

  return (access: AccountAccess, { kind, media }: Publication, kept: Uploads): Step =>
    Effect.gen(function* () {
      if (kind === "image" || kind === "photos") {
        const next = media[kept.photos.length]
        if (next === undefined) return ready(kept)
        const photos = [...kept.photos, yield* addPhoto(access, next)]
        return photos.length === media.length ? ready({ ...kept, photos }) : again({ ...kept, photos })
      }
      const [file] = media
      if (kind !== "reel" || file === undefined) return ready(kept)
      if (kept.reel === null) return again({ ...kept, reel: yield* startReel(access) })
      if (!kept.reel.isSent) yield* sendReel(access, file, kept.reel.address)
      return ready({ ...kept, reel: { ...kept.reel, isSent: true } })
    })
}
