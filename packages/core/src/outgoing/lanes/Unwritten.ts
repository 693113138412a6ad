/**
 * Answers of a process that are not written yet, beyond one of each endpoint. Those are sent again if it dies; with fewer, more
 * transactions are needed to write as many.
 */
const unwrittenAtMost = 40

/** What a process was answered and has not written, by all the endpoints that it serves. */
export class Unwritten {
  #count = 0
  #lanes = 0

  /** An endpoint is served from now on. */
  enter(): void {
    this.#lanes += 1
  }

  leave(unwritten: number): void {
    this.#lanes -= 1
    this.#count -= unwritten
  }

  answered(): void {
    this.#count += 1
  }

  written(count: number): void {
    this.#count -= count
  }

  /** Whether an endpoint that has `own` in hand may have one more: the first always, so that none waits for others. */
  hasRoom(own: number): boolean {
    if (own === 0) return true
    return this.#count < unwrittenAtMost && own < Math.floor(unwrittenAtMost / Math.max(1, this.#lanes))
  }
}
