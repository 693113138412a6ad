import {
  type Draft,
  type File,
  type Limit,
  type Value,
  gif,
  jpeg,
  limit,
  mp4,
  numbered,
  png,
  standing,
  times,
  webm,
  webp
} from "./postDrafts.ts"

/** A text of so many letters beside files, and one of one letter more. */
const letters = (most: number, files: ReadonlyArray<File> = []): Limit =>
  limit(`a text of ${most}`, { text: "x".repeat(most), files }, { text: "x".repeat(most + 1), files }, [
    "text",
    "exceeds_max_length",
    most + 1,
    most
  ])

const comments = (most: number, files: ReadonlyArray<File> = []): Limit =>
  limit(
    `a first comment of ${most}`,
    { text: "x", files, comment: "x".repeat(most) },
    { text: "x", files, comment: "x".repeat(most + 1) },
    ["first_comment", "exceeds_max_length", most + 1, most]
  )

const altTexts: Limit = limit(
  "an alternative text of 1,000",
  { files: [jpeg()], altText: "x".repeat(1_000) },
  { files: [jpeg()], altText: "x".repeat(1_001) },
  ["options.alt_texts", "exceeds_max_length", 1_001, 1_000]
)

const ofFile =
  (make: (change: Partial<File>) => File, options: Draft["options"] = {}) =>
  (what: string, inside: Partial<File>, outside: Partial<File>, code: string, actual: Value, most: Value): Limit =>
    limit(what, { files: [make(inside)], options }, { files: [make(outside)], options }, [
      "media_ids[0]",
      code,
      actual,
      most
    ])

const size = "file_too_large"
const ratio = "aspect_ratio_unsupported"
const sides = "dimensions_out_of_range"
const length = "duration_out_of_range"
const rate = "frame_rate_out_of_range"
const format = "unsupported_format"
const count = "max_media_exceeded"

const mp4OrMov = "video/mp4, video/quicktime"
const h264OrHevc = "avc1, avc3, hvc1, hev1"

/** What Instagram's reels, and videos of a carousel, have to be. */
const instagramVideo = (of: ReturnType<typeof ofFile>): ReadonlyArray<Limit> => [
  of("3 s", { ms: 3_000 }, { ms: 2_999 }, length, 2_999, "3000 to 900000"),
  of("15 min", { ms: 900_000 }, { ms: 900_001 }, length, 900_001, "3000 to 900000"),
  of("300 MB", { size: 300_000_000 }, { size: 300_000_001 }, size, 300_000_001, 300_000_000),
  of("23 fps", { rate: 23 }, { rate: 22.999 }, rate, 22.999, "23 to 60"),
  of("60 fps", { rate: 60 }, { rate: 60.001 }, rate, 60.001, "23 to 60"),
  of("1,920 wide", { width: 1_920 }, { width: 1_921 }, sides, 1_921, "1 to 1920"),
  of("10:1", { width: 1_900, height: 190 }, { width: 1_900, height: 189 }, ratio, 10.05, "0.01 to 10"),
  of("0.01:1", { width: 10, height: 1_000 }, { width: 10, height: 1_001 }, ratio, 0.00999, "0.01 to 10"),
  of("HEVC", { video: "hvc1" }, { video: "vp09" }, format, "vp09", h264OrHevc),
  of("QuickTime", { type: "video/quicktime" }, webm, format, "video/webm", mp4OrMov)
]

const instagramImage = (of: ReturnType<typeof ofFile>): ReadonlyArray<Limit> => [
  of("JPEG", {}, png, format, "image/png", "image/jpeg"),
  of("8 MiB", { size: 8_388_608 }, { size: 8_388_609 }, size, 8_388_609, 8_388_608)
]

const instagramRatio = (of: ReturnType<typeof ofFile>): ReadonlyArray<Limit> => [
  of("4:5", { width: 800, height: 1_000 }, { width: 799, height: 1_000 }, ratio, 0.799, "0.8 to 1.91"),
  of("1.91:1", { width: 1_910, height: 1_000 }, { width: 1_911, height: 1_000 }, ratio, 1.911, "0.8 to 1.91")
]

/** A part of a carousel, after a JPEG that is fine. */
const inCarousel =
  (make: (change: Partial<File>) => File): ReturnType<typeof ofFile> =>
  (what, inside, outside, code, actual, most) =>
    limit(`${what} in a carousel`, { files: [jpeg(), make(inside)] }, { files: [jpeg(), make(outside)] }, [
      "media_ids[1]",
      code,
      actual,
      most
    ])

const inStory = (make: (change: Partial<File>) => File) => ofFile(make, { kind: "story" })

const convert: readonly [code: string, actual: Value, most: Value] = [
  "gif_conversion_required",
  "image/gif",
  "video/mp4"
]

