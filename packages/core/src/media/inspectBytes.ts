import type { ContentType } from "./ContentType.ts"

/** How many first bytes of a file `inspectBytes` needs; fewer if the file is shorter. */
export const inspectedBytes = 4096

/** What the first bytes of a file show. Sizes are in pixels, absent if the format does not have them there. */
export interface Inspection {
  readonly contentType: ContentType
  readonly size: { readonly width: number; readonly height: number } | undefined
  /** An MP4 whose first bytes do not show whether it has a video track, so it may be audio only. */
  readonly mayBeSound?: boolean
}

const ascii = (head: Uint8Array, from: number, to: number) => String.fromCharCode(...head.subarray(from, to))
const sized = (contentType: ContentType, width: number, height: number): Inspection => ({
  contentType,
  size: { width, height }
})
const unsized = (contentType: ContentType): Inspection => ({ contentType, size: undefined })

const heicBrands = new Set(["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"])
const audioBrands = new Set(["M4A ", "M4B ", "M4P "])

/** Whether a video track is described here: the handler type is 12 bytes after the name of the box. */
const hasPictures = (head: Uint8Array) => {
  const text = Array.from(head, (byte) => String.fromCharCode(byte)).join("")
  return /hdlr[^]{8}vide/.test(text)
}

const inspectIsoMedia = (head: Uint8Array): Inspection | undefined => {
  if (ascii(head, 4, 8) !== "ftyp") {
    // QuickTime files older than `ftyp` begin with `moov`, `mdat` or `wide`.
    return ["moov", "mdat", "wide"].includes(ascii(head, 4, 8)) ? unsized("video/quicktime") : undefined
  }
  const brand = ascii(head, 8, 12)
  if (brand === "qt  ") return unsized("video/quicktime")
  if (audioBrands.has(brand)) return unsized("audio/mp4")
  if (heicBrands.has(brand)) return unsized("image/heic")
  return { ...unsized("video/mp4"), mayBeSound: !brand.startsWith("M4V") && !hasPictures(head) }
}

const inspectAudio = (head: Uint8Array): Inspection | undefined => {
  const [first = 0, second = 0] = head
  if (ascii(head, 0, 3) === "ID3") return unsized("audio/mpeg")
  if (first !== 0xff) return undefined
  // ADTS has the layer bits 00. Layer I (11) is refused: it is not in use, and text in UTF-16 begins the same way.
  if ((second & 0xf6) === 0xf0) return unsized("audio/aac")
  const layer = second & 0x06
  return (second & 0xe0) === 0xe0 && (layer === 0x02 || layer === 0x04) ? unsized("audio/mpeg") : undefined
}

/** The supported type of a file, judged by its first bytes alone; absent for any other type. */
export const inspectBytes = (head: Uint8Array): Inspection | undefined => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const start = ascii(head, 0, 6)
  if ((start === "GIF87a" || start === "GIF89a") && head.length >= 10) {
    return sized("image/gif", view.getUint16(6, true), view.getUint16(8, true))
  }
  if (start.startsWith("GIF8")) return unsized("image/gif")
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return unsized("image/jpeg")
  if (head[0] === 0x89 && ascii(head, 1, 8) === "PNG\r\n\u001a\n") {
    return head.length >= 24 ? sized("image/png", view.getUint32(16), view.getUint32(20)) : unsized("image/png")
  }
  if (ascii(head, 0, 4) === "RIFF") {
    const form = ascii(head, 8, 12)
    if (form === "WEBP") return unsized("image/webp")
    return form === "WAVE" ? unsized("audio/wav") : undefined
  }
  if (head[0] === 0x1a && ascii(head, 1, 4) === "E\u00df\u00a3") {
    return ascii(head, 0, 64).includes("webm") ? unsized("video/webm") : undefined
  }
  return inspectIsoMedia(head) ?? inspectAudio(head)
}
