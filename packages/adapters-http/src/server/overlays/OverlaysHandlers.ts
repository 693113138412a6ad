import { Overlays } from "@loopbox/core/overlays/Overlays"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentCaller } from "../../api/CurrentCaller.ts"
import { toOverlayBody } from "../../api/media/OverlayBody.ts"
import { OverlaySubmitBody } from "../../api/media/OverlaysApi.ts"
import { readKeyed } from "../edge/readKeyed.ts"
import { answer } from "../edge/refuse.ts"
import { jobHandlers } from "../jobs/jobHandlers.ts"
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
    return handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(function* () {
          const { workspace } = yield* CurrentCaller
          const request = yield* readSubmit
          return yield* answer(toOverlayBody(yield* overlays.submit({ ...request, workspaceId: workspace.id })))
        }, Effect.catchTags(overlayRefusals))
      )
      .handleAll(yield* jobHandlers("audio-overlays", overlays, toOverlayBody))
  })
)
