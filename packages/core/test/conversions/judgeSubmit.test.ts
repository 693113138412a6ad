import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result, Schema } from "effect"
import { judgeSubmit } from "../../src/conversions/judgeSubmit.ts"
import { MediaId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { type Media, PendingMedia, ReadyMedia } from "../../src/media/Media.ts"
import { Workspace } from "../../src/workspaces/Workspace.ts"
import { wholeNumber } from "@loopbox/testing/fixtures/arbitraries"

const now = DateTime.makeUnsafe("2026-11-21T12:00:00.000Z")
const workspaceId = WorkspaceId.make(`ws_${"0".repeat(26)}`)
const mediaId = MediaId.make(`med_${"0".repeat(26)}`)
const none = { activeJobs: Option.none(), conversionsPer24Hours: Option.none() }
const workspace = new Workspace({ id: workspaceId, name: "Test", plan: "free", limits: none, createdAt: now })

const limitBytes = 52_428_800
const fields = { id: mediaId, workspaceId, filename: Option.none(), createdAt: now, keepUntil: now }
const pending = new PendingMedia({ ...fields, contentType: "image/gif", declaredSize: Option.none() })
const ready = (contentType: Media["contentType"], sizeBytes: number) =>
  new ReadyMedia({
    ...fields,
    contentType,
    blobKey: `${workspaceId}/x`,
    sizeBytes,
    sha256: "",
    width: Option.none(),
    height: Option.none(),
    durationMs: Option.none(),
    traits: Option.none(),
    source: "upload",
    jobId: Option.none()
  })

const judge = (request: {
  readonly media: Option.Option<Media>
  readonly hasBytes?: boolean
  readonly activeJobs?: number
  readonly conversions?: number
}) => {
  const verdict = judgeSubmit(
    { mediaId, hasBytes: request.hasBytes ?? true, now },
    {
      workspace,
      inputs: new Map(Option.toArray(request.media).map((media) => [media.id, media])),
      admission: {
        activeJobs: request.activeJobs ?? 0,
        conversions: request.conversions ?? 0,
        blocking: Option.some(now)
      }
    }
  )
  return Result.isSuccess(verdict) ? "admitted" : verdict.failure._tag
}

const gif = Option.some(ready("image/gif", 100))

describe("judgeSubmit (api.md §6)", () => {
  it.prop(
    "answers the first of rows 7 to 12 that a request is wrong in",
    {
      isMissing: Schema.Boolean,
      isPending: Schema.Boolean,
      hasBytes: Schema.Boolean,
      isGif: Schema.Boolean,
      sizeBytes: wholeNumber(limitBytes - 3, limitBytes + 3),
      activeJobs: wholeNumber(0, 2),
      conversions: wholeNumber(8, 12)
    },
    ({ activeJobs, conversions, hasBytes, isGif, isMissing, isPending, sizeBytes }) => {
      const found = isPending ? pending : ready(isGif ? "image/gif" : "video/mp4", sizeBytes)
      const rows: ReadonlyArray<readonly [boolean, string]> = [
        [isMissing, "MediaNotFound"],
        [isPending || !hasBytes, "InputMediaUnavailable"],
        [!isGif, "NotAGif"],
        [sizeBytes > limitBytes, "GifTooLarge"],
        [activeJobs >= 1, "CapacityExceeded"],
        [conversions >= 10, "ConversionRateExceeded"]
      ]
      const first = rows.find(([isWrong]) => isWrong)?.[1] ?? "admitted"
      const media = isMissing ? Option.none<Media>() : Option.some<Media>(found)
      assert.strictEqual(judge({ media, hasBytes, activeJobs, conversions }), first)
    }
  )

  it("admits a GIF of exactly 50 MB and refuses one byte more (§8.2)", () => {
    assert.strictEqual(judge({ media: Option.some(ready("image/gif", limitBytes)) }), "admitted")
    assert.strictEqual(judge({ media: Option.some(ready("image/gif", limitBytes + 1)) }), "GifTooLarge")
  })

  it("admits the last job and the last conversion that the plan allows, and none above", () => {
    assert.strictEqual(judge({ media: gif, activeJobs: 0, conversions: 9 }), "admitted")
    assert.strictEqual(judge({ media: gif, activeJobs: 1, conversions: 9 }), "CapacityExceeded")
    assert.strictEqual(judge({ media: gif, activeJobs: 0, conversions: 10 }), "ConversionRateExceeded")
  })
})
