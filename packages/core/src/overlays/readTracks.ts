import { type Box, boxesIn, clockOf, letters, sampleTimes, u32, u64, within } from "../media/mp4/boxes.ts"

/** One entry of an edit list. */
export interface TrackEdit {
  readonly length_ms: number
  /** Where in the track it begins; undefined if nothing is shown. */
  readonly from_ms: number | undefined
  readonly isNormalSpeed: boolean
}

/** What the index of an MP4 or QuickTime file says about one track. */
export interface TrackFacts {
  readonly kind: "picture" | "sound" | "other"
  /** Four letters of the first sample entry: `avc1` is H.264, `mp4a` is AAC. */
  readonly codec: string
  /** Number of sample entries: more than one if the format changes in the track. */
  readonly entries: number
  /** Of stored pictures, before rotation. */
  readonly width: number
  readonly height: number
  readonly hasSquarePixels: boolean
  /** `profile_idc` of H.264 (ISO/IEC 14496-15, 5.3.3.1); 0 if there is none. */
  readonly avcProfile: number
  readonly samples: number
  /** All samples one after the other, without the edit list. */
  readonly length_ms: number
  /** How long after its place in the file the first sample is shown. */
  readonly firstShown_ms: number
  readonly edits: ReadonlyArray<TrackEdit>
}

/** The tracks of a file. */
export interface MovieTracks {
  readonly tracks: ReadonlyArray<TrackFacts>
  /** Whether samples lie in fragments, which the index does not list. */
  readonly isFragmented: boolean
}

/** How many edits of a track are read. */
const maxEdits = 64

const kinds: Readonly<Record<string, TrackFacts["kind"]>> = { vide: "picture", soun: "sound" }

const inMs = (ticks: number, scale: number): number => (scale > 0 ? (ticks * 1000) / scale : 0)

const signed = (value: number): number => value | 0

const editsOf = (view: DataView, track: Box, movieScale: number, scale: number): ReadonlyArray<TrackEdit> => {
  const elst = within(view, track, ["edts", "elst"])
  if (elst === undefined) return []
  const isLong = u32(view, elst.start) >>> 24 === 1
  const size = isLong ? 20 : 12
  const available = Math.floor((Math.min(elst.end, view.byteLength) - elst.start - 8) / size)
  const count = Math.min(u32(view, elst.start + 4), available, maxEdits)
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const at = elst.start + 8 + index * size
    const high = signed(u32(view, at + (isLong ? 8 : 4)))
    const from = isLong && high >= 0 ? u64(view, at + 8) : high
    return {
      length_ms: inMs(isLong ? u64(view, at) : u32(view, at), movieScale),
      from_ms: high < 0 ? undefined : inMs(from, scale),
      isNormalSpeed: u32(view, at + size - 4) === 0x1_0000
    }
  })
}

/** The boxes inside of the first sample entry of a picture track, behind its 78 bytes of fields. */
const entryBoxes = (view: DataView, entry: number, end: number): ReadonlyArray<Box> => boxesIn(view, entry + 86, end)

const formatOf = (view: DataView, stsd: Box | undefined) => {
  if (stsd === undefined) {
    return { codec: "", entries: 0, width: 0, height: 0, hasSquarePixels: true, avcProfile: 0 }
  }
  const entry = stsd.start + 8
  const boxes = entryBoxes(view, entry, Math.min(stsd.end, entry + u32(view, entry)))
  const pasp = boxes.find((box) => box.type === "pasp")
  const avcC = boxes.find((box) => box.type === "avcC")
  return {
    codec: letters(view, entry + 4),
    entries: u32(view, stsd.start + 4),
    width: u32(view, entry + 32) >>> 16,
    height: u32(view, entry + 32) & 0xffff,
    hasSquarePixels: pasp === undefined || u32(view, pasp.start) === u32(view, pasp.start + 4),
    avcProfile: avcC === undefined ? 0 : (u32(view, avcC.start) >>> 16) & 255
  }
}

const readTrack = (view: DataView, track: Box, movieScale: number): TrackFacts => {
  const hdlr = within(view, track, ["mdia", "hdlr"])
  const mdhd = within(view, track, ["mdia", "mdhd"])
  const stbl = within(view, track, ["mdia", "minf", "stbl"])
  const stts = within(view, stbl, ["stts"])
  const ctts = within(view, stbl, ["ctts"])
  const { scale } = mdhd === undefined ? { scale: 0 } : clockOf(view, mdhd)
  let samples = 0
  let ticks = 0
  for (const entry of stts === undefined ? [] : sampleTimes(view, stts)) {
    samples += entry.samples
    ticks += entry.samples * entry.ticks
  }
  const isShifted = ctts !== undefined && u32(view, ctts.start + 4) > 0
  return {
    kind: kinds[hdlr === undefined ? "" : letters(view, hdlr.start + 8)] ?? "other",
    ...formatOf(view, within(view, stbl, ["stsd"])),
    samples,
    length_ms: inMs(ticks, scale),
    firstShown_ms: isShifted ? inMs(signed(u32(view, ctts.start + 12)), scale) : 0,
    edits: editsOf(view, track, movieScale, scale)
  }
}

/** Reads the payload of a `moov` box. Never throws, for any bytes, and takes time linear in their number. */
export const readTracks = (payload: Uint8Array): MovieTracks => {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  const boxes = boxesIn(view, 0, payload.byteLength)
  const mvhd = boxes.find((box) => box.type === "mvhd")
  const { scale } = mvhd === undefined ? { scale: 0 } : clockOf(view, mvhd)
  return {
    tracks: boxes.filter((box) => box.type === "trak").map((track) => readTrack(view, track, scale)),
    isFragmented: boxes.some((box) => box.type === "mvex")
  }
}