const instagram: ReadonlyArray<Limit> = [
  letters(2_200, [jpeg()]),
  comments(2_200, [jpeg()]),
  altTexts,
  limit("30 hashtags", { text: numbered(30, "#"), files: [jpeg()] }, { text: numbered(31, "#"), files: [jpeg()] }, [
    "text",
    "too_many_hashtags",
    31,
    30
  ]),
  limit("20 mentions", { text: numbered(20, "@"), files: [jpeg()] }, { text: numbered(21, "@"), files: [jpeg()] }, [
    "text",
    "too_many_mentions",
    21,
    20
  ]),
  limit("a file", { files: [jpeg()] }, { text: "words" }, ["media_ids", "media_required", 0, 1]),
  limit("a carousel of 10", { files: times(10, jpeg()) }, { files: times(11, jpeg()) }, ["media_ids", count, 11, 10]),
  limit("a mixed carousel, without GIFs", { files: [jpeg(), mp4()] }, { files: [jpeg(), gif()] }, [
    "media_ids[1]",
    ...convert
  ]),
  limit("no GIF", { files: [jpeg()] }, { files: [gif()] }, ["media_ids[0]", ...convert]),
  limit(
    "a reel of one video",
    { files: [standing()], options: { kind: "reel" } },
    { files: [standing(), standing()], options: { kind: "reel" } },
    ["media_ids", count, 2, 1]
  ),
  limit(
    "a reel of a video",
    { files: [standing()], options: { kind: "reel" } },
    { files: [jpeg()], options: { kind: "reel" } },
    ["media_ids[0]", format, "image/jpeg", mp4OrMov]
  ),
  limit(
    "a story of one file",
    { files: [jpeg()], options: { kind: "story" } },
    { files: [jpeg(), jpeg()], options: { kind: "story" } },
    ["media_ids", count, 2, 1]
  ),
  ...instagramImage(ofFile(jpeg)),
  ...instagramRatio(ofFile(jpeg)),
  ...instagramVideo(ofFile(mp4)),
  ...instagramImage(inCarousel(jpeg)),
  ...instagramRatio(inCarousel(jpeg)),
  ...instagramVideo(inCarousel(mp4)),
  ...instagramImage(inStory(jpeg)),
  inStory(standing)("a story of 3 s", { ms: 3_000 }, { ms: 2_999 }, length, 2_999, "3000 to 60000"),
  inStory(standing)("a story of 60 s", { ms: 60_000 }, { ms: 60_001 }, length, 60_001, "3000 to 60000"),
  inStory(standing)("100 MB", { size: 100_000_000 }, { size: 100_000_001 }, size, 100_000_001, 100_000_000),
  inStory(standing)("a story of 60 fps", { rate: 60 }, { rate: 61 }, rate, 61, "23 to 60")
]

const photoTypes = "image/jpeg, image/png, image/bmp, image/tiff"

const facebookReel = (of: ReturnType<typeof ofFile>): ReadonlyArray<Limit> => [
  of("3 s", { ms: 3_000 }, { ms: 2_999 }, length, 2_999, "3000 to 90000"),
  of("90 s", { ms: 90_000 }, { ms: 90_001 }, length, 90_001, "3000 to 90000"),
  of("540 wide", { width: 540, height: 960 }, { width: 539, height: 960 }, sides, 539, "at least 540"),
  of("960 high", { width: 540, height: 960 }, { width: 540, height: 959 }, sides, 959, "at least 960"),
  of("9:16", { width: 1_080, height: 1_920 }, { width: 1_080, height: 1_350 }, ratio, 0.8, "0.55 to 0.575"),
  of("24 fps", { rate: 24 }, { rate: 23.999 }, rate, 23.999, "24 to 60"),
  of("60 fps", { rate: 60 }, { rate: 60.001 }, rate, 60.001, "24 to 60"),
  of("1 GB", { size: 1_000_000_000 }, { size: 1_000_000_001 }, size, 1_000_000_001, 1_000_000_000),
  of("MP4", {}, { type: "video/quicktime" }, format, "video/quicktime", "video/mp4")
]

