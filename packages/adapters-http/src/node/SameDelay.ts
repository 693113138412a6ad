/**
 * Calls back for each of many items once the same time has passed, by one timer for all of them: a timer for each of
 * thousands of sockets takes more memory than all else that is known of them.
 */
export class SameDelay<A> {
  /** When each is due, in milliseconds of the monotonic clock; the first is due first, for all wait as long. */
  readonly #due_ms = new Map<A, number>()
  readonly #delay_ms: number
  readonly #onDue: (item: A) => void
  #timer: NodeJS.Timeout | undefined

  constructor(delay_ms: number, onDue: (item: A) => void) {
    this.#delay_ms = delay_ms
    this.#onDue = onDue
  }

  has(item: A): boolean {
    return this.#due_ms.has(item)
  }

  /** Waits for it from now on, also if that was done before. */
  add(item: A): void {
    this.#due_ms.delete(item)
    // Whole milliseconds, which V8 keeps in place.
    this.#due_ms.set(item, Math.ceil(performance.now() + this.#delay_ms))
    this.#timer ??= setTimeout(this.#fire, this.#delay_ms)
  }

  delete(item: A): void {
    this.#due_ms.delete(item)
    if (this.#due_ms.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  readonly #fire = (): void => {
    this.#timer = undefined
    const now_ms = performance.now()
    for (const [item, due_ms] of this.#due_ms) {
      if (due_ms > now_ms) {
        // A call may have added one meanwhile, and set the timer for it.
        clearTimeout(this.#timer)
        this.#timer = setTimeout(this.#fire, due_ms - now_ms)
        return
      }
      this.#due_ms.delete(item)
      this.#onDue(item)
    }
  }
}
