/** Which rows of a long list are drawn: those that are seen, some around them, and the one that has the focus. */
export interface RowRange {
  readonly from: number
  readonly to: number
  /** How many there are at most. */
  readonly slots: number
}

const around = 6
/** More is loaded while so many screens are left, so that a turned wheel does not reach the end before it comes. */
const screensAhead = 6
/** Without a scroll for so many milliseconds a list rests. */
const restMs = 120

/** Rows of one height that stand in a scroller; pure but for what it reads of the scroller. */
export const rangeOf = (count: number, rowHeight: number, scrolled: number, seen: number): RowRange => {
  // As many wherever the reader is, so that the same elements draw them.
  const slots = Math.ceil(seen / rowHeight) + 1 + 2 * around
  const from = Math.max(0, Math.min(Math.floor(scrolled / rowHeight) - around, count - slots))
  return { from, to: Math.min(count, from + slots), slots }
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

/**
 * The drawn part of a list, for one scroller. Where that stands is read when it scrolls, and never while it is drawn: that
 * would make the browser lay out what was drawn before.
 */
export class VirtualRows {
  readonly #changed: () => void
  #scroller: HTMLElement | undefined
  #resized: ResizeObserver | undefined
  #top = 0
  #seen = 800
  /** Ids as they were drawn last. */
  #drawn: ReadonlyArray<string> = []
  #places = new Map<string, number>()
  #range: RowRange = { from: 0, to: 0, slots: 0 }
  #resting: ReturnType<typeof setTimeout> | undefined
  rowHeight = 78
  /** Whole screens pass at once, so that nobody reads a row: names are enough until it rests. */
  isRushing = false

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
  }

  /** The rows to draw of so many. */
  range(count: number): RowRange {
    this.#range = rangeOf(count, this.rowHeight, this.#top, this.#seen)
    return this.#range
  }

  /** After a scroll: true where other rows have to be drawn. */
  hasMoved(count: number): boolean {
    const before = this.#top
    this.#top = this.#scroller?.scrollTop ?? 0
    this.#rush(Math.abs(this.#top - before) > this.#seen)
    const { from, to } = rangeOf(count, this.rowHeight, this.#top, this.#seen)
    return Math.abs(from - this.#range.from) >= around / 2 || Math.abs(to - this.#range.to) >= around / 2
  }

  /** Whether the end of what is loaded comes near. */
  isNearEnd(count: number): boolean {
    return this.#top + this.#seen * screensAhead > count * this.rowHeight
  }

  /** Keeps the reader's place over a change of the list; at its top new rows come into view instead. */
  keepPlace(placeOf: (id: string) => number, ids: (from: number, to: number) => ReadonlyArray<string>): void {
    if (this.#top > 0 && this.#drawn.length > 0) {
      const shift = anchorShift(this.#drawn, (id) => this.#places.get(id) ?? 0, placeOf)
      if (shift !== 0) this.#scrollTo(this.#top + shift * this.rowHeight)
    }
    const first = Math.floor(this.#top / this.rowHeight)
    const last = Math.ceil((this.#top + this.#seen) / this.rowHeight)
    this.#drawn = ids(first, last)
    this.#places = new Map(this.#drawn.map((id, at) => [id, first + at]))
  }

  /** Another list: from its top. */
  reset(): void {
    this.#drawn = []
    this.#scrollTo(0)
  }

  /** Brings a row into view. */
  reveal(place: number): void {
    if (place < 0) return
    const top = place * this.rowHeight
    const lowest = top + this.rowHeight - this.#seen
    if (top < this.#top) this.#scrollTo(top)
    else if (lowest > this.#top) this.#scrollTo(lowest)
  }

  #rush(isFast: boolean): void {
    this.isRushing ||= isFast
    if (!this.isRushing) return
    clearTimeout(this.#resting)
    this.#resting = setTimeout(() => {
      this.isRushing = false
      this.#changed()
    }, restMs)
  }

  #scrollTo(top: number): void {
    this.#top = Math.max(0, top)
    if (this.#scroller !== undefined) this.#scroller.scrollTop = this.#top
  }

  #measure(): void {
    const scroller = this.#scroller
    if (scroller === undefined) return
    this.#seen = scroller.clientHeight
    this.#top = scroller.scrollTop
    const letters = Number.parseFloat(getComputedStyle(scroller.ownerDocument.documentElement).fontSize)
    // Rows are 4.875 rem, so that they grow with the reader's letters.
    this.rowHeight = Math.round(4.875 * (letters || 16))
  }
}
