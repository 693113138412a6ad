import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

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

interface Box {
  readonly type: string
  /** Start of the payload. */
  readonly start: number
  readonly end: number
}

const maxBoxes = 256

const u32 = (view: DataView, at: number): number => (at + 4 <= view.byteLength ? view.getUint32(at) : 0)
const u64 = (view: DataView, at: number): number => u32(view, at) * 4_294_967_296 + u32(view, at + 4)

const letters = (view: DataView, at: number): string =>
  String.fromCharCode(...[24, 16, 8, 0].map((shift) => (u32(view, at) >>> shift) & 255))

/** The boxes between two offsets. A box that continues behind the available bytes is listed with its real end. */
const boxesIn = (view: DataView, start: number, end: number): ReadonlyArray<Box> => {
  const boxes: Array<Box> = []
  let at = start
  while (at + 8 <= Math.min(end, view.byteLength) && boxes.length < maxBoxes) {
    const short = u32(view, at)
    const header = short === 1 ? 16 : 8
    const size = short === 0 ? end - at : short === 1 ? u64(view, at + 8) : short
    if (size < header) break
    boxes.push({ type: letters(view, at + 4), start: at + header, end: at + size })
    at += size
  }
  return boxes
}

const within = (view: DataView, box: Box | undefined, path: ReadonlyArray<string>): Box | undefined =>
  path.reduce<Box | undefined>(
    (parent, type) => parent && boxesIn(view, parent.start, parent.end).find((child) => child.type === type),
    box
  )

/** Time scale and duration of an `mvhd` or `mdhd`, in either version. */
const clockOf = (view: DataView, box: Box): { readonly scale: number; readonly duration: number } =>
  u32(view, box.start) >>> 24 === 1
    ? { scale: u32(view, box.start + 20), duration: u64(view, box.start + 24) }
    : { scale: u32(view, box.start + 12), duration: u32(view, box.start + 16) }

/** Number of pictures in an `stts`, and their duration if it is equal for all. */
const timesOf = (view: DataView, box: Box): { readonly pictures: number; readonly each: number | undefined } => {
  const entries = Math.min(
    u32(view, box.start + 4),
    Math.floor((Math.min(box.end, view.byteLength) - box.start - 8) / 8)
  )
  let pictures = 0
  const lengths = new Set<number>()
  for (let entry = 0; entry < entries; entry++) {
    pictures += u32(view, box.start + 8 + entry * 8)
    lengths.add(u32(view, box.start + 12 + entry * 8))
  }
  const [each] = lengths
  return { pictures, each: lengths.size === 1 ? each : undefined }
}

const unreadable = (detail: string) => Result.fail(new Mp4Unreadable({ detail }))

/** Parses the beginning of an MP4. Never throws; reads at most `maxBoxes` per box. */
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
