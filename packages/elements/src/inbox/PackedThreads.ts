import type { Item, Thread } from "./records.ts"

type Facts = Omit<Thread, "last_item">

/** What of a record is not as `likely` says. */
type Row = Partial<Facts> & Pick<Thread, "id" | "last_item_at" | "thread_key"> & { readonly last_item: Partial<Item> }

/** Records of one account that have the same members. */
interface Group {
  readonly model: Thread
  readonly rows: ReadonlyArray<Row>
}

/** A record that differs from another of its account by its name and time alone. */
const likely = (
  model: Thread,
  { id, last_item_at, thread_key }: Pick<Thread, "id" | "last_item_at" | "thread_key">
): Thread => ({
  ...model,
  id,
  thread_key,
  last_item_at,
  last_inbound_at: last_item_at,
  created_at: last_item_at,
  last_item: {
    ...model.last_item,
    thread_id: id,
    thread_key,
    received_at: last_item_at,
    created_at: last_item_at
  }
})

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === "object" && one !== null && JSON.stringify(one) === JSON.stringify(other))

const differences = <Value extends object>(value: Value, expected: Value): Partial<Value> => {
  const found: Partial<Value> = {}
  for (const member in value) if (!isSame(value[member], expected[member])) found[member] = value[member]
  return found
}

const rowOf = (model: Thread, thread: Thread): Row => {
  const { id, last_item_at, thread_key } = thread
  const { last_item: expectedItem, ...expected } = likely(model, thread)
  const { last_item, ...facts } = thread
  return {
    ...differences(facts, expected),
    id,
    last_item_at,
    thread_key,
    last_item: differences(last_item, expectedItem)
  }
}

const threadOf = (model: Thread, row: Row): Thread => {
  const { last_item, ...facts } = row
  const expected = likely(model, row)
  return { ...expected, ...facts, last_item: { ...expected.last_item, ...last_item } }
}

const membersOf = (value: object): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [name]))

/** Only what has the same members can be told apart by differences: what another record lacks would be taken from the model. */
const groupNameOf = (thread: Thread): string =>
  [thread.social_account_id, ...membersOf(thread), "last_item", ...membersOf(thread.last_item)].join(" ")

/**
 * Conversations that nobody looks at now, as one text: of each only what is not as in others of its account.
 *
 * As objects 100,000 conversations are more than a million, and a page stands still while its browser goes through all of
 * them to find what is garbage; a text is one.
 */
export class PackedThreads {
  readonly #text: string
  #isRead = false

  constructor(threads: ReadonlyArray<Thread>) {
    const groups = new Map<string, { readonly model: Thread; readonly rows: Array<Row> }>()
    for (const thread of threads) {
      const name = groupNameOf(thread)
      const group = groups.get(name) ?? { model: thread, rows: [] }
      groups.set(name, group)
      group.rows.push(rowOf(group.model, thread))
    }
    this.#text = JSON.stringify(Array.from(groups.values()))
  }

  /** All of them, in any order. */
  unpack(): ReadonlyArray<Thread> {
    const groups: ReadonlyArray<Group> = JSON.parse(this.#text)
    const threads = groups.flatMap(({ model, rows }) => rows.map((row) => threadOf(model, row)))
    return this.#isRead ? threads.map((thread) => ({ ...thread, unread_count: 0 })) : threads
  }

  /** Everything in them was read. */
  markRead(): void {
    this.#isRead = true
  }

  /** False where no record names it; true says that one may. */
  mayName(id: string): boolean {
    return this.#text.includes(JSON.stringify(id))
  }
}
