/** Whether a work ends well. */
export const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false
  )

/** Runs works of one name one after the other, each once the one before has ended, however it did. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>()

  /** @param work is told whether another one waits by now */
  async run<A>(name: string, work: (isLast: () => boolean) => Promise<A>): Promise<A> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const own = before.then(() => work(() => this.#last.get(name) === ended))
    const ended = isDone(own)
    this.#last.set(name, ended)
    try {
      return await own
    } finally {
      if (this.#last.get(name) === ended) this.#last.delete(name)
    }
  }
}
