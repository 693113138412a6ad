import { type Item, newerFirst } from "./records.ts"

const mostTouched = 5_000

const isOlder = (item: Item, than: Item): boolean =>
  newerFirst(item.received_at, item.id, than.received_at, than.id) > 0

/** What is loaded of a conversation, from pages of which some are older than what events told since they were asked for. */
export class ThreadItems {
  readonly #items = new Map<string, Item>()
  /** Items that an event told of, or told to be gone: a page that was asked for before is older. */
  readonly #touched = new Map<string, number>()
  #tick = 0
  #cursor: string | null = null
  #ordered: ReadonlyArray<Item> = []

  /** Oldest first, as a conversation is read. */
  get ordered(): ReadonlyArray<Item> {
    return this.#ordered
  }

  /** Where older ones are read from; null where all are there. */
  get cursor(): string | null {
    return this.#cursor
  }

  /** Of a page: when it was asked for. */
  get now(): number {
    return this.#tick
  }

  find(id: string): Item | undefined {
    return this.#items.get(id)
  }

  /** Takes an item as an event or an answer tells it. */
  take(item: Item): void {
    this.#touched.set(item.id, ++this.#tick)
    this.#items.set(item.id, item)
    this.#sort()
  }

  remove(id: string): void {
    // Deletions elsewhere are told here, too: only the last of them can meet a page on its way.
    if (this.#touched.size > mostTouched) this.#touched.clear()
    this.#touched.set(id, ++this.#tick)
    if (this.#items.delete(id)) this.#sort()
  }

  /** Takes a page of older ones. */
  takeOlder(page: ReadonlyArray<Item>, cursor: string | null, began: number): void {
    this.#put(page, began)
    this.#cursor = cursor
    this.#sort()
  }

  /**
   * Takes the newest page: what should stand on it and does not is gone. What is older stays where the page goes on from it,
   * unless all is read anew, because nobody told what became of it.
   */
  takeNewest(page: ReadonlyArray<Item>, cursor: string | null, began: number, isAnew: boolean): void {
    const listed = new Set(page.map(({ id }) => id))
    const last = page.at(-1)
    const goesOn = !isAnew && page.some(({ id }) => this.#items.has(id))
    let hasOlder = false
    for (const item of this.#items.values()) {
      if (listed.has(item.id) || this.#isNewer(item.id, began)) continue
      if (cursor !== null && goesOn && last !== undefined && isOlder(item, last)) hasOlder = true
      else this.#items.delete(item.id)
    }
    if (!hasOlder) this.#cursor = cursor
    this.#put(page, began)
    this.#sort()
  }

  #isNewer(id: string, began: number): boolean {
    return (this.#touched.get(id) ?? 0) > began
  }

  #put(page: ReadonlyArray<Item>, began: number): void {
    for (const item of page) if (!this.#isNewer(item.id, began)) this.#items.set(item.id, item)
  }

  #sort(): void {
    this.#ordered = Array.from(this.#items.values()).toSorted((a, b) =>
      newerFirst(b.received_at, b.id, a.received_at, a.id)
    )
  }
}
