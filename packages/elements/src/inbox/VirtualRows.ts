/** Which rows of a long list are drawn: those that are seen, some around them, and the one that has the focus. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

const around = 6

/** Rows of one height that stand in a scroller; pure but for what it reads of the scroller. */
export const rangeOf = (count: number, rowHeight: number, scrolled: number, seen: number): RowRange => {
  const first = Math.floor(scrolled / rowHeight)
  const last = Math.ceil((scrolled + seen) / rowHeight)
  return { from: Math.max(0, Math.min(first, count) - around), to: Math.min(count, last + around) }
}

/**
 * How far to scroll so that the reader's place stays: the first seen row that has not moved by itself stands where it stood.
 *
 * `before` and `after` are the ids in order; `moved` are rows that a change put elsewhere.
 */
export const anchorShift = (
  seen: ReadonlyArray<string>,
  placeBefore: (id: string) => number,
  placeAfter: (id: string) => number
): number => {
  const shifts = seen.flatMap((id) => {
    const after = placeAfter(id)
    return after < 0 ? [] : [after - placeBefore(id)]
  })
  // A row that moved by itself goes another way than its neighbours.
  const counts = new Map<number, number>()
  for (const shift of shifts) counts.set(shift, (counts.get(shift) ?? 0) + 1)
  const [most] = Array.from(counts).toSorted(([, a], [, b]) => b - a)
  return most?.[0] ?? 0
}

/** The drawn part of a list, for one scroller. */
export class VirtualRows {
  readonly #changed: () => void
  #scroller: HTMLElement | undefined
  #resized: ResizeObserver | undefined
  /** Ids as they were drawn last. */
  #drawn: ReadonlyArray<string> = []
  #places = new Map<string, number>()
  #range: RowRange = { from: 0, to: 0 }
  rowHeight = 78

  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Takes the element that scrolls; undefined when it goes. */
  readonly attach = (element: Element | undefined): void => {
    if (element === this.#scroller) return
    this.#resized?.disconnect()
    this.#scroller = element instanceof HTMLElement ? element : undefined
    if (this.#scroller === undefined) return
    this.#resized = new ResizeObserver(() => {
      this.#measure()
      this.#changed()
    })
    this.#resized.observe(this.#scroller)
    this.#measure()
  }

  /** The rows to draw of so many. */
  range(count: number): RowRange {
    const scroller = this.#scroller
    this.#range = rangeOf(count, this.rowHeight, scroller?.scrollTop ?? 0, scroller?.clientHeight ?? 800)
    return this.#range
  }

  /** After a scroll: true where other rows have to be drawn. */
  hasMoved(count: number): boolean {
    const scroller = this.#scroller
    if (scroller === undefined) return false
    const { from, to } = rangeOf(count, this.rowHeight, scroller.scrollTop, scroller.clientHeight)
    return Math.abs(from - this.#range.from) >= around / 2 || Math.abs(to - this.#range.to) >= around / 2
  }

  /** Whether the end of what is loaded comes near. */
  isNearEnd(count: number): boolean {
    const scroller = this.#scroller
    if (scroller === undefined) return false
    return scroller.scrollTop + scroller.clientHeight * 3 > count * this.rowHeight
  }

  /** Keeps the reader's place over a change of the list; at its top new rows come into view instead. */
  keepPlace(placeOf: (id: string) => number, ids: (from: number, to: number) => ReadonlyArray<string>): void {
    const scroller = this.#scroller
    if (scroller !== undefined && scroller.scrollTop > 0 && this.#drawn.length > 0) {
      const shift = anchorShift(this.#drawn, (id) => this.#places.get(id) ?? 0, placeOf)
      if (shift !== 0) scroller.scrollTop += shift * this.rowHeight
    }
    if (scroller === undefined) return
    const first = Math.floor(scroller.scrollTop / this.rowHeight)
    const last = Math.ceil((scroller.scrollTop + scroller.clientHeight) / this.rowHeight)
    this.#drawn = ids(first, last)
    this.#places = new Map(this.#drawn.map((id, at) => [id, first + at]))
  }

  /** Another list: from its top. */
  reset(): void {
    this.#drawn = []
    if (this.#scroller !== undefined) this.#scroller.scrollTop = 0
  }

  /** Brings a row into view. */
  reveal(place: number): void {
    const scroller = this.#scroller
    if (scroller === undefined || place < 0) return
    const top = place * this.rowHeight
    if (top < scroller.scrollTop) scroller.scrollTop = top
    const bottom = top + this.rowHeight - scroller.clientHeight
    if (bottom > scroller.scrollTop) scroller.scrollTop = bottom
  }

  #measure(): void {
    const root = this.#scroller?.ownerDocument.documentElement
    if (root === undefined) return
    // Rows are 4.875 rem, so that they grow with the reader's letters.
    this.rowHeight = Math.round(4.875 * (Number.parseFloat(getComputedStyle(root).fontSize) || 16))
  }
}
