import * as Effect from "effect/Effect"
import { eachEmoji } from "../payloads/emoji.ts"

/** Weight that a post may have (social-networks.md §3.3). */
export const maxWeight = 280

/**
 * How X counts a post's length: links are 23, an emoji 2 whatever it is made of, most other letters 1 or 2.
 *
 * The library knows emoji up to those of 2018, and counts the parts of newer ones; so each is one of those it knows. It
 * sets globals when it is imported, which ours must not: it is imported when a connector is made.
 */
export const loadWeightedLength: Effect.Effect<(text: string) => number> = Effect.map(
  Effect.promise(() => import("twitter-text/dist/parseTweet.js")),
  ({ default: parseTweet }) =>
    (text) =>
      parseTweet(text.replace(eachEmoji(), "\u{1F600}")).weightedLength
)