const facebook: ReadonlyArray<Limit> = [
  letters(63_206),
  letters(63_206, [jpeg()]),
  comments(8_000),
  altTexts,
  limit("words", { text: "x" }, {}, ["text", "missing_required", null, null]),
  limit(
    "a link without files",
    { options: { link: "https://a.example/" } },
    { files: [jpeg()], options: { link: "https://a.example/" } },
    ["options.link", "link_with_media", null, null]
  ),
  limit(
    "a title of 255",
    { files: [mp4()], options: { title: "x".repeat(255) } },
    { files: [mp4()], options: { title: "x".repeat(256) } },
    ["options.title", "invalid_option", "x".repeat(256), "a text of at most 255 characters"]
  ),
  limit("30 photos", { files: times(30, jpeg()) }, { files: times(31, jpeg()) }, ["media_ids", count, 31, 30]),
  limit(
    "photos and GIFs",
    { files: [jpeg(), gif()] },
    { files: [jpeg(), mp4()] },
    ["media_ids", count, 2, 1],
    ["media_ids", "mixed_media_unsupported", null, null],
    ["media_ids[0]", format, "image/jpeg", "video/mp4"]
  ),
  limit("one video", { files: [mp4()] }, { files: [mp4(), mp4()] }, ["media_ids", count, 2, 1]),
  ofFile(jpeg)("PNG", png, webp, format, "image/webp", photoTypes),
  ofFile(jpeg)("10 MB", { size: 10_000_000 }, { size: 10_000_001 }, size, 10_000_001, 10_000_000),
  ofFile(gif)("a GIF of 10 MB", { size: 10_000_000 }, { size: 10_000_001 }, size, 10_000_001, 10_000_000),
  ofFile(mp4)("20 min", { ms: 1_200_000 }, { ms: 1_200_001 }, length, 1_200_001, "1 to 1200000"),
  ofFile(mp4)("1 GB", { size: 1_000_000_000 }, { size: 1_000_000_001 }, size, 1_000_000_001, 1_000_000_000),
  ofFile(mp4)("MP4", {}, { type: "video/quicktime" }, format, "video/quicktime", "video/mp4"),
  ...facebookReel(ofFile(standing)),
  ...facebookReel(ofFile(standing, { kind: "reel" })),
  limit(
    "a reel that stands",
    { files: [standing()], options: { kind: "reel" } },
    { files: [mp4({ width: 960, height: 960 })], options: { kind: "reel" } },
    ["options.kind", "reel_not_vertical", null, null],
    ["media_ids[0]", ratio, 1, "0.55 to 0.575"]
  )
]

const threadsImage = (of: ReturnType<typeof ofFile>): ReadonlyArray<Limit> => [
  of("PNG", png, webp, format, "image/webp", "image/jpeg, image/png"),
  of("8 MB", { size: 8_000_000 }, { size: 8_000_001 }, size, 8_000_001, 8_000_000),
  of("10:1", { width: 1_000, height: 100 }, { width: 1_001, height: 100 }, ratio, 10.01, "0.1 to 10"),
  of("1:10", { width: 100, height: 1_000 }, { width: 100, height: 1_001 }, ratio, 0.0999, "0.1 to 10")
]

const threadsVideo = (of: ReturnType<typeof ofFile>): ReadonlyArray<Limit> => [
  of("5 min", { ms: 300_000 }, { ms: 300_001 }, length, 300_001, "1 to 300000"),
  of("1 GB", { size: 1_000_000_000 }, { size: 1_000_000_001 }, size, 1_000_000_001, 1_000_000_000),
  of("1,920 wide", { width: 1_920 }, { width: 1_921 }, sides, 1_921, "1 to 1920"),
  of("23 fps", { rate: 23 }, { rate: 22.999 }, rate, 22.999, "23 to 60"),
  of("60 fps", { rate: 60 }, { rate: 60.001 }, rate, 60.001, "23 to 60"),
  of("QuickTime", { type: "video/quicktime" }, webm, format, "video/webm", mp4OrMov)
]

const threads: ReadonlyArray<Limit> = [
  letters(500),
  letters(500, [jpeg()]),
  comments(500),
  altTexts,
  limit("an emoji as the bytes of its UTF-8", { text: `${"x".repeat(496)}🚀` }, { text: `${"x".repeat(497)}🚀` }, [
    "text",
    "exceeds_max_length",
    501,
    500
  ]),
  limit(
    "5 links, the same one counted once",
    { text: `${numbered(5, "https://a.example/")} https://a.example/n0` },
    { text: numbered(6, "https://a.example/") },
    ["text", "too_many_links", 6, 5]
  ),
  limit(
    "a topic of 50",
    { text: "x", options: { topic_tag: "x".repeat(50) } },
    { text: "x", options: { topic_tag: "x".repeat(51) } },
    ["options.topic_tag", "invalid_option", "x".repeat(51), "a text of at most 50 characters"]
  ),
  limit("words", { text: "x" }, {}, ["text", "missing_required", null, null]),
  limit("a carousel of 20", { files: times(20, jpeg()) }, { files: times(21, jpeg()) }, ["media_ids", count, 21, 20]),
  limit("a mixed carousel, without GIFs", { files: [jpeg(), mp4()] }, { files: [jpeg(), gif()] }, [
    "media_ids[1]",
    ...convert
  ]),
  limit("no GIF", { files: [mp4()] }, { files: [gif()] }, ["media_ids[0]", ...convert]),
  ...threadsImage(ofFile(jpeg)),
  ...threadsVideo(ofFile(mp4)),
  ...threadsImage(inCarousel(jpeg)),
  ...threadsVideo(inCarousel(mp4))
]

