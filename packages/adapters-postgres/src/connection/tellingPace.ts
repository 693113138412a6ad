import * as Duration from "effect/Duration"

/** Between two words of one process, whatever there is to tell (design §4). */
const shortest = Duration.millis(20)

/** What a caller at another node waits for at most, once its node was told last; waiting loops look by themselves later still. */
const longest = Duration.millis(500)

/** Told in a second by all processes together, above the first few: each word wakes every process that listens. */
const wordsASecond = 400

/**
 * How long a process is silent after it told something, so that what each hears does not grow with how many there are.
 *
 * 20 ms up to 8 processes, 2.5 ms more for each further one, at most 500 ms.
 */
export const pauseBetweenWords = (listeners: number): Duration.Duration =>
  Duration.clamp(Duration.millis((listeners * 1_000) / wordsASecond), { minimum: shortest, maximum: longest })
