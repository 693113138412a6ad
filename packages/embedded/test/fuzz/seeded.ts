/** Random numbers that a seed gives again: mulberry32. */
export const makeRandom = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    /** With this probability. */
    chance: (probability: number): boolean => next() < probability,
    below: (limit: number): number => Math.floor(next() * limit),
    pick: <A>(options: readonly [A, ...ReadonlyArray<A>]): A =>
      options[Math.floor(next() * options.length)] ?? options[0]
  }
}

export type Random = ReturnType<typeof makeRandom>
