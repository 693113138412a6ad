/** How often one name is there; one object for all that count it. */
export interface Count {
  readonly name: string
  number: number
}

/** How often each name is there. */
export class Counts {
  readonly #counts = new Map<string, Count>()

  of(name: string): number {
    return this.#counts.get(name)?.number ?? 0
  }

  add(name: string): Count {
    const count = this.#counts.get(name) ?? { name, number: 0 }
    this.#counts.set(name, count)
    count.number++
    return count
  }

  remove(count: Count): void {
    count.number--
    if (count.number === 0) this.#counts.delete(count.name)
  }
}
