import { PackedThreads } from "./PackedThreads.ts"
import type { Thread } from "./records.ts"

/** A conversation's place, and where its record is: among those that are whole, or packed with others. */
interface Row {
  readonly id: string
  readonly at: number
  packed: PackedThreads | undefined
}

/** By the order that the API lists in: newest first. */
const order = (a: Row, b: Row): number => b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** As many as are read anew where nobody says which has changed. */
const mostWhole = 2_000
const packedTogether = 100

/**
 * Threads by their last item, newest first, each once. A change costs a search by halves, also among 100,000. The records
 * that were asked for last are kept whole, others packed.
 */
export class SortedThreads {
  readonly #mostWhole: number
  readonly #packedTogether: number
  readonly #rows = new Map<string, Row>()
  #ordered: Array<Row> = []
  /** What was asked for last stands last. */
  readonly #whole = new Map<string, Thread>()

  constructor(limits: { readonly mostWhole: number; readonly packedTogether: number } = { mostWhole, packedTogether }) {
    this.#mostWhole = limits.mostWhole
    this.#packedTogether = limits.packedTogether
  }

  get length(): number {
    return this.#ordered.length
  }

  /** Ids in order, of all unless said otherwise. */
  ids(from?: number, to?: number): ReadonlyArray<string> {
    return this.#ordered.slice(from, to).map(({ id }) => id)
  }

  at(place: number): Thread | undefined {
    const row = this.#ordered[place]
    return row === undefined ? undefined : this.find(row.id)
  }

  find(id: string): Thread | undefined {
    const packed = this.#rows.get(id)?.packed
    if (packed !== undefined) this.#unpack(packed)
    const thread = this.#whole.get(id)
    if (thread !== undefined) this.#keep(thread)
    return thread
  }

  /** The thread whose last item it is. */
  findByLastItem(itemId: string): Thread | undefined {
    const isIt = ({ last_item }: Thread) => last_item.id === itemId
    const whole = Array.from(this.#whole.values()).find((thread) => isIt(thread))
    if (whole !== undefined) return whole
    for (const packed of this.#allPacked()) {
      if (!packed.mayName(itemId)) continue
      // Of what came anew since it was packed, the record that is whole is right.
      const found = packed.unpack().find((thread) => isIt(thread) && this.#rows.get(thread.id)?.packed === packed)
      if (found !== undefined) return found
    }
    return undefined
  }

  has(id: string): boolean {
    return this.#rows.has(id)
  }

  /** Where a thread stands; -1 where it does not. */
  indexOf(id: string): number {
    const row = this.#rows.get(id)
    return row === undefined ? -1 : this.#placeOf(row)
  }

  /** Whether it is older than all that are there. */
  isOlderThanAll(at: string): boolean {
    const last = this.#ordered.at(-1)
    return last !== undefined && Date.parse(at) < last.at
  }

  upsert(thread: Thread): void {
    const { id } = thread
    const at = Date.parse(thread.last_item_at)
    const before = this.#rows.get(id)
    if (before?.at === at) before.packed = undefined
    else {
      if (before !== undefined) this.#ordered.splice(this.#placeOf(before), 1)
      const row: Row = { id, at, packed: undefined }
      this.#rows.set(id, row)
      this.#ordered.splice(this.#placeOf(row), 0, row)
    }
    this.#keep(thread)
    this.#packOldest()
  }

  remove(id: string): void {
    const place = this.indexOf(id)
    if (place >= 0) this.#ordered.splice(place, 1)
    this.#rows.delete(id)
    this.#whole.delete(id)
  }

  clear(): void {
    this.#rows.clear()
    this.#whole.clear()
    this.#ordered = []
  }

  /** Everything was read. */
  markAllRead(): void {
    for (const [id, thread] of this.#whole) {
      if (thread.unread_count > 0) this.#whole.set(id, { ...thread, unread_count: 0 })
    }
    for (const packed of this.#allPacked()) packed.markRead()
  }

  #allPacked(): ReadonlySet<PackedThreads> {
    return new Set(this.#ordered.flatMap(({ packed }) => (packed === undefined ? [] : [packed])))
  }

  #keep(thread: Thread): void {
    this.#whole.delete(thread.id)
    this.#whole.set(thread.id, thread)
  }

  #unpack(packed: PackedThreads): void {
    for (const thread of packed.unpack()) {
      const row = this.#rows.get(thread.id)
      if (row?.packed !== packed) continue
      row.packed = undefined
      this.#keep(thread)
    }
    this.#packOldest()
  }

  #packOldest(): void {
    if (this.#whole.size < this.#mostWhole + this.#packedTogether) return
    const oldest = Array.from(this.#whole.values()).slice(0, this.#packedTogether)
    const packed = new PackedThreads(oldest)
    for (const { id } of oldest) {
      const row = this.#rows.get(id)
      if (row !== undefined) row.packed = packed
      this.#whole.delete(id)
    }
  }

  /** The first place whose row does not come before this one. */
  #placeOf(row: Row): number {
    let from = 0
    let to = this.#ordered.length
    while (from < to) {
      const middle = (from + to) >>> 1
      const other = this.#ordered[middle]
      if (other !== undefined && order(other, row) < 0) from = middle + 1
      else to = middle
    }
    return from
  }
}
