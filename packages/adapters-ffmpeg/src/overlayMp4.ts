import type { OverlayPlan } from "@loopbox/core/overlays/planOverlay"
import { samplesPerSecond } from "@loopbox/core/overlays/planOverlay"
import type { ContentType } from "@loopbox/core/media/ContentType"
import { common, mp4Output, readsFilesOnly, universalPicture } from "./universalMp4.ts"

/**
 * The arguments of ffmpeg for an audio overlay. Pure; every name is relative to the scratch folder.
 *
 * The sound is decoded first, into samples that can be counted, cut and repeated exactly; then it is mixed and encoded
 * beside the picture. Only options that ffmpeg 4.1 to 8 share.
 */

/** Names in the scratch folder. */
export const overlayFiles = {
  video: "v.bin",
  audio: "a.bin",
  packets: "p.txt",
  /** The laid sound: stereo samples, four bytes each. */
  laid: "l.raw",
  /** The same of the file from its beginning, to follow in a loop. */
  again: "r.raw",
  output: "o.mp4"
} as const

/** Bytes of a stereo sample in `laid` and `again`. */
export const sample_bytes = 8

/** No format has this name. */
const readsNothing = ["-format_whitelist", "none"]

/** Each format by its name, so that nothing else that ffmpeg could read is tried, such as a playlist. */
const formats: Readonly<Record<ContentType, ReadonlyArray<string>>> = {
  "video/mp4": ["-f", "mov"],
  "video/quicktime": ["-f", "mov"],
  "audio/mp4": ["-f", "mov"],
  "video/webm": ["-f", "matroska"],
  "audio/wav": ["-f", "wav"],
  // Both may begin with the same tags, so ffmpeg tells them apart; it reads no third.
  "audio/mpeg": ["-format_whitelist", "mp3,aac"],
  "audio/aac": ["-format_whitelist", "mp3,aac"],
  "image/gif": readsNothing,
  "image/jpeg": readsNothing,
  "image/png": readsNothing,
  "image/webp": readsNothing,
  "image/heic": readsNothing
}

const input = (contentType: ContentType, name: string): ReadonlyArray<string> => [
  ...["-threads", "2", ...formats[contentType]],
  ...["-i", name]
]

/** Two channels that are as loud as the source: ffmpeg itself would make a lone channel quieter by 3 dB. */
const stereo = "aformat=sample_fmts=flt:channel_layouts=mono|stereo,pan=stereo|FL=FL+FC|FR=FR+FC"

/** Lists the packets of picture and sound with their times; nothing is decoded. */
export const packetArguments = (video: ContentType): ReadonlyArray<string> => [
  ...[...common, ...readsFilesOnly, ...input(video, overlayFiles.video)],
  ...["-map", "0:V:0", "-map", "0:a:0?", "-c", "copy"],
  ...["-f", "framecrc", overlayFiles.packets]
]

const seconds = (time_ms: number): string => (time_ms / 1000).toFixed(3)

/** Decodes the sound from where it begins; if it is looped, a second time from the beginning of its file. */
export const soundArguments = (plan: OverlayPlan, audio: ContentType): ReadonlyArray<string> => {
  const { start_ms } = plan.laid
  const source = input(audio, overlayFiles.audio)
  const samples = (file: number, name: string): ReadonlyArray<string> => [
    ...["-map", `${file}:a:0`, "-af", `aresample=${samplesPerSecond},${stereo},atrim=end_sample=${plan.samples}`],
    ...["-c:a", "pcm_f32le", "-f", "f32le", name]
  ]
  const begins = start_ms > 0 ? ["-ss", seconds(start_ms)] : []
  const hasSecond = repeatedFile(plan) === overlayFiles.again
  return [
    ...[...common, ...readsFilesOnly, ...begins, ...source],
    ...(hasSecond ? [...readsFilesOnly, ...source] : []),
    ...samples(0, overlayFiles.laid),
    ...(hasSecond ? samples(1, overlayFiles.again) : [])
  ]
}

/** The samples that follow the laid ones again and again; undefined if silence follows. */
export const repeatedFile = ({ laid }: OverlayPlan): string | undefined => {
  if (!laid.isLooped) return undefined
  return laid.start_ms > 0 ? overlayFiles.again : overlayFiles.laid
}

/** Both sounds as long as the picture, each at its volume, and their sum; where that is too loud for a file, it is limited. */
const soundFilter = ({ laid, own, samples }: OverlayPlan): string => {
  const fitted = `apad=whole_len=${samples},atrim=end_sample=${samples}`
  if (own === undefined) return `[1:a]volume=${laid.volume},${fitted}[sound]`
  const skipped = own.skip_samples > 0 ? `,atrim=start_sample=${own.skip_samples},asetpts=PTS-STARTPTS` : ""
  const timed = `aresample=${samplesPerSecond}:async=1:first_pts=0${skipped}`
  return [
    `[0:a:0]${timed},${stereo},volume=${own.volume},${fitted}[own]`,
    `[1:a]volume=${laid.volume},${fitted}[laid]`,
    // Not amix: it divides by the number of its inputs, and before 4.4 always.
    "[own][laid]amerge,pan=stereo|c0=c0+c2|c1=c1+c3,alimiter=level=0:limit=1[sound]"
  ].join(";")
}

/**
 * Square pixels, even sides by dropping the last column or row, the longest at most 1920. The number of pictures is cut here:
 * `-frames` would end the sound with the last picture.
 */
const pictureFilter = (plan: OverlayPlan): string =>
  [
    "setpts=PTS-STARTPTS,fps=30",
    "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0",
    "scale=w=round(iw*sar/2)*2:h=ih,setsar=1",
    `scale=w=${shrunk("iw")}:h=${shrunk("ih")}:flags=bicubic:out_color_matrix=bt709:out_range=tv`,
    `format=yuv420p,tpad=stop_mode=clone:stop=-1,trim=end_frame=${plan.pictures}`
  ].join(",")

/** A side of a picture whose longest is at most 1920; multiplied first, because the quotient is not exact. */
const shrunk = (side: "iw" | "ih"): string => `trunc(${side}*min(1920\\,max(iw\\,ih))/max(iw\\,ih)/2)*2`

const picture = (plan: OverlayPlan): ReadonlyArray<string> =>
  plan.picture === "copy" ? ["-c:v", "copy"] : ["-vf", pictureFilter(plan), ...universalPicture(["-crf", "18"])]

/** Makes the video: its picture copied or encoded, its sound mixed and encoded. */
export const overlayArguments = (plan: OverlayPlan, video: ContentType): ReadonlyArray<string> => [
  ...[...common, ...readsFilesOnly, ...input(video, overlayFiles.video)],
  ...[...readsFilesOnly, "-f", "f32le", "-ar", String(samplesPerSecond), "-ac", "2", "-i", overlayFiles.laid],
  ...["-filter_complex", soundFilter(plan), "-map", "0:V:0", "-map", "[sound]", "-sn", "-dn"],
  ...["-map_metadata", "-1", "-map_chapters", "-1", ...picture(plan), "-c:a", "aac", "-b:a", "128k"],
  // Without an edit list pictures that look ahead begin at 0 so, and none is moved because the sound begins before 0.
  ...["-avoid_negative_ts", "disabled"],
  ...mp4Output(overlayFiles.output, ["negative_cts_offsets"])
]
