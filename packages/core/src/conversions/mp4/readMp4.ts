import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Box, boxesIn, clockOf, letters, sampleTimes, u32, within } from "../../media/mp4/boxes.ts"

/** Facts about an MP4 with one video track, read from its boxes; no sample is read. */
export interface Mp4Facts {
  /** Four letters of the sample entry: `avc1` is H.264. */
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly pictures: number
  readonly tracks: number
  readonly duration_ms: number
  /** The track's time scale in ticks per second, and the ticks of a picture if all are equal. */
  readonly ticksPerSecond: number
  readonly ticksPerPicture: number | undefined
  /** Whether the index precedes the samples, so that playback can start during the download. */
  readonly isFastStart: boolean
  readonly hasEditList: boolean
  /** Whether pictures are shown in another order than they are stored. */
  readonly hasReordering: boolean
}

/** The bytes are not an MP4 that can be parsed here. */
export class Mp4Unreadable extends Schema.TaggedError<Mp4Unreadable>()("Mp4Unreadable", { detail: Schema.String }) {}

/** How many first bytes are needed; the index of the longest possible video is a fifth of this. */
export const mp4HeadLength_bytes = 131_072

/** Number of pictures in an `stts`, and their duration if it is equal for all. */
const timesOf = (view: DataView, box: Box): { readonly pictures: number; readonly each: number | undefined } => {
  let pictures = 0
  const lengths = new Set<number>()
  for (const { samples, ticks } of sampleTimes(view, box)) {
    pictures += samples
    lengths.add(ticks)
  }
  const [each] = lengths
  return { pictures, each: lengths.size === 1 ? each : undefined }
}

const unreadable = (detail: string) => Result.fail(new Mp4Unreadable({ detail }))

/** Parses the beginning of an MP4. Never throws; reads a bounded number of boxes on each level. */
export const readMp4 = (head: Uint8Array): Result.Result<Mp4Facts, Mp4Unreadable> => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const top = boxesIn(view, 0, Number.MAX_SAFE_INTEGER)
  if (top[0]?.type !== "ftyp") return unreadable("no ftyp at the beginning")
  const moov = top.find((box) => box.type === "moov")
  if (moov === undefined) return unreadable("no moov in the head")
  if (moov.end > view.byteLength) return unreadable("moov is longer than the head")
  const mdatAt = top.findIndex((box) => box.type === "mdat")
  const tracks = boxesIn(view, moov.start, moov.end).filter((box) => box.type === "trak")
  const mvhd = within(view, moov, ["mvhd"])
  const mdhd = within(view, tracks[0], ["mdia", "mdhd"])
  const stbl = within(view, tracks[0], ["mdia", "minf", "stbl"])
  const stsd = within(view, stbl, ["stsd"])
  const stts = within(view, stbl, ["stts"])
  if (!mvhd || !mdhd || !stsd || !stts) return unreadable("an index box is missing")
  const movie = clockOf(view, mvhd)
  const times = timesOf(view, stts)
  // The first sample entry follows version, flags and count. Its size fields are at byte 24 of its payload.
  const entry = stsd.start + 8
  return Result.succeed({
    codec: letters(view, entry + 4),
    width: u32(view, entry + 32) >>> 16,
    height: u32(view, entry + 32) & 0xffff,
    pictures: times.pictures,
    tracks: tracks.length,
    duration_ms: movie.scale === 0 ? 0 : Math.round((movie.duration * 1000) / movie.scale),
    ticksPerSecond: clockOf(view, mdhd).scale,
    ticksPerPicture: times.each,
    isFastStart: mdatAt === -1 || top.indexOf(moov) < mdatAt,
    hasEditList: within(view, tracks[0], ["edts", "elst"]) !== undefined,
    hasReordering: within(view, stbl, ["ctts"]) !== undefined
  })
}
