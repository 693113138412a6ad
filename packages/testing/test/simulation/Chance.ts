import { noise } from "../../src/fakes/gifSamples.ts"

/** Decisions of one run: the same seed decides the same. */
export interface Chance {
  readonly seed: number
  /** 0 to below `end`. */
  readonly below: (end: number) => number
  readonly isOneIn: (count: number) => boolean
  readonly pick: <A>(choices: ReadonlyArray<A>) => A | undefined
}

export const makeChance = (seed: number): Chance => {
  const byte = noise(seed)
  // Small seeds begin alike.
  for (let i = 0; i < 64; i++) byte()
  const below = (end: number) => ((byte() << 16) | (byte() << 8) | byte()) % end
  return {
    seed,
    below,
    isOneIn: (count) => below(count) === 0,
    pick: (choices) => choices[below(Math.max(1, choices.length))]
  }
}
