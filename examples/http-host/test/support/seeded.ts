/** Numbers below a bound that look like chance, the same at every run. */
export const seeded = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

/** The same members in another order. */
export const shuffled = <A>(members: ReadonlyArray<A>, next: ReturnType<typeof seeded>): ReadonlyArray<A> =>
  members
    .map((member) => ({ member, place: next(1_000_000) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ member }) => member)
