import type { InboxMessages } from "../messages/english/inbox.ts"
import { beginningOf } from "../parts/beginningOf.ts"
import type { Item } from "./records.ts"

const gatherMs = 1_000
const mostRead = 120

/** What a screen reader is told: the words of one message, and of several how many. */
export const arrivalText = (texts: InboxMessages, items: ReadonlyArray<Item>): string => {
  const [first] = items
  if (first === undefined) return ""
  return items.length === 1
    ? texts.arrived(first.author_name, beginningOf(first.body, mostRead))
    : texts.arrivedMany(items.length)
}

/** Gathers what arrives within a second, so that a screen reader isn't told of each. */
export class Arrivals {
  readonly #tell: (items: ReadonlyArray<Item>) => void
  #items: Array<Item> = []

  constructor(tell: (items: ReadonlyArray<Item>) => void) {
    this.#tell = tell
  }

  take(item: Item): void {
    this.#items.push(item)
    if (this.#items.length > 1) return
    setTimeout(() => {
      const items = this.#items
      this.#items = []
      this.#tell(items)
    }, gatherMs)
  }
}
