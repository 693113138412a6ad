import twitterText from "twitter-text"
import { eachEmoji } from "../internal/emoji.ts"

/** Weight that a post may have (social-networks.md §3.3). */
export const maxWeight = 280

/**
 * A post's length as X counts it: links are 23, an emoji 2 whatever it is made of, most other letters 1 or 2.
 *
 * The library knows emoji up to those of 2018, and counts the parts of newer ones; so each is one of those it knows.
 */
export const weightedLength = (text: string): number =>
  twitterText.parseTweet(text.replace(eachEmoji, "\u{1F600}")).weightedLength
