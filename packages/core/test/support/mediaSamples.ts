import type { ContentType } from "../../src/media/ContentType.ts"
import { textBytes } from "./fixtures.ts"

/** An ISO media file of this major brand, as far as its first box. */
export const brand = (name: string): Uint8Array =>
  Uint8Array.of(
    0,
    0,
    0,
    24,
    ...textBytes("ftyp"),
    ...textBytes(name),
    0,
    0,
    2,
    0,
    ...textBytes("mp41"),
    ...textBytes(name)
  )

const riff = (form: string) =>
  Uint8Array.of(...textBytes("RIFF"), 36, 0, 0, 0, ...textBytes(form), ...textBytes("fmt "))

/** First bytes of each type, by what makes them different. */
export const samples: Record<ContentType, Readonly<Record<string, Uint8Array>>> = {
  "image/gif": {
    GIF89a: Uint8Array.of(...textBytes("GIF89a"), 2, 1, 3, 0, 0, 0, 0),
    GIF87a: Uint8Array.of(...textBytes("GIF87a"), 1, 0, 1, 0, 0, 0, 0),
    "cut off before its size": textBytes("GIF89a")
  },
  "image/jpeg": {
    JFIF: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, ...textBytes("JFIF")),
    Exif: Uint8Array.of(0xff, 0xd8, 0xff, 0xe1, 0, 16, ...textBytes("Exif")),
    "quantisation table first": Uint8Array.of(0xff, 0xd8, 0xff, 0xdb, 0, 67)
  },
  "image/png": {
    PNG: Uint8Array.of(
      ...[0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10],
      ...[0, 0, 0, 13, ...textBytes("IHDR"), 0, 0, 2, 0x80, 0, 1, 0x11, 0x70, 8, 6, 0, 0, 0]
    ),
    "cut off before its size": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0)
  },
  "image/webp": { WebP: riff("WEBP") },
  "image/heic": { heic: brand("heic"), mif1: brand("mif1") },
  "video/mp4": { isom: brand("isom"), "an unknown brand": brand("zzzz") },
  "video/quicktime": {
    "qt brand": brand("qt  "),
    "movie first": Uint8Array.of(0, 0, 1, 0, ...textBytes("moov"), 0, 0, 0, 108),
    "data first": Uint8Array.of(0, 0, 1, 0, ...textBytes("mdat"), 0, 0, 0, 0)
  },
  "video/webm": {
    WebM: Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84, ...textBytes("webm"))
  },
  "audio/mpeg": {
    "ID3 tag": Uint8Array.of(...textBytes("ID3"), 4, 0, 0, 0, 0, 0, 0),
    "MPEG-1 layer III": Uint8Array.of(0xff, 0xfb, 0x90, 0x64, 0, 0, 0, 0),
    "MPEG-2 layer III": Uint8Array.of(0xff, 0xf3, 0x40, 0xc4, 0, 0, 0, 0)
  },
  "audio/wav": { WAVE: riff("WAVE") },
  "audio/aac": {
    "ADTS MPEG-4": Uint8Array.of(0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc),
    "ADTS MPEG-2": Uint8Array.of(0xff, 0xf9, 0x50, 0x80, 0x02, 0x1f, 0xfc)
  },
  "audio/mp4": { M4A: brand("M4A ") }
}
