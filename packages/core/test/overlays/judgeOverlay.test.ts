import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result } from "effect"
import { MediaId, WorkspaceId } from "../../src/kernel/Ids.ts"
import type { ContentType } from "../../src/media/ContentType.ts"
import { type Media, PendingMedia, ReadyMedia } from "../../src/media/Media.ts"
import { judgeOverlay } from "../../src/overlays/judgeOverlay.ts"
import { mayHavePicture, mayHaveSound } from "../../src/overlays/mediaStreams.ts"
import { Workspace } from "../../src/workspaces/Workspace.ts"
import { plainSettings } from "@loopbox/testing/fixtures/overlayFixtures"
import { noOverrides } from "@loopbox/testing/fixtures/storeFixtures"

const now = DateTime.makeUnsafe("2026-11-22T00:00:00Z")
const workspaceId = WorkspaceId.make("ws_00000000000000000000000000")
const videoId = MediaId.make("med_00000000000000000000000001")
const audioId = MediaId.make("med_00000000000000000000000002")
const workspace = new Workspace({ id: workspaceId, name: "Test", plan: "free", limits: noOverrides, createdAt: now })

const traits = (videoCodec?: string, audioCodec?: string) =>
  Option.some({
    frameRate: Option.none<number>(),
    frames: Option.none<number>(),
    videoCodec: Option.fromUndefinedOr(videoCodec),
    audioCodec: Option.fromUndefinedOr(audioCodec)
  })

const base = { workspaceId, filename: Option.none(), createdAt: now, keepUntil: now }

const ready = (id: MediaId, contentType: ContentType, more: Partial<ReadyMedia> = {}) =>
  new ReadyMedia({
    ...base,
    id,
    contentType,
    blobKey: id,
    sizeBytes: 1_000,
    sha256: "ab",
    width: Option.none(),
    height: Option.none(),
    durationMs: Option.some(5_000),
    traits: Option.none(),
    source: "upload",
    jobId: Option.none(),
    ...more
  })

const silent = ready(videoId, "video/mp4", { traits: traits("avc1") })
const wav = ready(audioId, "audio/wav", { durationMs: Option.some(3_000), traits: traits(undefined, "pcm") })

const judge = (
  files: { readonly video?: Media | undefined; readonly audio?: Media | undefined },
  more: { readonly startMs?: number; readonly activeJobs?: number; readonly stored?: ReadonlyArray<MediaId> } = {}
) => {
  const inputs = new Map<MediaId, Media>()
  for (const media of [files.video, files.audio]) if (media !== undefined) inputs.set(media.id, media)
  const verdict = judgeOverlay(
    { videoMediaId: videoId, audioMediaId: audioId, settings: { ...plainSettings, audioStartMs: more.startMs ?? 0 } },
    new Set(more.stored ?? [videoId, audioId]),
    {
      workspace,
      inputs,
      admission: { activeJobs: more.activeJobs ?? 0, conversions: 1_000, blocking: Option.some(now) }
    }
  )
  return Result.isSuccess(verdict) ? "admitted" : verdict.failure._tag
}

describe("judgeOverlay (api-2.md §12)", () => {
  it("admits a silent video and a sound, however many conversions the day had", () => {
    assert.strictEqual(judge({ video: silent, audio: wav }), "admitted")
  })

  it("answers the first code that is wrong, of the video before the sound", () => {
    const pending = new PendingMedia({ ...base, id: audioId, contentType: "audio/wav", declaredSize: Option.none() })
    const full = { activeJobs: 1 }
    assert.strictEqual(judge({ audio: pending }, full), "MediaNotFound")
    assert.strictEqual(judge({ video: ready(videoId, "image/png") }, full), "MediaNotFound")
    assert.strictEqual(judge({ video: ready(videoId, "image/png"), audio: pending }, full), "InputMediaUnavailable")
    const gone = { ...full, stored: [audioId] }
    assert.strictEqual(judge({ video: silent, audio: wav }, gone), "InputMediaUnavailable")
    const picture = ready(audioId, "image/png", { sizeBytes: 200_000_000 })
    assert.strictEqual(judge({ video: ready(videoId, "image/png"), audio: picture }, full), "VideoStreamRequired")
    assert.strictEqual(judge({ video: silent, audio: picture }, full), "AudioStreamRequired")
    assert.strictEqual(
      judge(
        { video: silent, audio: ready(audioId, "audio/wav", { sizeBytes: 104_857_601 }) },
        { ...full, startMs: 9_000 }
      ),
      "OverlayInputTooLarge"
    )
    assert.strictEqual(judge({ video: silent, audio: wav }, { ...full, startMs: 3_000 }), "AudioStartBeyondEnd")
    assert.strictEqual(judge({ video: silent, audio: wav }, full), "CapacityExceeded")
  })

  it("has both sides of each limit", () => {
    const video = (more: Partial<ReadyMedia>) => judge({ video: ready(videoId, "video/mp4", more), audio: wav })
    assert.strictEqual(video({ sizeBytes: 524_288_000 }), "admitted")
    assert.strictEqual(video({ sizeBytes: 524_288_001 }), "OverlayInputTooLarge")
    // A container rounds up what its longest track lasts.
    assert.strictEqual(video({ durationMs: Option.some(600_150) }), "admitted")
    assert.strictEqual(video({ durationMs: Option.some(600_151) }), "OverlayInputTooLarge")
    assert.strictEqual(
      judge({ video: silent, audio: ready(audioId, "audio/wav", { sizeBytes: 104_857_600 }) }),
      "admitted"
    )
    assert.strictEqual(judge({ video: silent, audio: wav }, { startMs: 2_999 }), "admitted")
    const endless = ready(audioId, "audio/wav", { durationMs: Option.none() })
    assert.strictEqual(judge({ video: silent, audio: endless }, { startMs: 1_000_000 }), "admitted")
  })
})

describe("what a record says of its streams", () => {
  it("is what its codecs say, and unknown where nothing was read", () => {
    const of = (contentType: ContentType, found: ReadyMedia["traits"]) => {
      const file = { contentType, traits: found }
      return [mayHavePicture(file), mayHaveSound(file)]
    }
    assert.deepStrictEqual(of("video/mp4", traits("avc1")), [true, false])
    assert.deepStrictEqual(of("video/mp4", traits("avc1", "mp4a")), [true, true])
    assert.deepStrictEqual(of("video/quicktime", traits(undefined, "mp4a")), [false, true])
    assert.deepStrictEqual(of("video/mp4", Option.none()), [true, true])
    assert.deepStrictEqual(of("video/webm", traits()), [true, true])
    assert.deepStrictEqual(of("video/webm", traits(undefined, "A_OPUS")), [false, true])
    assert.deepStrictEqual(of("audio/mpeg", traits()), [false, true])
    assert.deepStrictEqual(of("audio/mp4", traits()), [false, true])
    // An index that is too long to be read, or cut off.
    assert.deepStrictEqual(of("video/mp4", traits()), [true, true])
    assert.deepStrictEqual(of("image/gif", Option.none()), [false, false])
  })
})
