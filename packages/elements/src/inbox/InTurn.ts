/** Whether a work ends well. */
export const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false
  )

/** Runs works of one name one after the other, each once the one before has ended, however it did. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>()

  /** @param work is told whether another one waits by now, and whether it has waited itself */
  async run<A>(name: string, work: (isLast: () => boolean, hasWaited: boolean) => Promise<A>): Promise<A> {
    const before = this.#last.get(name)
    const own = Promise.resolve(before).then(() => work(() => this.#last.get(name) === ended, before !== undefined))
    const ended = isDone(own)
    this.#last.set(name, ended)
    try {
      return await own
    } finally {
      if (this.#last.get(name) === ended) this.#last.delete(name)
    }
  }
}
