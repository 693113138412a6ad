import * as Schema from "effect/Schema"
import type { ColourPair } from "./closestColours.ts"
import type { DataEnd } from "./codeCounter.ts"

/**
 * What happens to an image before the next one: it is kept, its rectangle is cleared, or the previous content is
 * restored.
 */
export type Disposal = "keep" | "clear" | "restore"

/** One image of a GIF, as offsets into the file; without pixels. */
export interface GifImage {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly isInterlaced: boolean
  /** As browsers play it: 0 and 1 are already replaced by 10. */
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
  /** Where its data ends too early or becomes invalid; undefined if it gives every pixel, or was not followed. */
  readonly dataEnd: DataEnd | undefined
  /** Where all of its colours are used before `dataEnd`: the two that differ least. */
  readonly closestColours: ColourPair | undefined
  /** Whether it can be visible: it overlaps the canvas, is not empty, and its data gives a pixel. */
  readonly isUsable: boolean
}

/** The result of scanning a GIF that may be converted. */
export interface GifFacts {
  readonly version: "87a" | "89a"
  /** Canvas. */
  readonly width: number
  readonly height: number
  /** Red, green, blue of each colour; empty when the file has no global palette. */
  readonly globalPalette: Uint8Array
  /** Complete images in file order, at least one of which is usable. */
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
