import { textBytes } from "@loopbox/testing/fixtures/mediaFixtures"

type Bytes = ReadonlyArray<number>

const u16 = (value: number): Bytes => [(value >>> 8) & 255, value & 255]
const u32 = (value: number): Bytes => [...u16(value >>> 16), ...u16(value & 0xffff)]
const zeros = (count: number): Bytes => Array.from({ length: count }, () => 0)

export const box = (type: string, ...payload: ReadonlyArray<Bytes>): Bytes => {
  const body = payload.flat()
  return [...u32(body.length + 8), ...textBytes(type), ...body]
}

/** A box whose size has 64 bits. */
export const longBox = (type: string, ...payload: ReadonlyArray<Bytes>): Bytes => {
  const body = payload.flat()
  return [...u32(1), ...textBytes(type), ...u32(0), ...u32(body.length + 16), ...body]
}

const upright: Bytes = [65536, 0, 0, 0, 65536, 0, 0, 0, 0x40000000].flatMap(u32)
const turned: Bytes = [0, 65536, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000].flatMap(u32)

const trackHeader = (matrix: Bytes): Bytes => box("tkhd", zeros(40), matrix, zeros(8))
const mediaHeader = (scale: number, ticks: number): Bytes => box("mdhd", zeros(12), u32(scale), u32(ticks), zeros(4))
const handler = (type: string): Bytes => box("hdlr", zeros(8), [...textBytes(type)], zeros(13))

const media = (type: string, scale: number, entry: Bytes, times: ReadonlyArray<readonly [number, number]>): Bytes => {
  const ticks = times.reduce((total, [samples, each]) => total + samples * each, 0)
  const stts = box(
    "stts",
    zeros(4),
    u32(times.length),
    ...times.map(([samples, each]) => [...u32(samples), ...u32(each)])
  )
  const samples = box("minf", box("stbl", box("stsd", zeros(4), u32(1), entry), stts))
  return box("mdia", mediaHeader(scale, ticks), handler(type), samples)
}

export interface TestVideo {
  readonly codec?: string
  readonly width?: number
  readonly height?: number
  readonly isTurned?: boolean
  /** Samples and ticks of each, at 15,360 ticks a second. */
  readonly times?: ReadonlyArray<readonly [number, number]>
}

export const videoTrack = (video: TestVideo = {}): Bytes => {
  const { codec = "avc1", height = 360, isTurned = false, times = [[96, 640]], width = 640 } = video
  const entry = box(codec, zeros(6), u16(1), zeros(16), u16(width), u16(height), zeros(50))
  return box("trak", trackHeader(isTurned ? turned : upright), media("vide", 15_360, entry, times))
}

export const audioTrack = (codec = "mp4a"): Bytes =>
  box("trak", trackHeader(upright), media("soun", 44_100, box(codec, zeros(28)), [[173, 1024]]))

/** A track of chapters, as players write them. */
export const textTrack = (): Bytes =>
  box("trak", trackHeader(upright), media("text", 1000, box("text", zeros(20)), [[1, 4000]]))

export const movieHeader = (durationMs: number): Bytes => box("mvhd", zeros(12), u32(1000), u32(durationMs), zeros(80))

/** What a fragmented file says in its index: the length of all fragments, and how long a sample lasts. */
export const fragments = (durationMs: number, ticks: number): Bytes =>
  box("mvex", box("mehd", zeros(4), u32(durationMs)), box("trex", zeros(4), u32(1), u32(1), u32(ticks), zeros(8)))

export const fileType = (brand = "isom"): Bytes => box("ftyp", [...textBytes(brand)], u32(512), [...textBytes(brand)])

export const toBytes = (...boxes: ReadonlyArray<Bytes>): Uint8Array => Uint8Array.from(boxes.flat())
