import { type Box, boxesIn, clockOf, letters, sampleTimes, u32, u64, within } from "./boxes.ts"

/** What the index of an MP4, M4A or QuickTime file says. Absent: the file does not say it, or it cannot be read. */
export interface MovieFacts {
  /** Of the first video track in pixels, as it is shown: after rotation. */
  readonly width: number | undefined
  readonly height: number | undefined
  readonly durationMs: number | undefined
  /** Pictures a second on average, with three decimals. */
  readonly frameRate: number | undefined
  /** Four letters of the sample entry: `avc1` is H.264. Absent without a video track. */
  readonly videoCodec: string | undefined
  /** Likewise: `mp4a` is AAC. Absent without sound. */
  readonly audioCodec: string | undefined
}

/** A value that is said: zero stands for unknown in all these fields. */
const said = (value: number): number | undefined => (Number.isFinite(value) && value > 0 ? value : undefined)

const toMs = ({ duration, scale }: { readonly duration: number; readonly scale: number }): number | undefined => {
  // All bits set stand for an unknown duration.
  const isUnknown = duration === 0xffff_ffff || duration >= 2 ** 63
  return isUnknown ? undefined : said(Math.round((duration * 1000) / scale))
}

/** The first sample entry, after version, flags and count; its own header has 8 bytes. */
const entryOf = (view: DataView, track: Box): number | undefined => {
  const stsd = within(view, track, ["mdia", "minf", "stbl", "stsd"])
  return stsd && stsd.start + 8
}

const codecOf = (view: DataView, track: Box | undefined): string | undefined => {
  const entry = track && entryOf(view, track)
  const codec = entry === undefined ? "" : letters(view, entry + 4)
  return /^[\x20-\x7e]{4}$/.test(codec) ? codec : undefined
}

/** Whether the track's matrix turns the picture by 90 or 270 degrees. */
const isTurned = (view: DataView, track: Box): boolean => {
  const tkhd = within(view, track, ["tkhd"])
  if (tkhd === undefined) return false
  const matrix = tkhd.start + (u32(view, tkhd.start) >>> 24 === 1 ? 52 : 40)
  const [a, b, c, d] = [0, 4, 12, 16].map((at) => u32(view, matrix + at))
  return a === 0 && d === 0 && b !== 0 && c !== 0
}

const sizeOf = (view: DataView, track: Box | undefined): Pick<MovieFacts, "width" | "height"> => {
  const entry = track && entryOf(view, track)
  if (track === undefined || entry === undefined) return { width: undefined, height: undefined }
  const [width, height] = [said(u32(view, entry + 32) >>> 16), said(u32(view, entry + 32) & 0xffff)]
  return isTurned(view, track) ? { width: height, height: width } : { width, height }
}

/** In a fragmented file the samples are not in the index, only how long one lasts unless a fragment says otherwise. */
const defaultTicks = (view: DataView, moov: Box): number => {
  const trex = within(view, moov, ["mvex", "trex"])
  return trex === undefined ? 0 : u32(view, trex.start + 12)
}

const frameRateOf = (view: DataView, moov: Box, track: Box | undefined): number | undefined => {
  const mdhd = within(view, track, ["mdia", "mdhd"])
  const stts = within(view, track, ["mdia", "minf", "stbl", "stts"])
  if (mdhd === undefined) return undefined
  let samples = 0
  let ticks = 0
  for (const entry of stts === undefined ? [] : sampleTimes(view, stts)) {
    samples += entry.samples
    ticks += entry.samples * entry.ticks
  }
  const { scale } = clockOf(view, mdhd)
  const rate = samples > 0 ? (samples * scale) / ticks : scale / defaultTicks(view, moov)
  return said(Math.round(rate * 1000) / 1000)
}

const durationOf = (view: DataView, moov: Box, tracks: ReadonlyArray<Box>): number | undefined => {
  const mvhd = within(view, moov, ["mvhd"])
  if (mvhd === undefined) return undefined
  const movie = clockOf(view, mvhd)
  const whole = toMs(movie)
  if (whole !== undefined) return whole
  const mehd = within(view, moov, ["mvex", "mehd"])
  if (mehd !== undefined) {
    const isLong = u32(view, mehd.start) >>> 24 === 1
    const duration = isLong ? u64(view, mehd.start + 4) : u32(view, mehd.start + 4)
    return toMs({ duration, scale: movie.scale })
  }
  const lengths = tracks.flatMap((track) => {
    const mdhd = within(view, track, ["mdia", "mdhd"])
    const length = mdhd && toMs(clockOf(view, mdhd))
    return length === undefined ? [] : [length]
  })
  return lengths.length === 0 ? undefined : Math.max(...lengths)
}

const handlerOf = (view: DataView, track: Box): string => {
  const hdlr = within(view, track, ["mdia", "hdlr"])
  return hdlr === undefined ? "" : letters(view, hdlr.start + 8)
}

/**
 * Reads the payload of a `moov` box. Never throws, for any bytes, and takes time linear in their number.
 *
 * The size is that of the stored pictures; a shape of pixels other than square is not looked at.
 */
export const readMovie = (payload: Uint8Array): MovieFacts => {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  const moov: Box = { type: "moov", start: 0, end: payload.byteLength }
  const tracks = boxesIn(view, moov.start, moov.end).filter((box) => box.type === "trak")
  const video = tracks.find((track) => handlerOf(view, track) === "vide")
  const audio = tracks.find((track) => handlerOf(view, track) === "soun")
  return {
    ...sizeOf(view, video),
    durationMs: durationOf(view, moov, tracks),
    frameRate: video && frameRateOf(view, moov, video),
    videoCodec: codecOf(view, video),
    audioCodec: codecOf(view, audio)
  }
}
