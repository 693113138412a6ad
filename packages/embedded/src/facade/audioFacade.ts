import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import type { JobStatus } from "@loopbox/core/jobs/MediaJob"
import type { OverlayFailureCode, OverlayJob } from "@loopbox/core/overlays/OverlayJob"
import type { Overlays } from "@loopbox/core/overlays/Overlays"
import { OverlaySettings } from "@loopbox/core/overlays/OverlaySettings"
import { hasEnded, type JobReference, jobLooks } from "./jobReference.ts"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { type PlainLife, type PlainPage, toPlainLife, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { toWorkspaceId } from "./toWorkspaceId.ts"

/** An audio overlay as plain data. */
export interface PlainOverlay extends PlainLife<OverlayFailureCode>, OverlaySettings {
  readonly kind: "audio_overlay"
  readonly videoMediaId: string
  readonly audioMediaId: string
}

export interface AudioFacade {
  /** Queues a sound to be laid over a video. The same `idempotencyKey` and input return the same job. */
  readonly submit: (
    overlay: {
      readonly workspaceId: string
      readonly videoMediaId: string
      /** A file with sound; it may be a video, whose picture is not used. */
      readonly audioMediaId: string
      /** `mix` (default) adds the sound to the video's own, `replace` drops the video's own. */
      readonly mode?: OverlaySettings["mode"] | null | undefined
      /** 0 to 100; default 100. */
      readonly videoVolume?: number | null | undefined
      /** 0 to 100; default 100. */
      readonly audioVolume?: number | null | undefined
      /** Where in the audio file the sound begins; default 0. */
      readonly audioStartMs?: number | null | undefined
      /** What follows a sound that is shorter than the video: silence (default), or the sound again. */
      readonly fit?: OverlaySettings["fit"] | null | undefined
      readonly idempotencyKey?: string | null | undefined
    },
    options?: CallOptions
  ) => Promise<PlainOverlay>
  readonly find: (job: JobReference, options?: CallOptions) => Promise<PlainOverlay>
  readonly list: (
    workspaceId: string,
    request?: ListRequest & { readonly status?: JobStatus | undefined },
    options?: CallOptions
  ) => Promise<PlainPage<PlainOverlay>>
  /** Waits until a job has succeeded or failed. Aborting the signal ends the waiting, not the job. */
  readonly wait: (job: JobReference, options?: CallOptions) => Promise<PlainOverlay>
  readonly cancel: (job: JobReference, options?: CallOptions) => Promise<PlainOverlay>
}

const decodeKey = Schema.decodeUnknownEffect(Schema.Struct({ idempotencyKey: Schema.NullOr(IdempotencyKey) }))
const decodeSettings = Schema.decodeUnknownEffect(OverlaySettings)

const toPlainOverlay = (job: OverlayJob): PlainOverlay => {
  const { audioMediaId, settings, videoMediaId } = job.task
  return { ...toPlainLife(job), kind: "audio_overlay", videoMediaId, audioMediaId, ...settings }
}

export const makeAudioFacade = (overlays: Overlays["Service"], run: Run): AudioFacade => {
  const find = ({ id, workspaceId }: JobReference) =>
    Effect.flatMap(toWorkspaceId(workspaceId), (workspace) => overlays.find(workspace, id))
  return {
    submit: (given, options) =>
      run(
        Effect.gen(function* () {
          const { idempotencyKey: key } = yield* decodeKey({ idempotencyKey: given.idempotencyKey ?? null })
          const job = yield* overlays.submit({
            workspaceId: yield* toWorkspaceId(given.workspaceId),
            videoMediaId: Option.fromNullishOr(given.videoMediaId),
            audioMediaId: Option.fromNullishOr(given.audioMediaId),
            settings: yield* decodeSettings({
              mode: given.mode ?? "mix",
              videoVolume: given.videoVolume ?? 100,
              audioVolume: given.audioVolume ?? 100,
              audioStartMs: given.audioStartMs ?? 0,
              fit: given.fit ?? "trim_to_video"
            }),
            idempotencyKey: Option.fromNullOr(key)
          })
          return toPlainOverlay(job)
        }),
        options
      ),
    find: (job, options) => run(Effect.map(find(job), toPlainOverlay), options),
    list: (workspaceId, request = {}, options) =>
      run(
        Effect.gen(function* () {
          const workspace = yield* toWorkspaceId(workspaceId)
          const asked = yield* toPageRequest(request)
          const page = yield* overlays.list(workspace, Option.fromUndefinedOr(request.status), asked)
          return toPlainPage(page, toPlainOverlay)
        }),
        options
      ),
    wait: (job, options) =>
      run(find(job).pipe(Effect.repeat({ schedule: jobLooks, until: hasEnded }), Effect.map(toPlainOverlay)), options),
    cancel: ({ id, workspaceId }, options) =>
      run(
        Effect.flatMap(toWorkspaceId(workspaceId), (workspace) =>
          Effect.map(overlays.cancel(workspace, id), toPlainOverlay)
        ),
        options
      )
  }
}
