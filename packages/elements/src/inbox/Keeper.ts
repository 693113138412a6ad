import type { Answer } from "./Answer.ts"

/** How an answer is written: to whom, and as what. */
export interface Composing {
  /** The item that it answers; without one the last that can be answered. */
  readonly itemId: string | null
  readonly mode: "reply" | "private" | "note"
}

export const plainReply: Composing = { itemId: null, mode: "reply" }

/** What a page keeps of a conversation over a reload: what was being written, and answers whose end is not known. */
export interface Kept {
  readonly text: string
  readonly note: string
  readonly composing: Composing
  readonly answers: ReadonlyArray<Answer>
}

export const nothingKept: Kept = { text: "", note: "", composing: plainReply, answers: [] }

/** The part of `localStorage` that is used. */
export type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">

type Written = Omit<Kept, "composing"> & { readonly composing?: unknown }

const isWritten = (value: unknown): value is Written =>
  typeof value === "object" &&
  value !== null &&
  "text" in value &&
  typeof value.text === "string" &&
  "note" in value &&
  typeof value.note === "string" &&
  "answers" in value &&
  Array.isArray(value.answers)

const modes = ["reply", "private", "note"] as const

/** Absent in what older versions have written. */
const composingOf = (value: unknown): Composing => {
  if (typeof value !== "object" || value === null || !("mode" in value) || !("itemId" in value)) return plainReply
  const mode = modes.find((one) => one === value.mode)
  return mode === undefined ? plainReply : { mode, itemId: typeof value.itemId === "string" ? value.itemId : null }
}

const isNothing = ({ answers, note, text }: Kept): boolean => text === "" && note === "" && answers.length === 0

/** Keeps drafts by conversation. A browser that keeps nothing (private windows, full storage) is no failure. */
export class Keeper {
  readonly #storage: Storage | undefined
  readonly #prefix: string
  /** What was written in this page and could not be stored. */
  readonly #here = new Map<string, Kept>()
  /** Keys of answers that this page has known: of others another page decides. */
  readonly #known = new Set<string>()

  constructor(storage: Storage | undefined, prefix: string) {
    this.#storage = storage
    this.#prefix = `loopbox:${prefix}:`
  }

  read(threadId: string): Kept {
    const kept = this.#here.get(threadId) ?? this.#stored(threadId)
    for (const { key } of kept.answers) this.#known.add(key)
    return kept
  }

  /** Writes what has changed; the rest stays as another page of this browser may have written it. */
  write(threadId: string, change: Partial<Kept>): void {
    const before = this.#here.get(threadId) ?? this.#stored(threadId)
    const { answers } = change
    for (const { key } of answers ?? []) this.#known.add(key)
    const others = before.answers.filter(({ key }) => !this.#known.has(key))
    const kept = { ...before, ...change, answers: answers === undefined ? before.answers : [...others, ...answers] }
    const name = this.#prefix + threadId
    try {
      if (this.#storage === undefined) {
        this.#here.set(threadId, kept)
        return
      }
      if (isNothing(kept)) this.#storage.removeItem(name)
      else this.#storage.setItem(name, JSON.stringify(kept))
      // Else what a full storage refused once would come back for ever, also after it was sent.
      this.#here.delete(threadId)
    } catch {
      // Kept in this page, at least.
      this.#here.set(threadId, kept)
    }
  }

  #stored(threadId: string): Kept {
    try {
      const kept: unknown = JSON.parse(this.#storage?.getItem(this.#prefix + threadId) ?? "null")
      return isWritten(kept) ? { ...kept, composing: composingOf(kept.composing) } : nothingKept
    } catch {
      return nothingKept
    }
  }
}
