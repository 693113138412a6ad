import type { InboxMessages } from "../messages/english/inbox.ts"
import type { PartMessages } from "../messages/english/parts.ts"
import type { Filter } from "./Filter.ts"
import type { InboxStore } from "./InboxStore.ts"
import type { Item, Thread } from "./records.ts"
import type { VirtualRows } from "./VirtualRows.ts"

/** What the panes of an inbox draw with, and what they tell it. */
export interface InboxView {
  readonly store: InboxStore
  readonly rows: VirtualRows
  readonly texts: InboxMessages
  readonly partTexts: PartMessages
  readonly language: string
  readonly now: Date
  readonly agent: string
  /** Names that conversations can be assigned to. */
  readonly agents: ReadonlyArray<string>
  readonly filter: Filter
  readonly isSlow: boolean
  /** The conversation that the keys are at. */
  readonly current: string | undefined
  readonly isDetailsOpen: boolean
  readonly hasSingleKeys: boolean
  readonly isHelpOpen: boolean
  /** The item that is asked about before it is deleted. */
  readonly deleting: Item | undefined
  /** Items that came while the reader was further up. */
  readonly below: number
  readonly reconnectUrl: string | undefined
  /** The focus is where an answer is written. */
  readonly isWriting: boolean
  readonly changeFilter: (change: Partial<Filter>) => void
  readonly select: (id: string) => void
  readonly goBack: () => void
  readonly showDetails: (isOpen: boolean) => void
  readonly showHelp: (isOpen: boolean) => void
  readonly askDelete: (item: Item | undefined) => void
  readonly useSingleKeys: (isOn: boolean) => void
  readonly resolve: () => void
  readonly reconnect: (thread: Thread) => void
  readonly send: () => void
  readonly focusComposer: () => void
  readonly scrollDown: () => void
  readonly scrolled: (event: Event) => void
  /** Other rows of the list are seen; nothing else has changed. */
  readonly redrawRows: () => void
}

/** A source's name; of one that is not known, its own word. */
export const sourceName = (texts: InboxMessages, source: string): string => {
  const names: Readonly<Record<string, string>> = texts.sources
  return names[source] ?? source
}

/** What kind of thing a source's items are; of one that is not known, its own word. */
export const kindName = (texts: InboxMessages, source: string): string => {
  const names: Readonly<Record<string, string>> = texts.kinds
  return names[source] ?? source
}

/** Who a conversation is with: those who wrote last, but not the account itself. */
export const peopleOf = (thread: Thread): string => {
  const names = thread.participants.map(({ author_name }) => author_name)
  const shown = Array.from(new Set(names)).slice(0, 3)
  if (shown.length > 0) return shown.join(", ")
  return thread.last_item.is_own ? thread.account.name : thread.last_item.author_name
}
