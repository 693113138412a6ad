// Writes a small animated GIF with transparent pixels: `node scripts/makeGif.mjs FILE`. It is what README uploads, so
// it is plain JavaScript of any Node and needs nothing installed.
import { writeFileSync } from "node:fs"

const width = 480
const height = 270
const frames = 24
/** Centiseconds. */
const delay = 8
const palette = [
  [0, 0, 0],
  [38, 70, 83],
  [42, 157, 143],
  [233, 196, 106],
  [231, 111, 81]
]
const transparent = 0
/** Bits of a colour: 2^3 is the first power of two that holds the palette. */
const depth = 3

/** A ring, and three balls that run around it once in a cycle; everything else is transparent. */
const draw = (frame) => {
  const pixels = new Uint8Array(width * height)
  const [x0, y0, radius] = [width / 2, height / 2, 95]
  const turn = (2 * Math.PI * frame) / frames
  const balls = [2, 3, 4].map((colour, i) => {
    const angle = turn + (2 * Math.PI * i) / 3
    return { colour, x: x0 + radius * Math.cos(angle), y: y0 + radius * Math.sin(angle) }
  })
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const ball = balls.find((ball) => Math.hypot(x - ball.x, y - ball.y) < 26)
      const isRing = Math.abs(Math.hypot(x - x0, y - y0) - radius) < 6
      pixels[y * width + x] = ball?.colour ?? (isRing ? 1 : transparent)
    }
  }
  return pixels
}

/** GIF's LZW: codes of growing width, least significant bit first. */
const compress = (pixels) => {
  const clear = 1 << depth
  const end = clear + 1
  const bytes = []
  let [bits, held] = [0, 0]
  let size = depth + 1
  let next = end + 1
  let known = new Map()
  const put = (code) => {
    bits |= code << held
    for (held += size; held >= 8; held -= 8) {
      bytes.push(bits & 255)
      bits >>>= 8
    }
  }
  put(clear)
  let code = pixels[0]
  for (let i = 1; i < pixels.length; i++) {
    const key = (code << 8) | pixels[i]
    const longer = known.get(key)
    if (longer !== undefined) {
      code = longer
      continue
    }
    put(code)
    if (next === 4096) {
      put(clear)
      known = new Map()
      size = depth + 1
      next = end + 1
    } else {
      if (next === 1 << size) size++
      known.set(key, next++)
    }
    code = pixels[i]
  }
  put(code)
  put(end)
  if (held > 0) bytes.push(bits & 255)
  return bytes
}

const u16 = (value) => [value & 255, value >> 8]

const subBlocks = (bytes) => {
  const blocks = []
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.slice(at, at + 255)
    blocks.push(part.length, ...part)
  }
  return [...blocks, 0]
}

const image = (frame) => [
  // Graphic control: restore to background after the frame, transparent index given.
  ...[0x21, 0xf9, 4, (2 << 2) | 1, ...u16(delay), transparent, 0],
  ...[0x2c, ...u16(0), ...u16(0), ...u16(width), ...u16(height), 0],
  ...[depth, ...subBlocks(compress(draw(frame)))]
]

const colours = Array.from({ length: 1 << depth }, (_, i) => palette[i] ?? [0, 0, 0])

const gif = () =>
  Uint8Array.from([
    ...Buffer.from("GIF89a"),
    ...[...u16(width), ...u16(height), 0x80 | (depth - 1), 0, 0, ...colours.flat()],
    ...[0x21, 0xff, 11, ...Buffer.from("NETSCAPE2.0"), 3, 1, ...u16(0), 0],
    ...Array.from({ length: frames }, (_, frame) => image(frame)).flat(),
    0x3b
  ])

const path = process.argv[2]
if (path === undefined) {
  console.error("Usage: node scripts/makeGif.mjs FILE")
  process.exit(2)
}
const bytes = gif()
writeFileSync(path, bytes)
console.log(`${path}: ${frames} pictures of ${width}x${height}, ${bytes.length} bytes`)
