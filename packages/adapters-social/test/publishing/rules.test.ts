/** What each network takes, from both sides of each limit (social-networks-write.md B0). */
import { connectorTo, Connectors } from "@loopbox/core/networks/Connectors"
import type { MediaShape, PublishOptions } from "@loopbox/core/networks/publishing/Publication"
import { judgePost } from "@loopbox/core/posts/judging/judgePost"
import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import * as SocialConnectors from "@loopbox/adapters-social/SocialConnectors"
import { publishOf } from "./driving.ts"

interface Given {
  readonly text?: string
  readonly media?: ReadonlyArray<MediaShape>
  readonly options?: PublishOptions["values"]
}

type Facts = Partial<
  Record<"width" | "height" | "durationMs" | "frameRate" | "frames" | "sizeBytes", number> &
    Record<"contentType" | "videoCodec" | "audioCodec", string>
>

const shapeOf = (kind: MediaShape["kind"], facts: Facts): MediaShape => ({
  mediaId: "",
  kind,
  contentType: facts.contentType ?? "",
  sizeBytes: facts.sizeBytes ?? 1_000,
  width: Option.fromUndefinedOr(facts.width),
  height: Option.fromUndefinedOr(facts.height),
  durationMs: Option.fromUndefinedOr(facts.durationMs),
  frameRate: Option.fromUndefinedOr(facts.frameRate),
  frames: Option.fromUndefinedOr(facts.frames),
  videoCodec: Option.fromUndefinedOr(facts.videoCodec),
  audioCodec: Option.fromUndefinedOr(facts.audioCodec)
})

const image = (facts: Facts = {}) =>
  shapeOf("image", { contentType: "image/jpeg", width: 1_080, height: 1_080, ...facts })
const gif = (facts: Facts = {}) =>
  shapeOf("gif", { contentType: "image/gif", width: 400, height: 300, frames: 20, ...facts })
const video = (facts: Facts = {}) =>
  shapeOf("video", {
    contentType: "video/mp4",
    width: 1_280,
    height: 720,
    durationMs: 10_000,
    frameRate: 30,
    videoCodec: "avc1",
    ...facts
  })
const vertical = (facts: Facts = {}) => video({ width: 720, height: 1_280, ...facts })
const times = (count: number, one: MediaShape) => Array.from({ length: count }, () => one)

/** What passes, what does not, and why. */
type Case = readonly [what: string, passes: Given, fails: Given, code: string]

const oneOf =
  (make: (facts: Facts) => MediaShape, options?: Given["options"]) =>
  (what: string, inside: Facts, outside: Facts, code: string): Case => {
    const given = (facts: Facts): Given => ({ media: [make(facts)], ...(options === undefined ? {} : { options }) })
    return [what, given(inside), given(outside), code]
  }

const lengthOf = (most: number, media: Given["media"] = []): Case => [
  `text of ${most}`,
  { text: "x".repeat(most), media },
  { text: "x".repeat(most + 1), media },
  "exceeds_max_length"
]

const numbered = (count: number, mark: string) => Array.from({ length: count }, (_, i) => `${mark}n${i}`).join(" ")

const size = "file_too_large"
const ratio = "aspect_ratio_unsupported"
const sides = "dimensions_out_of_range"
const length = "duration_out_of_range"
const rate = "frame_rate_out_of_range"
const format = "unsupported_format"

const instagram: ReadonlyArray<Case> = [
  lengthOf(2_200, [image()]),
  [
    "30 hashtags",
    { text: numbered(30, "#"), media: [image()] },
    { text: numbered(31, "#"), media: [image()] },
    "too_many_hashtags"
  ],
  [
    "20 mentions",
    { text: numbered(20, "@"), media: [image()] },
    { text: numbered(21, "@"), media: [image()] },
    "too_many_mentions"
  ],
  ["a file", { media: [image()] }, { text: "words" }, "media_required"],
  ["a carousel of 10", { media: times(10, image()) }, { media: times(11, image()) }, "max_media_exceeded"],
  ["a mixed carousel", { media: [image(), video()] }, { media: [image(), gif()] }, "gif_conversion_required"],
  [
    "one reel",
    { media: [vertical()], options: { kind: "reel" } },
    { media: [image()], options: { kind: "reel" } },
    format
  ],
  oneOf(image)("JPEG", {}, { contentType: "image/png" }, format),
  oneOf(image)("8 MiB", { sizeBytes: 8_388_608 }, { sizeBytes: 8_388_609 }, size),
  oneOf(image)("4:5", { width: 800, height: 1_000 }, { width: 799, height: 1_000 }, ratio),
  oneOf(image)("1.91:1", { width: 1_910, height: 1_000 }, { width: 1_911, height: 1_000 }, ratio),
  oneOf(video)("3 s", { durationMs: 3_000 }, { durationMs: 2_999 }, length),
  oneOf(video)("15 min", { durationMs: 900_000 }, { durationMs: 900_001 }, length),
  oneOf(video)("300 MB", { sizeBytes: 300_000_000 }, { sizeBytes: 300_000_001 }, size),
  oneOf(video)("23 fps", { frameRate: 23 }, { frameRate: 22.9 }, rate),
  oneOf(video)("60 fps", { frameRate: 60 }, { frameRate: 60.1 }, rate),
  oneOf(video)("1920 wide", { width: 1_920 }, { width: 1_921 }, sides),
  oneOf(video)("HEVC", { videoCodec: "hvc1" }, { videoCodec: "vp09" }, format),
  oneOf(video)("QuickTime", { contentType: "video/quicktime" }, { contentType: "video/webm" }, format),
  oneOf(vertical, { kind: "story" })("a story of 60 s", { durationMs: 60_000 }, { durationMs: 60_001 }, length),
  oneOf(vertical, { kind: "story" })("a story of 100 MB", { sizeBytes: 100_000_000 }, { sizeBytes: 100_000_001 }, size)
]

