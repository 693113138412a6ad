/**
 * A tiny GIF player with the browsers' meaning, written apart from the product's scanner so that neither can hide the
 * other's mistakes. It holds everything in memory and is for tests only.
 */
export interface ReferenceFrame {
  readonly start_cs: number
  readonly end_cs: number
  /** Red, green, blue, alpha (0 or 255) of each canvas pixel. */
  readonly rgba: Uint8Array
}

export interface ReferenceGif {
  readonly width: number
  readonly height: number
  readonly frames: ReadonlyArray<ReferenceFrame>
  readonly cycle_cs: number
}

const u16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)

/** Colour indexes of image data, as many as decode. */
export const unpackLzw = (data: Uint8Array, codeSize: number, wanted: number): Uint8Array => {
  const out = new Uint8Array(wanted)
  if (codeSize < 1 || codeSize > 11) return out.subarray(0, 0)
  const clear = 1 << codeSize
  const prefix = new Int16Array(4096)
  const suffix = new Uint8Array(4096)
  const lengths = new Uint16Array(4096)
  for (let code = 0; code < clear; code++) {
    suffix[code] = code
    lengths[code] = 1
  }
  let width = codeSize + 1
  let next = clear + 2
  let last = -1
  let bits = 0
  let held = 0
  let at = 0
  let length = 0
  const first = (code: number): number => {
    let root = code
    while ((lengths[root] ?? 0) > 1) root = prefix[root] ?? 0
    return suffix[root] ?? 0
  }
  while (length < wanted) {
    while (held < width && at < data.length) {
      bits |= (data[at] ?? 0) << held
      held += 8
      at += 1
    }
    if (held < width) break
    const code = bits & ((1 << width) - 1)
    bits >>>= width
    held -= width
    if (code === clear) {
      width = codeSize + 1
      next = clear + 2
      last = -1
      continue
    }
    if (code === clear + 1 || code > next || (code >= next && last === -1)) break
    if (last !== -1 && next < 4096) {
      prefix[next] = last
      suffix[next] = first(code === next ? last : code)
      lengths[next] = (lengths[last] ?? 0) + 1
      next += 1
    } else if (code >= next) break
    if (next >= 1 << width && width < 12) width += 1
    const size = lengths[code] ?? 0
    let word = code
    for (let place = length + size - 1; place >= length; place--) {
      if (place < wanted) out[place] = suffix[word] ?? 0
      word = prefix[word] ?? 0
    }
    length = Math.min(wanted, length + size)
    last = code
  }
  return out.subarray(0, length)
}

const rowsOf = (height: number, isInterlaced: boolean): ReadonlyArray<number> => {
  const rows = Array.from({ length: height }, (_, row) => row)
  const pass = (step: number, from: number) => rows.filter((row) => row % step === from)
  return isInterlaced ? [...pass(8, 0), ...pass(8, 4), ...pass(4, 2), ...pass(2, 1)] : rows
}

/** Plays a GIF. Frames whose data is cut off by the end of the file are left out. */
export const playGif = (bytes: Uint8Array): ReferenceGif => {
  const width = u16(bytes, 6)
  const height = u16(bytes, 8)
  const packed = bytes[10] ?? 0
  let at = 13
  let globalPalette = new Uint8Array(0)
  if ((packed & 0x80) !== 0) {
    globalPalette = bytes.slice(at, at + 3 * (2 << (packed & 7)))
    at += globalPalette.length
  }
  const canvas = new Uint8Array(width * height * 4)
  const frames: Array<ReferenceFrame> = []
  let time = 0
  let control = { delay: 0, disposal: 0, transparent: -1 }
  let dispose: () => void = () => undefined

  const readBlocks = (): Uint8Array | undefined => {
    const parts: Array<number> = []
    for (;;) {
      const size = bytes[at]
      if (size === undefined || at + 1 + size > bytes.length) return undefined
      at += 1
      if (size === 0) return Uint8Array.from(parts)
      for (const byte of bytes.subarray(at, at + size)) parts.push(byte)
      at += size
    }
  }

  for (;;) {
    const block = bytes[at]
    at += 1
    if (block === 0) continue
    if (block === 0x21) {
      const label = bytes[at]
      const size = bytes[at + 1] ?? 0
      if (label === 0xf9 && size >= 4) {
        const flags = bytes[at + 2] ?? 0
        control = {
          delay: u16(bytes, at + 3),
          disposal: (flags >> 2) & 7,
          transparent: (flags & 1) === 1 ? (bytes[at + 5] ?? 0) : -1
        }
      }
      at += 1
      if (readBlocks() === undefined) break
      continue
    }
    if (block !== 0x2c) break
    const [left, top, w, h] = [u16(bytes, at), u16(bytes, at + 2), u16(bytes, at + 4), u16(bytes, at + 6)]
    const flags = bytes[at + 8] ?? 0
    at += 9
    let palette = globalPalette
    if ((flags & 0x80) !== 0) {
      palette = bytes.slice(at, at + 3 * (2 << (flags & 7)))
      at += palette.length
    }
    const codeSize = bytes[at] ?? 0
    at += 1
    const data = readBlocks()
    if (data === undefined) break

    dispose()
    const before = canvas.slice()
    const indexes = unpackLzw(data, codeSize, w * h)
    const rows = rowsOf(h, (flags & 0x40) !== 0)
    const inside = (x: number, y: number) => x < width && y < height
    for (const [place, index] of indexes.entries()) {
      const x = left + (place % w)
      const y = top + (rows[Math.floor(place / w)] ?? 0)
      if (!inside(x, y) || index === control.transparent) continue
      const colour = [...palette.subarray(index * 3, index * 3 + 3)]
      canvas.set([colour[0] ?? 0, colour[1] ?? 0, colour[2] ?? 0, 255], (y * width + x) * 4)
    }
    const delay = control.delay <= 1 ? 10 : control.delay
    frames.push({ start_cs: time, end_cs: time + delay, rgba: canvas.slice() })
    time += delay
    const { disposal } = control
    dispose = () => {
      if (disposal !== 2 && disposal !== 3 && disposal !== 4) return
      for (let y = top; y < Math.min(height, top + h); y++) {
        const from = (y * width + Math.min(width, left)) * 4
        const to = (y * width + Math.min(width, left + w)) * 4
        if (disposal === 2) canvas.fill(0, from, to)
        else canvas.set(before.subarray(from, to), from)
      }
    }
    control = { delay: 0, disposal: 0, transparent: -1 }
  }
  return { width, height, frames, cycle_cs: time }
}
