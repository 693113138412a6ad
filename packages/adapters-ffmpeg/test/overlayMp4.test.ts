import { overlayArguments, soundArguments } from "@loopbox/adapters-ffmpeg"
import { planOverlay } from "@loopbox/core/overlays/planOverlay"
import type { VideoFacts } from "@loopbox/core/overlays/planOverlay"
import type { OverlaySettings } from "@loopbox/core/overlays/OverlaySettings"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { defaults } from "./support/overlays.ts"

const facts: VideoFacts = { picture_ms: 4000, pictureStart_ms: 0, isUniversal: true, hasSound: true }

const planOf = (changed: Partial<VideoFacts> = {}, settings: Partial<OverlaySettings> = {}) =>
  Result.getOrThrow(planOverlay({ ...facts, ...changed }, { ...defaults, ...settings }))

const video = (changed: Partial<VideoFacts> = {}, settings: Partial<OverlaySettings> = {}) =>
  overlayArguments(planOf(changed, settings), "video/mp4").join(" ")

describe("arguments of the audio overlay", () => {
  it("read local files only, in the format that their type says, for each input", () => {
    const args = video()
    assert.strictEqual(args.match(/-protocol_whitelist file /g)?.length, 2)
    assert.include(args, "-f mov -i v.bin")
    const sound = soundArguments(planOf({}, { fit: "loop_to_video", audioStartMs: 10 }), "audio/mpeg").join(" ")
    assert.strictEqual(sound.match(/-protocol_whitelist file /g)?.length, 2)
    assert.strictEqual(sound.match(/-format_whitelist mp3,aac -i a\.bin/g)?.length, 2)
  })

  it("keep nothing of the inputs but a picture and a sound", () => {
    assert.include(video(), "-map 0:V:0 -map [sound] -sn -dn -map_metadata -1 -map_chapters -1")
  })

  it("make stereo AAC of 128 kb/s, the index in front and no edit list", () => {
    const args = video()
    assert.include(args, "-c:a aac -b:a 128k")
    assert.isTrue(args.endsWith("-movflags +faststart+negative_cts_offsets -use_editlist 0 -f mp4 o.mp4"))
  })

  it("copy a universal picture, and encode another with its exact number of pictures", () => {
    assert.include(video(), "-c:v copy")
    assert.match(video({ isUniversal: false }), /trim=end_frame=120 -c:v libx264/)
  })

  it("add both sounds without dividing their sum", () => {
    const args = video({}, { videoVolume: 50 })
    assert.include(args, "volume=0.5,apad=whole_len=192000,atrim=end_sample=192000[own]")
    assert.include(args, "pan=stereo|c0=c0+c2|c1=c1+c3")
    assert.notInclude(args, "amix")
  })

  it.each([
    ["replace", { hasSound: true }],
    ["mix", { hasSound: false }]
  ] as const)("do not touch the video's own sound: %s, %o", (mode, changed) =>
    assert.notInclude(video(changed, { mode }), "[0:a:0]")
  )

  it("decode the sound from its start, and from the file's beginning again when it is looped", () => {
    const trimmed = soundArguments(planOf({}, { audioStartMs: 1500 }), "audio/wav").join(" ")
    assert.include(trimmed, "-ss 1.500 ")
    assert.notInclude(trimmed, "r.raw")
    const looped = soundArguments(planOf({}, { audioStartMs: 1500, fit: "loop_to_video" }), "audio/wav").join(" ")
    assert.strictEqual(looped.match(/-ss/g)?.length, 1)
    assert.include(looped, "-f f32le r.raw")
  })
})
