import { typeOfJobEnd } from "@loopbox/core/outgoing/eventPatterns"
import type { ShownJobEnd } from "@loopbox/core/outgoing/WebhookSender"
import { toIsoText } from "../isoText.ts"
import { toJobBody } from "../media/JobBody.ts"
import { toOverlayBody } from "../media/OverlayBody.ts"
import type { EventFrame } from "./webhookBody.ts"

/** The end of a media job as a frame, though no socket has it: with the job as `GET` answers it (api-2.md §15). */
export const toJobEndBody = (ended: ShownJobEnd): EventFrame => ({
  type: typeOfJobEnd[ended.kind],
  at: toIsoText(ended.at),
  seq: ended.seq,
  workspace_id: ended.workspaceId,
  external_user_id: null,
  job: ended.kind === "gif_to_mp4" ? toJobBody(ended.job) : toOverlayBody(ended.job)
})
