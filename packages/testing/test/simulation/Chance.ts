import { noise } from "../../src/fakes/gifSamples.ts"

/** Decisions of one run: the same seed decides the same. */
export interface Chance {
  readonly seed: number
  /** 0 to below `end`. */
  readonly below: (end: number) => number
  readonly isOneIn: (count: number) => boolean
  readonly pick: <A>(choices: ReadonlyArray<A>) => A | undefined
  /** That something happened that makes a run hard, so that it can be seen whether it happens often enough. */
  readonly note: (what: Mishap) => void
  /** How often each of them happened. */
  readonly mishaps: ReadonlyMap<Mishap, number>
}

/** What can go wrong, or get in the way, in a run. */
export const allMishaps = [
  "a store is away",
  "a store's answer is lost",
  "a process dies",
  "a machine sleeps",
  "the clock jumps",
  "a media worker stands still",
  "a media worker dies",
  "a network is down",
  "a reply is refused",
  "a reply's answer is lost",
  "a reply is never answered",
  "a post is refused",
  "a post's answer is lost",
  "a post is never answered",
  "a feed is not answered",
  "a feed's answer comes late",
  "a moderation's answer is lost",
  "a receiver fails",
  "an endpoint is switched",
  "a webhook is asked for again",
  "an account becomes another's",
  "a user is erased"
] as const
export type Mishap = (typeof allMishaps)[number]

export const makeChance = (seed: number): Chance => {
  const byte = noise(seed)
  // Small seeds begin alike.
  for (let i = 0; i < 64; i++) byte()
  const below = (end: number) => ((byte() << 16) | (byte() << 8) | byte()) % end
  const mishaps = new Map<Mishap, number>()
  return {
    mishaps,
    note: (what) => void mishaps.set(what, (mishaps.get(what) ?? 0) + 1),
    seed,
    below,
    isOneIn: (count) => below(count) === 0,
    pick: (choices) => choices[below(Math.max(1, choices.length))]
  }
}
