import { jobStatuses } from "@loopbox/core/jobs/MediaJob"
import type { BlobRange } from "@loopbox/core/media/BlobStore"
import { OverlaySettings } from "@loopbox/core/overlays/OverlaySettings"
import * as Predicate from "effect/Predicate"
import type { AudioFacade } from "../facade/audioFacade.ts"
import type { ConversionsFacade } from "../facade/conversionsFacade.ts"
import type { JobReference } from "../facade/jobReference.ts"
import type { ListRequest } from "../facade/listRequest.ts"
import type { MediaFacade } from "../facade/mediaFacade.ts"
import { type Judge, membersOf, must, needs, oneOf, optional, text } from "./Judge.ts"
import { type Argument, type Judgements, signal } from "./judged.ts"
import { jobNames } from "./records.ts"
import { id, list, mayRequest, orRecord, requestOf, texted, workspaceId } from "./requests.ts"

const isBytes = (given: unknown): boolean =>
  given instanceof Uint8Array || (Predicate.isObject(given) && Symbol.asyncIterator in given)

const bytes: Judge = must(isBytes, "be a Uint8Array, or an async iterable of them")

const isWhole = (given: unknown, least: number): boolean =>
  Predicate.isNumber(given) && Number.isSafeInteger(given) && given >= least

const range = needs(
  ["offset", "length"],
  requestOf<BlobRange>({
    offset: must((given) => isWhole(given, 0), "be a whole number from 0 on"),
    length: must((given) => isWhole(given, 1), "be a whole number from 1 on")
  })
)

export const mediaArguments: Judgements<MediaFacade> = {
  upload: [
    [
      "file",
      needs(["workspaceId", "bytes"], requestOf({ workspaceId: text, bytes, contentType: texted, filename: texted }))
    ]
  ],
  find: [workspaceId, id],
  list: [workspaceId, mayRequest<ListRequest>(list)],
  read: [workspaceId, id, ["options", optional(membersOf({ signal, range }, "{ signal, range }"))]],
  remove: [workspaceId, id]
}

const job: Argument = [
  "job",
  needs(["workspaceId", "id"], orRecord<JobReference>(jobNames, { workspaceId: text, id: text }))
]

const jobs: ReadonlyArray<Argument> = [
  workspaceId,
  mayRequest({ ...list, status: (given, name) => oneOf(jobStatuses)(given, name) })
]

export const conversionsArguments: Judgements<ConversionsFacade> = {
  submit: [
    [
      "conversion",
      needs(
        ["workspaceId", "gifMediaId"],
        requestOf<Parameters<ConversionsFacade["submit"]>[0]>({
          workspaceId: text,
          gifMediaId: text,
          backgroundColor: texted,
          idempotencyKey: texted
        })
      )
    ]
  ],
  find: [job],
  list: jobs,
  wait: [job],
  cancel: [job]
}

const { fit, mode } = OverlaySettings.fields

const volume = optional(must((given) => isWhole(given, 0) && Number(given) <= 100, "be a whole number from 0 to 100"))

export const audioArguments: Judgements<AudioFacade> = {
  submit: [
    [
      "overlay",
      needs(
        ["workspaceId", "videoMediaId", "audioMediaId"],
        requestOf<Parameters<AudioFacade["submit"]>[0]>({
          workspaceId: text,
          videoMediaId: text,
          audioMediaId: text,
          mode: optional(oneOf(mode.literals)),
          videoVolume: volume,
          audioVolume: volume,
          audioStartMs: optional(must((given) => isWhole(given, 0), "be a whole number from 0 on")),
          fit: optional(oneOf(fit.literals)),
          idempotencyKey: texted
        })
      )
    ]
  ],
  find: [job],
  list: jobs,
  wait: [job],
  cancel: [job]
}
