import type { Disposal, GifFacts } from "./GifFacts.ts"

/** The graphic control of the following image. */
export interface Control {
  readonly delay_cs: number
  readonly disposal: Disposal
  readonly transparentIndex: number | undefined
}

/** Browsers play a delay of 0 or 1 cs, and an image without a control, as 10 cs. */
const playedDelay = (delay_cs: number): number => (delay_cs <= 1 ? 10 : delay_cs)

/** The default for an image without a graphic control. */
export const noControl: Control = { delay_cs: playedDelay(0), disposal: "keep", transparentIndex: undefined }

/** Old files use 4 for 3, and every browser accepts it; 5 to 7 are undefined. */
const disposalOf = (packed: number): Disposal => {
  const method = (packed >> 2) & 7
  return method === 2 ? "clear" : method === 3 || method === 4 ? "restore" : "keep"
}

/** Number of colours of the palette that a packed byte announces; 0 for none. */
export const coloursOf = (packed: number): number => ((packed & 0x80) === 0 ? 0 : 2 << (packed & 7))

/** The two bytes at `at`, low byte first. */
export const u16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)

/** Undefined when the bytes do not begin a GIF. */
export const versionOf = (bytes: Uint8Array): GifFacts["version"] | undefined => {
  const text = String.fromCharCode(...bytes.subarray(0, 6))
  return text === "GIF87a" ? "87a" : text === "GIF89a" ? "89a" : undefined
}

/** Reads the first sub-block of a graphic control. */
export const controlOf = (bytes: Uint8Array): Control => {
  const packed = bytes[0] ?? 0
  return {
    delay_cs: playedDelay(u16(bytes, 1)),
    disposal: disposalOf(packed),
    transparentIndex: (packed & 1) === 0 ? undefined : bytes[3]
  }
}