const facebook: ReadonlyArray<Case> = [
  lengthOf(63_206),
  ["words", { text: "x" }, {}, "missing_required"],
  [
    "a link without files",
    { options: { link: "https://a.example/" } },
    { media: [image()], options: { link: "https://a.example/" } },
    "link_with_media"
  ],
  ["one video", { media: [video()] }, { media: [video(), video()] }, "max_media_exceeded"],
  ["photos, a GIF among them", { media: [image(), gif()] }, { media: [image(), video()] }, "mixed_media_unsupported"],
  oneOf(image)("PNG", { contentType: "image/png" }, { contentType: "image/webp" }, format),
  oneOf(image)("10 MB", { sizeBytes: 10_000_000 }, { sizeBytes: 10_000_001 }, size),
  oneOf(gif)("a GIF of 10 MB", { sizeBytes: 10_000_000 }, { sizeBytes: 10_000_001 }, size),
  oneOf(video)("20 min", { durationMs: 1_200_000 }, { durationMs: 1_200_001 }, length),
  oneOf(video)("1 GB", { sizeBytes: 1_000_000_000 }, { sizeBytes: 1_000_000_001 }, size),
  oneOf(vertical)("a reel of 90 s", { durationMs: 90_000 }, { durationMs: 90_001 }, length),
  oneOf(vertical)("a reel of 3 s", { durationMs: 3_000 }, { durationMs: 2_999 }, length),
  oneOf(vertical)("540×960", { width: 540, height: 960 }, { width: 539, height: 960 }, sides),
  oneOf(vertical)("9:16", { width: 1_080, height: 1_920 }, { width: 1_080, height: 1_350 }, ratio),
  oneOf(vertical)("24 fps", { frameRate: 24 }, { frameRate: 23.9 }, rate),
  [
    "a vertical reel",
    { media: [vertical()], options: { kind: "reel" } },
    { media: [video()], options: { kind: "reel" } },
    "reel_not_vertical"
  ]
]

const threads: ReadonlyArray<Case> = [
  lengthOf(500),
  ["an emoji as its bytes", { text: `${"x".repeat(496)}🚀` }, { text: `${"x".repeat(497)}🚀` }, "exceeds_max_length"],
  [
    "5 links",
    { text: numbered(5, "https://a.example/") },
    { text: numbered(6, "https://a.example/") },
    "too_many_links"
  ],
  ["words", { text: "x" }, {}, "missing_required"],
  ["a carousel of 20", { media: times(20, image()) }, { media: times(21, image()) }, "max_media_exceeded"],
  oneOf(image)("PNG", { contentType: "image/png" }, { contentType: "image/webp" }, format),
  oneOf(image)("8 MB", { sizeBytes: 8_000_000 }, { sizeBytes: 8_000_001 }, size),
  oneOf(image)("10:1", { width: 1_000, height: 100 }, { width: 1_001, height: 100 }, ratio),
  oneOf(video)("5 min", { durationMs: 300_000 }, { durationMs: 300_001 }, length),
  oneOf(video)("1 GB", { sizeBytes: 1_000_000_000 }, { sizeBytes: 1_000_000_001 }, size),
  oneOf(video)("1920 wide", { width: 1_920 }, { width: 1_921 }, sides),
  oneOf(video)("23 fps", { frameRate: 23 }, { frameRate: 22 }, rate),
  ["no GIF", { media: [video()] }, { media: [gif()] }, "gif_conversion_required"]
]

