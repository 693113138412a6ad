import { Overlays } from "@loopbox/core/overlays/Overlays"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentCaller } from "../../api/CurrentCaller.ts"
import { toOverlayBody } from "../../api/media/OverlayBody.ts"
import { OverlaySubmitBody } from "../../api/media/OverlaysApi.ts"
import { answerPage, Cursors } from "../edge/Cursors.ts"
import { listUse } from "../edge/listUse.ts"
import { readKeyed } from "../edge/readKeyed.ts"
import { answer } from "../edge/refuse.ts"
import { cancelRefusals, jobRefusals, listRefusals } from "../jobs/jobRefusals.ts"
import { overlayRefusals, overlayRules } from "./overlayRefusals.ts"

/** Body and key of a submit; what is not said has its default. */
const readSubmit = Effect.map(readKeyed(OverlaySubmitBody, overlayRules), ({ body, idempotencyKey }) => ({
  videoMediaId: Option.fromNullishOr(body.video_media_id),
  audioMediaId: Option.fromNullishOr(body.audio_media_id),
  settings: {
    mode: body.mode ?? "mix",
    videoVolume: body.video_volume ?? 100,
    audioVolume: body.audio_volume ?? 100,
    audioStartMs: body.audio_start_ms ?? 0,
    fit: body.fit ?? "trim_to_video"
  },
  idempotencyKey
}))

export const layer = HttpApiBuilder.group(
  Api,
  "overlays",
  Effect.fnUntraced(function* (handlers) {
    const overlays = yield* Overlays
    const cursors = yield* Cursors
    return handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(function* () {
          const { workspace } = yield* CurrentCaller
          const request = yield* readSubmit
          return yield* answer(toOverlayBody(yield* overlays.submit({ ...request, workspaceId: workspace.id })))
        }, Effect.catchTags(overlayRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { workspace } = yield* CurrentCaller
          const use = listUse("audio-overlays", workspace.id, query)
          const status = Option.fromUndefinedOr(query.status)
          return yield* answerPage(
            cursors,
            use,
            query,
            (page) => overlays.list(workspace.id, status, page),
            toOverlayBody
          )
        }, Effect.catchTags(listRefusals)),
        find: Effect.fnUntraced(function* ({ params }) {
          const { workspace } = yield* CurrentCaller
          return yield* answer(toOverlayBody(yield* overlays.find(workspace.id, params.id)))
        }, Effect.catchTags(jobRefusals)),
        cancel: Effect.fnUntraced(function* ({ params }) {
          const { workspace } = yield* CurrentCaller
          return yield* answer(toOverlayBody(yield* overlays.cancel(workspace.id, params.id)))
        }, Effect.catchTags(cancelRefusals))
      })
  })
)
