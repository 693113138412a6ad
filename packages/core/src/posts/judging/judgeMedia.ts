import * as Option from "effect/Option"
import type { MediaShape } from "../../networks/publishing/Publication.ts"
import type { MediaLimits, PublishFault, PublishRule, Range } from "../../networks/publishing/PublishRules.ts"

type Fault = Omit<PublishFault, "path">

/** With so many decimals at most, and no zeros at the end. */
const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals))

const rangeText = ({ least, most }: Range): string =>
  most === Infinity ? `at least ${rounded(least, 4)}` : `${rounded(least, 4)} to ${rounded(most, 4)}`

const isOutside = (value: number, { least, most }: Range): boolean => value < least || value > most

/** For people: 1.92, with as many decimals as it takes to see that it is outside. */
const shown = (value: number, range: Range): number => {
  const decimals = [2, 3, 4, 5, 6].find((count) => isOutside(rounded(value, count), range))
  return decimals === undefined ? value : rounded(value, decimals)
}

const outside = (code: PublishFault["code"], what: string, value: Option.Option<number>, range: Range | undefined) =>
  range !== undefined && Option.isSome(value) && isOutside(value.value, range)
    ? [
        {
          code,
          message: `${what} must be ${rangeText(range)}.`,
          actual: shown(value.value, range),
          limit: rangeText(range)
        }
      ]
    : []

const judgeSize = ({ sizeBytes }: MediaShape, { maxBytes }: MediaLimits): ReadonlyArray<Fault> =>
  sizeBytes > maxBytes
    ? [
        {
          code: "file_too_large",
          message: `The file may have at most ${maxBytes} bytes.`,
          actual: sizeBytes,
          limit: maxBytes
        }
      ]
    : []

const both = (shape: MediaShape): Option.Option<{ readonly width: number; readonly height: number }> =>
  Option.all({ width: shape.width, height: shape.height })

const judgePixels = (shape: MediaShape, limits: MediaLimits): ReadonlyArray<Fault> => {
  const sides = both(shape)
  const ratio = Option.flatMap(sides, ({ height, width }) => (height > 0 ? Option.some(width / height) : Option.none()))
  const longer = Option.map(sides, ({ height, width }) => Math.max(width, height))
  const shorter = Option.map(sides, ({ height, width }) => Math.min(width, height))
  const pixels = Option.map(Option.all({ sides, frames: shape.frames }), (one) => {
    return one.sides.width * one.sides.height * one.frames
  })
  const faults: Array<Fault> = [
    ...outside("dimensions_out_of_range", "The width in pixels", shape.width, limits.width),
    ...outside("dimensions_out_of_range", "The height in pixels", shape.height, limits.height),
    ...outside("dimensions_out_of_range", "The longer side in pixels", longer, limits.longerSide),
    ...outside("dimensions_out_of_range", "The shorter side in pixels", shorter, limits.shorterSide),
    ...outside("aspect_ratio_unsupported", "Width divided by height", ratio, limits.ratio)
  ]
  const { maxFramePixels, maxFrames } = limits
  if (maxFrames !== undefined && Option.exists(shape.frames, (frames) => frames > maxFrames)) {
    faults.push({
      code: "duration_out_of_range",
      message: `It may have at most ${maxFrames} frames.`,
      actual: Option.getOrElse(shape.frames, () => 0),
      limit: maxFrames
    })
  }
  if (maxFramePixels !== undefined && Option.exists(pixels, (count) => count > maxFramePixels)) {
    faults.push({
      code: "dimensions_out_of_range",
      message: `Width times height times frames may be at most ${maxFramePixels}.`,
      actual: Option.getOrElse(pixels, () => 0),
      limit: maxFramePixels
    })
  }
  return faults
}

const judgeCodec = (
  codec: Option.Option<string>,
  known: ReadonlyArray<string> | undefined,
  what: string
): ReadonlyArray<Fault> =>
  known !== undefined && Option.exists(codec, (name) => !known.includes(name))
    ? [
        {
          code: "unsupported_format",
          message: `The ${what} must be coded as ${known.join(" or ")}.`,
          actual: Option.getOrElse(codec, () => ""),
          limit: known.join(", ")
        }
      ]
    : []

/** The type, or where that is right what it is coded as: another type has other codes. */
const judgeFormat = (shape: MediaShape, limits: MediaLimits): ReadonlyArray<Fault> => {
  if (limits.contentTypes.includes(shape.contentType)) {
    return [
      ...judgeCodec(shape.videoCodec, limits.videoCodecs, "picture"),
      ...judgeCodec(shape.audioCodec, limits.audioCodecs, "sound")
    ]
  }
  const known = limits.contentTypes.join(", ")
  const message = `The network takes ${known} here.`
  return [{ code: "unsupported_format", message, actual: shape.contentType, limit: known }]
}

const judgeFile = (shape: MediaShape, limits: MediaLimits): ReadonlyArray<Fault> => [
  ...judgeFormat(shape, limits),
  ...judgeSize(shape, limits),
  ...judgePixels(shape, limits),
  ...outside("duration_out_of_range", "The length in milliseconds", shape.durationMs, limits.durationMs),
  ...outside("frame_rate_out_of_range", "The frames a second", shape.frameRate, limits.frameRate)
]

const conversionRequired: Fault = {
  code: "gif_conversion_required",
  message:
    "This network takes no GIF. Convert it to MP4 with POST /v1/media/gif-conversions, and post the output_media_id.",
  actual: "image/gif",
  limit: "video/mp4"
}

const judgeOne = (rule: PublishRule, shape: MediaShape): ReadonlyArray<Fault> => {
  const limits = shape.kind === "other" ? undefined : rule[shape.kind]
  if (limits !== undefined) return judgeFile(shape, limits)
  if (shape.kind === "gif" && rule.gif === undefined) return [conversionRequired]
  const known = [rule.image, rule.gif, rule.video].flatMap((one) => one?.contentTypes ?? []).join(", ")
  const message = `A post of this kind (${rule.kind}) takes no ${shape.contentType}.`
  return [{ code: "unsupported_format", message, actual: shape.contentType, ...(known === "" ? {} : { limit: known }) }]
}

const judgeCount = (rule: PublishRule, media: ReadonlyArray<MediaShape>): ReadonlyArray<PublishFault> => {
  const { least, most } = rule.media
  const compared = { path: "media_ids", actual: media.length }
  const faults: Array<PublishFault> = []
  if (media.length < least) {
    faults.push({
      ...compared,
      code: "media_required",
      message: `The network needs at least ${least} file${least === 1 ? "" : "s"} for this.`,
      limit: least
    })
  }
  if (media.length > most) {
    faults.push({
      ...compared,
      code: "max_media_exceeded",
      message: `The network takes at most ${most} file${most === 1 ? "" : "s"} here.`,
      limit: most
    })
  }
  if (!rule.isMixed && new Set(media.map(({ kind }) => kind)).size > 1) {
    faults.push({
      path: "media_ids",
      code: "mixed_media_unsupported",
      message: "The network takes either images or a video in one post, not both."
    })
  }
  return faults
}

/** What of a target's files breaks the limits of its kind; all at once. Paths are those of the target. Pure. */
export const judgeMedia = (rule: PublishRule, media: ReadonlyArray<MediaShape>): ReadonlyArray<PublishFault> => [
  ...judgeCount(rule, media),
  ...media.flatMap((shape, i) => judgeOne(rule, shape).map((fault) => ({ ...fault, path: `media_ids[${i}]` })))
]
