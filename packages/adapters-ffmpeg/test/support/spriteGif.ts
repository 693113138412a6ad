import { noise, sampleGif } from "@loopbox/testing/fakes/gifSamples"

/** The transparent colour. */
const clear = 7

/**
 * Sprites of saturated colours that come and go on a transparent canvas, and a saturated colour to put under it: what is
 * erased must leave no ghost there. The same seed gives the same GIF.
 */
export const spriteGif = (seed: number): { readonly gif: Uint8Array; readonly background: string } => {
  const next = noise(seed * 7919 + 13)
  // The first numbers of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 20; skipped++) next()
  const below = (limit: number): number => ((next() << 8) | next()) % limit
  const saturated = (): ReadonlyArray<number> => {
    const between = [0, 255, below(256)][below(3)] ?? 0
    const turn = below(3)
    return [0, 1, 2].map((channel) => [0, 255, between][(channel + turn) % 3] ?? 0)
  }
  const palette = Array.from({ length: 8 }, (_, index) =>
    index < 6 ? saturated() : [below(256), below(256), below(256)]
  ).flat()
  const width = 32 + below(130)
  const height = 32 + below(130)
  const background = saturated()
  const kind = below(4)
  const count = 2 + below(12)
  const delay_cs = 2 + below(15)
  const images = Array.from({ length: count }, () => {
    const size = { width: 2 + below(Math.min(width, 60)), height: 2 + below(Math.min(height, 60)) }
    const [one, other, step] = [below(8), below(8), 1 + below(8)]
    const isInDisc = (x: number, y: number): boolean =>
      Math.hypot((2 * x) / size.width - 1, (2 * y) / size.height - 1) < 1
    const pixels = [
      () => one,
      (x: number, y: number) => ((Math.floor(x / step) + Math.floor(y / step)) % 2 === 1 ? one : other),
      () => next() % 8,
      (x: number, y: number) => (isInDisc(x, y) ? one : clear)
    ]
    const place = { left: below(width - 1), top: below(height - 1) }
    return { ...place, ...size, delay_cs, disposal: 2, transparentIndex: clear, pixel: pixels[kind] ?? (() => one) }
  })
  const hex = background.map((channel) => channel.toString(16).padStart(2, "0")).join("")
  return { gif: sampleGif({ width, height, palette, images }), background: `#${hex.toUpperCase()}` }
}

/** Colours far from the background of single pixels, in luma or chroma. */
const dotColours = [
  [0, 76, 79],
  [255, 255, 64],
  [0, 255, 60],
  [64, 64, 200],
  [0, 76, 79],
  [255, 255, 64],
  [0, 255, 60],
  [0, 0, 0]
].flat()

/**
 * Single pixels on a transparent canvas, in turn many and few: where the many were, an encoder that looks ahead spends
 * little on a picture that is soon another. The same seed gives the same GIF.
 */
export const dotsGif = (seed: number): { readonly gif: Uint8Array; readonly background: string } => {
  const next = noise(seed * 7919 + 13)
  for (let skipped = 0; skipped < 20; skipped++) next()
  const below = (limit: number): number => ((next() << 8) | next()) % limit
  const [width, height] = [60, 80]
  const images = Array.from({ length: 14 }, (_, index) => {
    const colour = below(clear)
    const sparse = index % 2 === 0 ? 60 : 1200
    const pixel = () => (below(sparse) === 0 ? colour : clear)
    return { width, height, delay_cs: 13, disposal: 2, transparentIndex: clear, pixel }
  })
  const gif = sampleGif({ width, height, palette: dotColours, images })
  return { gif, background: seed % 2 === 0 ? "#FF00FF" : "#00DDF7" }
}
