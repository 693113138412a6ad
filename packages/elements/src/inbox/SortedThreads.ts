import { newerFirst, type Thread } from "./records.ts"

const order = (a: Thread, b: Thread): number => newerFirst(a.last_item_at, a.id, b.last_item_at, b.id)

/** Threads by their last item, newest first, each once. A change costs a search by halves, also among 100,000. */
export class SortedThreads {
  #byId = new Map<string, Thread>()
  #ordered: Array<Thread> = []

  get ordered(): ReadonlyArray<Thread> {
    return this.#ordered
  }

  get last(): Thread | undefined {
    return this.#ordered.at(-1)
  }

  find(id: string): Thread | undefined {
    return this.#byId.get(id)
  }

  /** Where a thread stands; -1 where it does not. */
  indexOf(id: string): number {
    const thread = this.#byId.get(id)
    if (thread === undefined) return -1
    const place = this.#placeOf(thread)
    return this.#ordered[place]?.id === id ? place : -1
  }

  upsert(thread: Thread): void {
    const place = this.indexOf(thread.id)
    const before = this.#byId.get(thread.id)
    this.#byId.set(thread.id, thread)
    if (before !== undefined && place >= 0) {
      if (before.last_item_at === thread.last_item_at) {
        this.#ordered[place] = thread
        return
      }
      this.#ordered.splice(place, 1)
    }
    this.#ordered.splice(this.#placeOf(thread), 0, thread)
  }

  remove(id: string): void {
    const place = this.indexOf(id)
    if (place >= 0) this.#ordered.splice(place, 1)
    this.#byId.delete(id)
  }

  clear(): void {
    this.#byId.clear()
    this.#ordered = []
  }

  /** The first place whose thread does not come before this one. */
  #placeOf(thread: Thread): number {
    let from = 0
    let to = this.#ordered.length
    while (from < to) {
      const middle = (from + to) >>> 1
      const other = this.#ordered[middle]
      if (other !== undefined && order(other, thread) < 0) from = middle + 1
      else to = middle
    }
    return from
  }
}
