import type { Answer } from "./Answer.ts"

/** What a page keeps of a conversation over a reload: what was being written, and answers whose end is not known. */
export interface Kept {
  readonly text: string
  readonly note: string
  readonly answers: ReadonlyArray<Answer>
}

export const nothingKept: Kept = { text: "", note: "", answers: [] }

/** The part of `localStorage` that is used. */
export type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" &&
  value !== null &&
  "text" in value &&
  typeof value.text === "string" &&
  "note" in value &&
  typeof value.note === "string" &&
  "answers" in value &&
  Array.isArray(value.answers)

/** Keeps drafts by conversation. A browser that keeps nothing (private windows, full storage) is no failure. */
export class Keeper {
  readonly #storage: Storage | undefined
  readonly #prefix: string
  /** What was written in this page, for browsers that keep nothing. */
  readonly #here = new Map<string, Kept>()

  constructor(storage: Storage | undefined, prefix: string) {
    this.#storage = storage
    this.#prefix = `loopbox:${prefix}:`
  }

  read(threadId: string): Kept {
    const here = this.#here.get(threadId)
    if (here !== undefined) return here
    try {
      const kept: unknown = JSON.parse(this.#storage?.getItem(this.#prefix + threadId) ?? "null")
      return isKept(kept) ? kept : nothingKept
    } catch {
      return nothingKept
    }
  }

  write(threadId: string, kept: Kept): void {
    this.#here.set(threadId, kept)
    try {
      if (kept.text === "" && kept.note === "" && kept.answers.length === 0) {
        this.#storage?.removeItem(this.#prefix + threadId)
      } else this.#storage?.setItem(this.#prefix + threadId, JSON.stringify(kept))
    } catch {
      // Kept in this page, at least.
    }
  }
}
