/**
 * What a process has in hand of all endpoints, beyond one of each: it is sent again if the process dies. With fewer, more
 * transactions are needed to write as many.
 */
const inHandAtMost = 128

/** As many an endpoint may have while others have few, or those that get several events at a time would wait for each write. */
const fewOfOne = 4

/** What a process may be sending, or was answered and has not written, by all the endpoints that it serves. */
export class Unwritten {
  #count = 0
  #lanes = 0

  /** An endpoint is served from now on. */
  enter(): void {
    this.#lanes += 1
  }

  /** It is served no longer; `own` is what it had in hand. */
  leave(own: number): void {
    this.#lanes -= 1
    this.#count -= own
  }

  /** An endpoint has so many more in hand, or fewer. */
  change(by: number): void {
    this.#count += by
  }

  /** Whether an endpoint that has `own` in hand may have one more: the first always, so that none waits for others. */
  hasRoom(own: number): boolean {
    if (own === 0) return true
    const share = Math.max(fewOfOne, Math.floor(inHandAtMost / Math.max(1, this.#lanes)))
    return this.#count < inHandAtMost && own < share
  }
}
