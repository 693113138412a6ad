import type { RenderPlan } from "@loopbox/core/conversions/gif/renderPlan"

/**
 * The arguments of ffmpeg for the profile universal_mp4_v1. Pure; every name is relative to the scratch folder.
 *
 * Why each of them: gif-to-mp4 notes in `docs/operations`. Only options that ffmpeg 4.1 to 8 share.
 */

/** Names in the scratch folder. */
export const files = { gif: "c.gif", list: "l.txt", unit: "u.mp4", video: "o.mp4" } as const

/** A frame of the decoder is at most 64 MB in a GIF; nothing honest comes near this. */
const maxAllocation_bytes = 1_073_741_824

/** What every call begins with. */
export const common = ["-nostdin", "-hide_banner", "-v", "error", "-nostats", "-progress", "pipe:1", "-y"]

/** Before an input: no network, and nothing that is larger than an honest file needs. */
export const readsFilesOnly = ["-protocol_whitelist", "file", "-max_alloc", String(maxAllocation_bytes)]

/** An MP4 with its index in front and without edit lists, which Instagram asks for. */
export const mp4Output = (name: string, flags: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...["-movflags", ["", "faststart", ...flags].join("+"), "-use_editlist", "0", "-f", "mp4"],
  name
]

/** H.264 as all networks take it, stored in the order shown. */
export const universalPicture = (quality: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...["-c:v", "libx264", "-preset", "veryfast", ...quality, "-bf", "0", "-g", "60"],
  ...["-maxrate", "20M", "-bufsize", "40M", "-profile:v", "high", "-pix_fmt", "yuv420p", "-threads", "2"],
  ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
]

/** Whether the decoder reads the GIF more than once. */
const isConcatenated = (plan: RenderPlan): boolean => plan.unit.cycles > 1

/**
 * The list that makes the decoder read the GIF again and again, undefined when once is enough.
 *
 * The durations are exact: with `-stream_loop` ffmpeg guesses the length of a cycle, and guesses short ones wrongly.
 */
export const concatList = (plan: RenderPlan): string | undefined => {
  if (!isConcatenated(plan)) return undefined
  const cycle = `file ${files.gif}\nduration ${(plan.cycle_cs / 100).toFixed(2)}\n`
  return `ffconcat version 1.0\n${cycle.repeat(plan.unit.cycles)}`
}

const matrix = "out_color_matrix=bt709:out_range=tv"

const resize = (plan: RenderPlan): ReadonlyArray<string> => {
  const { canvas, height, width } = plan
  const cut = canvas.isCut ? [`crop=${canvas.width}:${canvas.height}:0:0`] : []
  switch (plan.resize) {
    case "none":
      return [...cut, `scale=${matrix}`]
    case "crop":
      return [`crop=${width}:${height}:0:0`, `scale=${matrix}`]
    case "shrink":
      return [...cut, `scale=${width}:${height}:flags=bicubic:${matrix}`]
    case "double":
      // The long side is cut to even before the short one is doubled, so that no row in the middle goes.
      return [
        `crop=${Math.min(width, canvas.width)}:${Math.min(height, canvas.height)}:0:0`,
        `scale=${width}:${height}:flags=neighbor:${matrix}`
      ]
  }
}

const filters = (plan: RenderPlan): string =>
  [...resize(plan), "format=yuv420p", "fps=30", "tpad=stop_mode=clone:stop=-1", "setsar=1"].join(",")

/** Weights of all coefficients of a block alike, half of what they are by default. */
const halved = Array.from({ length: 16 }, () => 8).join(",")

/**
 * Keeps what a sprite leaves behind from staying: x264 skips a block whose change is small before it has looked at all of
 * it, and a spike of chroma that is over 16 coefficients lies below the quantiser in each of them, also at the least offset
 * that there is, where a picture is soon another and gets less. Without `mbtree`, which does that, files grow by half; with
 * finer chroma in all but key pictures, by a tenth.
 */
const erasesWholly = `no-fast-pskip=1:chroma-qp-offset=-12:cqm4pc=${halved}`

/** Encodes the unit of the plan: the whole video, unless it is repeated. */
export const unitArguments = (plan: RenderPlan): ReadonlyArray<string> => [
  ...common,
  ...readsFilesOnly,
  // What the decoder clears becomes the background colour, so that pictures come out opaque.
  ...["-trans_color", `0xFF${plan.background.slice(1)}`],
  ...(isConcatenated(plan) ? ["-f", "concat", "-i", files.list] : ["-f", "gif", "-i", files.gif]),
  ...["-map", "0:v:0", "-an", "-sn", "-dn", "-map_metadata", "-1"],
  ...["-vf", filters(plan), "-frames:v", String(plan.unit.pictures)],
  ...universalPicture(["-crf", "16", "-aq-mode", "0", "-x264-params", erasesWholly]),
  ...mp4Output(files.unit)
]

/** Copies the unit end to end, cut at the pictures of the plan; a cut anywhere is decodable because no picture looks ahead. */
export const repeatArguments = (plan: RenderPlan): ReadonlyArray<string> => [
  ...common,
  ...["-protocol_whitelist", "file"],
  ...["-stream_loop", String(Math.ceil(plan.pictures / plan.unit.pictures) - 1), "-i", files.unit],
  ...["-map", "0:v:0", "-c", "copy", "-frames:v", String(plan.pictures)],
  ...mp4Output(files.video)
]
