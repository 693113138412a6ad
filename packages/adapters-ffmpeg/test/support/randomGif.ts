import { noise, sampleGif } from "@loopbox/testing/fakes/gifSamples"

/** A small GIF with any mixture of features; the same seed gives the same GIF. */
export const randomGif = (seed: number): Uint8Array => {
  const next = noise(seed * 7919 + 13)
  // The first numbers of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 20; skipped++) next()
  const below = (limit: number): number => ((next() << 8) | next()) % limit
  const isChosen = (oneIn: number): boolean => below(oneIn) === 0
  const palette = (colours: number) => Array.from({ length: colours * 3 }, next)

  const width = 2 + below(40)
  const height = 2 + below(40)
  const global = isChosen(4) ? [] : palette(2 << below(5))
  const images = Array.from({ length: 1 + below(5) }, () => {
    const isSmall = isChosen(3)
    const local = isChosen(3) ? palette(2 << below(4)) : undefined
    const codeSize = 2 + below(7)
    const colours = Math.min(1 << codeSize, (local ?? global).length / 3 + 1)
    const step = 2 + below(8)
    return {
      left: below(width + 4),
      top: below(height + 4),
      width: 1 + below(width + (isSmall ? 0 : 10)),
      height: 1 + below(height + (isSmall ? 0 : 10)),
      delay_cs: below(30),
      disposal: below(8),
      isInterlaced: isChosen(2),
      codeSize,
      ...(isChosen(2) ? { transparentIndex: isChosen(2) ? next() : below(colours) } : {}),
      ...(local === undefined ? {} : { palette: local }),
      pixel: (x: number, y: number) => (Math.floor(x / step) * 3 + Math.floor(y / step) * 5) % colours
    }
  })
  const version = isChosen(2) ? "87a" : "89a"
  return sampleGif({ width, height, palette: global, images, version, backgroundIndex: next() })
}