const x: ReadonlyArray<Case> = [
  lengthOf(280),
  [
    "a link as 23",
    { text: `${"x".repeat(256)} https://a.com/${"y".repeat(100)}` },
    { text: `${"x".repeat(257)} https://a.com/` },
    "exceeds_max_length"
  ],
  ["words", { text: "x" }, {}, "missing_required"],
  ["four images", { media: times(4, image()) }, { media: times(5, image()) }, "max_media_exceeded"],
  ["images alone", { media: times(2, image()) }, { media: [image(), gif()] }, "mixed_media_unsupported"],
  ["one video", { media: [video()] }, { media: times(2, video()) }, "max_media_exceeded"],
  oneOf(image)("WebP", { contentType: "image/webp" }, { contentType: "image/bmp" }, format),
  oneOf(image)("5 MB", { sizeBytes: 5_000_000 }, { sizeBytes: 5_000_001 }, size),
  oneOf(gif)("15 MB", { sizeBytes: 15_000_000 }, { sizeBytes: 15_000_001 }, size),
  oneOf(gif)("1280×1080", { width: 1_280, height: 1_080 }, { width: 1_280, height: 1_081 }, sides),
  oneOf(gif)("350 frames", { frames: 350 }, { frames: 351 }, length),
  oneOf(gif)(
    "300 million pixels",
    { width: 1_000, height: 1_000, frames: 300 },
    { width: 1_000, height: 1_000, frames: 301 },
    sides
  ),
  oneOf(video)("0.5 s", { durationMs: 500 }, { durationMs: 499 }, length),
  oneOf(video)("140 s", { durationMs: 140_000 }, { durationMs: 140_001 }, length),
  oneOf(video)("512 MB", { sizeBytes: 512_000_000 }, { sizeBytes: 512_000_001 }, size),
  oneOf(video)("1280×1024", { width: 1_280, height: 1_024 }, { width: 1_281, height: 1_024 }, sides),
  oneOf(video)("1024×1280", { width: 1_024, height: 1_280 }, { width: 1_024, height: 1_281 }, sides),
  oneOf(video)("1024 on the shorter side", { width: 720, height: 1_280 }, { width: 1_025, height: 1_280 }, sides),
  oneOf(video)("32×32", { width: 32, height: 32 }, { width: 31, height: 32 }, sides),
  oneOf(video)("1:3", { width: 300, height: 900 }, { width: 299, height: 900 }, ratio),
  oneOf(video)("60 fps", { frameRate: 60 }, { frameRate: 61 }, rate),
  oneOf(video)("AAC", { audioCodec: "mp4a" }, { audioCodec: "opus" }, format)
]

const judge = Effect.fnUntraced(function* (network: Network, { media = [], options = {}, text = "" }: Given) {
  const layer = SocialConnectors.layer({}).pipe(Layer.provide(FetchHttpClient.layer))
  const context = yield* Layer.build(layer)
  const connectors = yield* Effect.provideContext(Effect.service(Connectors), context)
  const publish = publishOf(connectorTo(connectors, network))
  const ids = media.map((_, i) => `media ${i}`)
  const target = {
    accountId: "acc",
    text: Option.none<string>(),
    mediaIds: Option.none<ReadonlyArray<string>>(),
    firstComment: Option.none<string>(),
    options: { values: options, altTexts: {} }
  }
  const post = { text: Option.some(text), mediaIds: ids, targets: [target], scheduledAt: Option.none(), isDraft: false }
  const account = { isConnected: true, missingScopes: [], publish: Option.some(publish) }
  const files = new Map(media.map((shape, i) => [`media ${i}`, Option.some({ ...shape, mediaId: `media ${i}` })]))
  const facts = { accounts: new Map([["acc", account]]), media: files }
  return judgePost(post, facts, DateTime.makeUnsafe("2026-11-22T00:00:00Z"))
})

describe("the rules of posts", () => {
  for (const [network, cases] of Object.entries({ instagram, facebook, threads, x } as const)) {
    for (const [what, passes, fails, code] of cases) {
      it.effect(`${network}: ${what}, and no more`, () =>
        Effect.gen(function* () {
          const known = network === "instagram" || network === "facebook" || network === "threads" ? network : "x"
          assert.deepStrictEqual((yield* judge(known, passes)).issues, [])
          const codes = (yield* judge(known, fails)).issues.map((issue) => issue.code)
          assert.include(codes, code)
        })
      )
    }
  }

  it.effect("a Page's vertical video goes out as a reel, which is told, and a story shows no words", () =>
    Effect.gen(function* () {
      const codes = (given: Given, network: Network) =>
        Effect.map(judge(network, given), ({ issues, warnings }) => [
          issues.length,
          ...warnings.map(({ code }) => code)
        ])
      assert.deepStrictEqual(yield* codes({ media: [vertical()] }, "facebook"), [0, "published_as_reel"])
      assert.deepStrictEqual(yield* codes({ media: [vertical()], options: { kind: "feed" } }, "facebook"), [
        0,
        "published_as_reel"
      ])
      assert.deepStrictEqual(yield* codes({ media: [vertical()], options: { kind: "reel" } }, "facebook"), [0])
      assert.deepStrictEqual(yield* codes({ media: [image()], text: "x", options: { kind: "story" } }, "instagram"), [
        0,
        "text_ignored"
      ])
    })
  )
})
