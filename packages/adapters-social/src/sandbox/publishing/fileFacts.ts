/** What a network sees of a file; undefined what its first bytes don't say. */
export interface FileFacts {
  /** By its bytes, whatever anybody says. */
  readonly format: "jpeg" | "png" | "gif" | "mp4" | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly duration_s?: number | undefined
}

const text = (view: DataView, at: number): string =>
  at + 4 > view.byteLength
    ? ""
    : String.fromCharCode(...[0, 1, 2, 3].map((i) => (at + i < view.byteLength ? view.getUint8(at + i) : 0)))

/** The frame header of a JPEG: past markers until one of the kind that has sizes. */
const jpegFacts = (view: DataView): FileFacts => {
  let at = 2
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { format: "jpeg", height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + view.getUint16(at + 2)
  }
  return { format: "jpeg" }
}

interface Box {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The boxes from `start` to `end`; the last one may reach beyond what is known of the file. */
const boxesOf = (view: DataView, start: number, end: number): ReadonlyArray<Box> => {
  const boxes: Array<Box> = []
  let at = start
  while (at + 8 <= end) {
    const size = view.getUint32(at)
    if (size < 8) break
    boxes.push({ name: text(view, at + 4), start: at + 8, end: Math.min(at + size, end) })
    at += size
  }
  return boxes
}

/** Length and picture of a video whose header stands at its beginning. */
const mp4Facts = (view: DataView): FileFacts => {
  const find = (boxes: ReadonlyArray<Box>, name: string) => boxes.find((box) => box.name === name)
  const moov = find(boxesOf(view, 0, view.byteLength), "moov")
  if (moov === undefined) return { format: "mp4" }
  const inside = boxesOf(view, moov.start, moov.end)
  const header = find(inside, "mvhd")
  const sizes = inside
    .filter(({ name }) => name === "trak")
    .flatMap(({ end, start }) => {
      const track = find(boxesOf(view, start, end), "tkhd")
      if (track === undefined || track.end - track.start < 8) return []
      // Width and height are the last two numbers, of 16 bits before the point.
      return [{ width: view.getUint16(track.end - 8), height: view.getUint16(track.end - 4) }]
    })
  const picture = sizes.find(({ width }) => width > 0)
  if (header === undefined || header.end - header.start < 32) return { format: "mp4", ...picture }
  const isLong = view.getUint8(header.start) === 1
  const scale = view.getUint32(header.start + (isLong ? 20 : 12))
  const length = isLong ? Number(view.getBigUint64(header.start + 24)) : view.getUint32(header.start + 16)
  return { format: "mp4", ...picture, duration_s: scale === 0 ? undefined : length / scale }
}

/** What the first bytes of a file say of it. */
export const fileFacts = (head: Uint8Array): FileFacts => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (view.byteLength < 24) return { format: undefined }
  if (view.getUint16(0) === 0xffd8) return jpegFacts(view)
  if (view.getUint32(0) === 0x89504e47) return { format: "png", width: view.getUint32(16), height: view.getUint32(20) }
  if (text(view, 0) === "GIF8")
    return { format: "gif", width: view.getUint16(6, true), height: view.getUint16(8, true) }
  return text(view, 4) === "ftyp" ? mp4Facts(view) : { format: undefined }
}
