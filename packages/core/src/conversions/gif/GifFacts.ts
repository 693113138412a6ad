import * as Schema from "effect/Schema"

/** What a later image finds where this one was: kept, its rectangle cleared, or what was there before it. */
export type Disposal = "keep" | "clear" | "restore"

/** One image of a GIF, told by offsets into the file; no pixel is ever held. */
export interface GifImage {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly isInterlaced: boolean
  /** As browsers play it: 0 and 1 are 10 already. */
  readonly delay_cs: number
  readonly disposal: Disposal
  /** Colour index that is not drawn. */
  readonly transparentIndex: number | undefined
  /** Number of colours of its own palette; 0 when it has none. */
  readonly localColours: number
  /** Offset of its own palette; of `data` when it has none. */
  readonly paletteOffset: number
  /** Offset of the LZW code size, followed by the sub-blocks. */
  readonly dataOffset: number
  /** Code size, sub-blocks and their terminator. */
  readonly dataLength: number
  readonly codeSize: number
  /** Whether anything of it can show: inside the canvas, an area, and data that begins with a colour. */
  readonly isUsable: boolean
}

/** What a scan found in a GIF that may be converted. */
export interface GifFacts {
  readonly version: "87a" | "89a"
  /** Canvas. */
  readonly width: number
  readonly height: number
  /** Red, green, blue of each colour; empty when the file has no global palette. */
  readonly globalPalette: Uint8Array
  /** Whole images only, in file order; at least one, at least one of them usable. */
  readonly images: ReadonlyArray<GifImage>
  /** Sum of the delays. */
  readonly cycle_cs: number
}

/** Why a GIF is not converted: one of the terminal codes of §7.3. Final for these bytes. */
export class GifVerdict extends Schema.TaggedError<GifVerdict>()("GifVerdict", {
  code: Schema.Literals([
    "gif_probe_failed",
    "gif_dimensions_exceeded",
    "gif_frame_count_exceeded",
    "gif_decode_budget_exceeded",
    "gif_duration_exceeded",
    "gif_decode_failed"
  ])
}) {}