const xImageTypes = "image/jpeg, image/png, image/webp"

const x: ReadonlyArray<Limit> = [
  letters(280),
  letters(280, [jpeg()]),
  comments(280),
  altTexts,
  limit("letters of weight 2", { text: "猫".repeat(140) }, { text: `${"猫".repeat(140)}x` }, [
    "text",
    "exceeds_max_length",
    281,
    280
  ]),
  limit("an emoji as 2", { text: `${"x".repeat(278)}👩‍👩‍👧‍👦` }, { text: `${"x".repeat(279)}👩‍👩‍👧‍👦` }, [
    "text",
    "exceeds_max_length",
    281,
    280
  ]),
  limit(
    "a link as 23",
    { text: `${"x".repeat(256)} https://a.com/${"y".repeat(100)}` },
    { text: `${"x".repeat(257)} https://a.com/` },
    ["text", "exceeds_max_length", 281, 280]
  ),
  limit("words", { text: "x" }, {}, ["text", "missing_required", null, null]),
  limit("4 images", { files: times(4, jpeg()) }, { files: times(5, jpeg()) }, ["media_ids", count, 5, 4]),
  limit("one GIF", { files: [gif()] }, { files: [gif(), gif()] }, ["media_ids", count, 2, 1]),
  limit("one video", { files: [mp4()] }, { files: [mp4(), mp4()] }, ["media_ids", count, 2, 1]),
  limit(
    "images alone",
    { files: [jpeg(), jpeg()] },
    { files: [jpeg(), mp4()] },
    ["media_ids", count, 2, 1],
    ["media_ids", "mixed_media_unsupported", null, null],
    ["media_ids[0]", format, "image/jpeg", "video/mp4, video/quicktime, video/webm"]
  ),
  ofFile(jpeg)("WebP", webp, { type: "image/heic" }, format, "image/heic", xImageTypes),
  ofFile(jpeg)("5 MB", { size: 5_000_000 }, { size: 5_000_001 }, size, 5_000_001, 5_000_000),
  ofFile(gif)("15 MB", { size: 15_000_000 }, { size: 15_000_001 }, size, 15_000_001, 15_000_000),
  ofFile(gif)("1,280 wide", { width: 1_280 }, { width: 1_281 }, sides, 1_281, "1 to 1280"),
  ofFile(gif)("1,080 high", { height: 1_080 }, { height: 1_081 }, sides, 1_081, "1 to 1080"),
  ofFile(gif)("350 frames", { frames: 350 }, { frames: 351 }, length, 351, 350),
  ofFile(gif)(
    "300 million pixels",
    { width: 1_000, height: 1_000, frames: 300 },
    { width: 1_000, height: 1_000, frames: 301 },
    sides,
    301_000_000,
    300_000_000
  ),
  ofFile(mp4)("0.5 s", { ms: 500 }, { ms: 499 }, length, 499, "500 to 140000"),
  ofFile(mp4)("140 s", { ms: 140_000 }, { ms: 140_001 }, length, 140_001, "500 to 140000"),
  ofFile(mp4)("512 MB", { size: 512_000_000 }, { size: 512_000_001 }, size, 512_000_001, 512_000_000),
  ofFile(mp4)("1,280 lying", { width: 1_280 }, { width: 1_281 }, sides, 1_281, "32 to 1280"),
  ofFile(standing)("1,280 standing", { height: 1_280 }, { height: 1_281 }, sides, 1_281, "32 to 1280"),
  ofFile(mp4)("1,024 high", { height: 1_024 }, { height: 1_025 }, sides, 1_025, "32 to 1024"),
  ofFile(mp4)("32 high", { width: 64, height: 32 }, { width: 64, height: 31 }, sides, 31, "32 to 1024"),
  ofFile(mp4)("3:1", { width: 960, height: 320 }, { width: 961, height: 320 }, ratio, 3.003, "0.3333 to 3"),
  ofFile(mp4)("1:3", { width: 320, height: 960 }, { width: 320, height: 961 }, ratio, 0.33, "0.3333 to 3"),
  ofFile(mp4)("60 fps", { rate: 60 }, { rate: 60.001 }, rate, 60.001, "0 to 60"),
  ofFile(mp4)("AAC", { audio: "mp4a" }, { audio: "opus" }, format, "opus", "mp4a, A_OPUS, A_VORBIS"),
  ofFile(mp4)("WebM", webm, { type: "video/quicktime", ms: 140_001 }, length, 140_001, "500 to 140000")
]

/** social-networks-write.md B0, from both sides of each limit. */
export const limits = { instagram, facebook, threads, x }
