import type { RenderPlan } from "@loopbox/core/conversions/gif/renderPlan"

const u16 = (value: number): ReadonlyArray<number> => [(value >> 8) & 255, value & 255]
const u32 = (value: number): ReadonlyArray<number> => [...u16(value >>> 16), ...u16(value & 0xffff)]
const letters = (text: string): ReadonlyArray<number> => [...text].map((letter) => letter.charCodeAt(0))
const zeros = (count: number): ReadonlyArray<number> => Array.from({ length: count }, () => 0)

const box = (type: string, ...payload: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> => {
  const body = payload.flat()
  return [...u32(body.length + 8), ...letters(type), ...body]
}

const ticksPerPicture = 512
const ticksPerSecond = 15_360

/**
 * The boxes of a planned video around empty samples: valid for `checkVideo`, but not playable.
 *
 * @param samples_bytes length of the media data, to make a file of a wanted size
 */
export const tinyMp4 = (plan: Pick<RenderPlan, "width" | "height" | "pictures">, samples_bytes = 16): Uint8Array => {
  const { height, pictures, width } = plan
  const duration_ms = Math.round((pictures * 1000) / 30)
  const entry = box("avc1", zeros(6), u16(1), zeros(16), u16(width), u16(height), zeros(50))
  const samples = box(
    "stbl",
    box("stsd", zeros(4), u32(1), entry),
    box("stts", zeros(4), u32(1), u32(pictures), u32(ticksPerPicture))
  )
  const clock = [...zeros(12), ...u32(ticksPerSecond), ...u32(pictures * ticksPerPicture), ...zeros(4)]
  const track = box("trak", box("mdia", box("mdhd", clock), box("minf", samples)))
  const movie = box("mvhd", zeros(12), u32(1000), u32(duration_ms), zeros(80))
  return Uint8Array.from([
    ...box("ftyp", letters("isom"), u32(512), letters("isomavc1mp41")),
    ...box("moov", movie, track),
    ...box("mdat", zeros(samples_bytes))
  ])
}
