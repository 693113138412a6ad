import type { OpenThread } from "./OpenThread.ts"
import type { Storage } from "./Keeper.ts"

/** How near the end counts as being there. */
const nearPx = 60

/** The browser's own; undefined where it refuses. */
export const storageOf = (): Storage | undefined => {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

const messagesOf = (root: DocumentFragment | HTMLElement): HTMLElement | undefined => {
  const element = root.querySelector("#messages")
  return element instanceof HTMLElement ? element : undefined
}

const distance = (element: HTMLElement): number => element.scrollHeight - element.scrollTop - element.clientHeight

/** Whether the last message is seen. */
export const isAtEnd = (root: DocumentFragment | HTMLElement): boolean => {
  const element = messagesOf(root)
  return element !== undefined && distance(element) < nearPx
}

/** Keeps the reader's place in a conversation: at its end with what arrives, elsewhere where they are. */
export class ThreadScroll {
  readonly #changed: () => void
  #shown: string | undefined
  #isSticking = true
  #height = 0
  #top = 0
  #first: string | undefined
  /** Messages that came below what is seen. */
  below = 0

  constructor(changed: () => void) {
    this.#changed = changed
  }

  before(root: DocumentFragment | HTMLElement, opened: OpenThread | undefined): void {
    const element = messagesOf(root)
    if (element === undefined) return
    this.#height = element.scrollHeight
    this.#top = element.scrollTop
    if (opened?.id === this.#shown) return
    this.#isSticking = true
    this.below = 0
  }

  after(root: DocumentFragment | HTMLElement, opened: OpenThread | undefined): void {
    const element = messagesOf(root)
    if (element === undefined || opened === undefined) {
      this.#shown = undefined
      this.#isSticking = true
      return
    }
    const first = opened.items[0]?.id
    const hasGrownAbove = opened.id === this.#shown && this.#first !== undefined && first !== this.#first
    this.#shown = opened.id
    this.#first = first
    if (this.#isSticking) element.scrollTop = element.scrollHeight
    else if (hasGrownAbove) element.scrollTop = this.#top + element.scrollHeight - this.#height
  }

  scrolled(element: HTMLElement): void {
    this.#isSticking = distance(element) < nearPx
    if (!this.#isSticking || this.below === 0) return
    this.below = 0
    this.#changed()
  }

  arrived(isShown: boolean): void {
    if (isShown && !this.#isSticking) this.below++
  }

  /** The reader's own answer is to be seen. */
  stick(): void {
    this.#isSticking = true
    this.below = 0
  }

  toEnd(root: DocumentFragment | HTMLElement): void {
    this.stick()
    messagesOf(root)?.scrollTo({ top: Number.MAX_SAFE_INTEGER })
    this.#changed()
  }
}
