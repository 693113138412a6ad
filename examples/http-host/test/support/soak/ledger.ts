/** A reply that was asked for, under its key. */
export interface AskedReply {
  readonly key: string
  /** The account that answers, by its id here. */
  readonly account: string
  readonly text: string
  /** Of the operation that accepted it. */
  readonly operationId: string
}

/** What the product has taken on, by its own word; whatever is in it must be there in the end. */
export const makeLedger = () => ({
  replies: new Array<AskedReply>(),
  /** Posts by their keys, and how many files hang on them. */
  posts: new Map<string, { readonly id: string; readonly files: number }>(),
  /** Conversions by their keys, and when they were accepted by this test's clock: a host's may be off. */
  jobs: new Map<string, { readonly id: string; readonly accepted_ms: number }>(),
  /** SHA-256 of uploaded files. */
  files: new Map<string, string>(),
  /** Items that were marked as read, and not as unread since. */
  read: new Set<string>(),
  /** Labels of threads, as they were given last. */
  labels: new Map<string, ReadonlyArray<string>>(),
  /** Texts of notes, with their threads. */
  notes: new Map<string, string>(),
  /** What went wrong with being told the same twice. */
  doubts: new Array<string>()
})

export type Ledger = ReturnType<typeof makeLedger>
