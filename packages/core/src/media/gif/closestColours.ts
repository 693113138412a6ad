/** Two indexes of a palette: `merged` can be drawn as `kept`. */
export interface ColourPair {
  readonly kept: number
  readonly merged: number
}

/**
 * The two of the first `count` indexes whose colours differ least; undefined for fewer than two indexes.
 *
 * @param palette red, green and blue of each colour; an index behind its end is black
 */
export const closestColours = (palette: Uint8Array, count: number): ColourPair | undefined => {
  let closest: ColourPair | undefined
  let least = Infinity
  for (let kept = 0; kept < count && least > 0; kept++) {
    for (let merged = kept + 1; merged < count && least > 0; merged++) {
      let distance = 0
      for (let channel = 0; channel < 3; channel++) {
        const difference = (palette[kept * 3 + channel] ?? 0) - (palette[merged * 3 + channel] ?? 0)
        distance += difference * difference
      }
      if (distance >= least) continue
      least = distance
      closest = { kept, merged }
    }
  }
  return closest
}
