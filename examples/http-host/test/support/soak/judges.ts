import type { EventBody } from "@loopbox/adapters-http/api/inbox/EventBody"
import type { ItemBody } from "@loopbox/adapters-http/api/inbox/ItemBody"
import { inboxAfter } from "../inboxStream.ts"

/*
 * What must hold of what was seen. Each gives sentences about what does not, none where all is well; nothing here asks
 * anybody, so that a test can show that each finds its fault.
 */

type Complaints = ReadonlyArray<string>

/** Each number that is more than once. */
const doubled = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => list.filter((one, at) => list.indexOf(one) !== at)

/** What a socket was told. */
interface Told {
  readonly name: string
  readonly after: number
  readonly events: ReadonlyArray<{ readonly seq: number }>
  readonly resyncs: ReadonlyArray<number>
}

/** A socket has all numbers of the log from its start, in order and once, but where it was told to look anew. */
export const judgeLog = (numbers: ReadonlyArray<number>, { after, events, name, resyncs }: Told): Complaints => {
  const places = new Map(numbers.filter((one) => one > after).map((one, at) => [one, at]))
  const expected = [...places.keys()]
  const complaints: Array<string> = []
  let place = 0
  for (const [at, { seq }] of events.entries()) {
    if (expected[place] !== seq && !resyncs.includes(at)) {
      complaints.push(`${name}: ${seq} came where ${expected[place] ?? "nothing"} is next`)
    }
    place = (places.get(seq) ?? -1) + 1
  }
  if (place < expected.length && !resyncs.includes(events.length)) {
    complaints.push(`${name}: nothing came from ${expected[place]} to ${expected.at(-1)}`)
  }
  return complaints
}

/** What was sent in the name of an account. */
interface Sent {
  readonly account: string
  readonly text: string
  /** How many files hang on it. */
  readonly files: number
}

/** Something that was to be sent once, and what the product says of it. */
interface Outgoing extends Sent {
  readonly what: string
  readonly status: string
}

/** Whether the product says that it is there; none where it says that nobody can know (design §6). */
const outcomes: ReadonlyMap<string, boolean | undefined> = new Map([
  ["completed", true],
  ["rejected", false],
  ["published", true],
  ["failed", false],
  ["needs_reconciliation", undefined],
  // Nothing accepted it, whatever was answered.
  ["not accepted", undefined]
])

/** Replies and targets of posts have ended, and are at their networks as often as the product says: once, or never. */
export const judgeSent = (outgoing: ReadonlyArray<Outgoing>, sent: ReadonlyArray<Sent>): Complaints => {
  const complaints: Array<string> = []
  for (const { account, files, status, text, what } of outgoing) {
    const there = sent.filter((one) => one.account === account && one.text.includes(text))
    if (!outcomes.has(status)) complaints.push(`${what} has not ended: ${status}`)
    else if (there.length > 1) complaints.push(`${what} was sent ${there.length} times`)
    else if (outcomes.get(status) === true && there.length === 0)
      complaints.push(`${what} is ${status}, and is not there`)
    else if (outcomes.get(status) === false && there.length === 1) complaints.push(`${what} is ${status}, and is there`)
    for (const one of there) if (one.files !== files) complaints.push(`${what} shows ${one.files} files of ${files}`)
  }
  for (const one of sent) {
    if (!outgoing.some(({ account, text }) => account === one.account && one.text.includes(text))) {
      complaints.push(`nobody asked for "${one.text}" at ${one.account}`)
    }
  }
  return complaints
}

interface Job {
  readonly id: string
  readonly status: string
  readonly output_media_id: string | null
  readonly accepted_ms: number
  readonly attempts: number
  readonly error: { readonly code: string } | null
}

/**
 * Times of acceptance of jobs that may fail, since an encoder lied or the disk was full: from the end of the fault before,
 * for what was accepted earlier had ended, however slow the machine is.
 */
export type Excuses = ReadonlyArray<{ readonly from_ms: number; readonly to_ms: number }>

/** Accepted jobs have ended, each with a result of its own; one fails only where something was made to fail. */
export const judgeJobs = (jobs: ReadonlyArray<Job>, excuses: Excuses): Complaints => [
  ...jobs.flatMap(({ accepted_ms, attempts, error, id, status }) => {
    const isExcused = excuses.some(({ from_ms, to_ms }) => accepted_ms >= from_ms && accepted_ms <= to_ms)
    return status === "succeeded" || (status === "failed" && isExcused)
      ? []
      : [`job ${id} is ${status} (${error?.code}) after ${attempts} attempts`]
  }),
  ...doubled(jobs.map(({ id }) => id)).map((id) => `job ${id} stands for two keys`),
  ...doubled(jobs.flatMap(({ output_media_id }) => output_media_id ?? [])).map((id) => `two jobs gave ${id}`)
]

/** What was written at a network. */
export interface Written {
  readonly history: ReadonlyArray<string>
  readonly text: string
  /**
   * `deleted`: and the product was told, or has looked. Of the others the network tells nobody. `untold`: a list that had
   * it may show that it is gone; `unlisted`: no list ever had it, so that nothing proves its end; `unheard`: and of its
   * beginning nobody was told, either.
   */
  readonly state: "there" | "deleted" | "untold" | "unlisted" | "unheard"
}

/**
 * The inbox has what was written, once, as it was edited last, and nothing else. What was deleted in silence is there
 * until somebody looks, and then it was told as an item and as deleted; it never just disappears.
 */
export const judgeItems = (
  written: ReadonlyArray<Written>,
  items: ReadonlyArray<Pick<ItemBody, "external_id" | "body">>,
  removed: ReadonlySet<string>
): Complaints => {
  const byId = new Map(written.flatMap((one) => one.history.map((id) => [id, one])))
  const listed = new Map<Written, ReadonlyArray<string>>()
  const complaints: Array<string> = []
  for (const { body, external_id } of items) {
    const one = byId.get(external_id)
    if (one === undefined) complaints.push(`nobody wrote ${external_id}, "${body}"`)
    else listed.set(one, [...(listed.get(one) ?? []), body])
  }
  for (const one of written) {
    const [name, bodies] = [`"${one.text}" (${one.history.join(", ")})`, listed.get(one) ?? []]
    if (one.state === "deleted" && bodies.length > 0) complaints.push(`${name} is listed, and was deleted`)
    const isRemoved = one.history.some((id) => removed.has(id))
    const isMissed = one.state === "there" || one.state === "unlisted" || (one.state === "untold" && !isRemoved)
    if (isMissed && bodies.length === 0) complaints.push(`${name} is not listed`)
    if (isRemoved && (one.state === "there" || one.state === "unlisted"))
      complaints.push(`${name} was told as deleted, of which nothing was a proof`)
    if (bodies.length > 1) complaints.push(`${name} is listed ${bodies.length} times`)
    if (one.state !== "deleted" && one.state !== "unheard" && bodies.some((body) => body !== one.text))
      complaints.push(`${name} reads "${bodies[0]}"`)
  }
  return complaints
}

/** A customer's socket tells of their workspace and their accounts, and of nothing else. */
export const judgeIsolation = (
  name: string,
  workspace: string,
  accounts: ReadonlySet<string>,
  events: ReadonlyArray<EventBody>
): Complaints =>
  events.flatMap((event) => {
    const named =
      event.type === "inbox.new_item" || event.type === "inbox.item_updated"
        ? [event.item.social_account_id, event.item.workspace_id]
        : "social_account_id" in event
          ? [event.social_account_id]
          : []
    return [event.workspace_id, ...named].every((one) => one === workspace || accounts.has(one))
      ? []
      : [`${name}: ${event.seq} tells of another's ${named.join(", ") || event.workspace_id}`]
  })

/** A thread with its counters. */
interface Counted {
  readonly id: string
  readonly item_count: number
  readonly unread_count: number
}

type Countable = Pick<ItemBody, "thread_id" | "is_read" | "is_own">

/** Counters are what counting gives. */
export const judgeCounts = (
  items: ReadonlyArray<Countable>,
  unread: number,
  threads: ReadonlyArray<Counted>
): Complaints => {
  const isUnread = ({ is_own, is_read }: Countable) => !is_read && !is_own
  const complaints: Array<string> = []
  const counted = items.filter(isUnread).length
  if (unread !== counted) complaints.push(`${unread} are said to be unread, and ${counted} are`)
  const known = new Map(threads.map((one) => [one.id, one]))
  for (const [id, ofThread] of Map.groupBy(items, ({ thread_id }) => thread_id)) {
    const thread = known.get(id)
    const truth = `${ofThread.length} items, ${ofThread.filter(isUnread).length} unread`
    const said = `${thread?.item_count} items, ${thread?.unread_count} unread`
    if (said !== truth) complaints.push(`thread ${id} is said to have ${said}; it has ${truth}`)
    known.delete(id)
  }
  return [...complaints, ...[...known.keys()].map((id) => `thread ${id} is listed without an item`)]
}

/** What a client has in its hands after all events is what a list shows. */
export const judgeInbox = (events: ReadonlyArray<EventBody>, items: ReadonlyArray<ItemBody>): Complaints => {
  const told = inboxAfter(events)
  const show = (one: ItemBody | undefined) =>
    one === undefined
      ? "nothing"
      : [one.body, one.is_read ? "read" : "unread", one.thread_status, one.assigned_to ?? "nobody"].join(", ")
  const listed = new Map(items.map((one) => [one.id, one]))
  return [...new Set([...told.keys(), ...listed.keys()])].flatMap((id) => {
    const [one, other] = [show(told.get(id)), show(listed.get(id))]
    return one === other ? [] : [`${id} is told as ${one}, and listed as ${other}`]
  })
}

interface Webhook {
  readonly id: string
  readonly seq: number
}

/**
 * A receiver got each of these events at least once, under one name, and no other; in their order for the first time, where that
 * was promised: what a process had answered in the moment before it was killed comes again.
 */
export const judgeReceived = (
  name: string,
  wanted: ReadonlyArray<number>,
  received: ReadonlyArray<Webhook>,
  isOrdered: boolean
): Complaints => {
  const got = new Set(received.map(({ seq }) => seq))
  const last = wanted.at(-1) ?? 0
  const ids = new Map(received.map(({ id, seq }) => [id, seq]))
  return [
    ...wanted.filter((seq) => !got.has(seq)).map((seq) => `${name} never got ${seq}`),
    // What happened after the log was looked at is no matter.
    ...[...got]
      .filter((seq) => seq <= last && !wanted.includes(seq))
      .map((seq) => `${name} got ${seq}, which is none of its`),
    ...(ids.size === got.size ? [] : [`${name} got ${got.size} events under ${ids.size} names`]),
    ...(isOrdered
      ? Array.from(got).flatMap((seq, at, firsts) =>
          seq < (firsts[at - 1] ?? 0) ? [`${name} got ${seq} after ${firsts[at - 1]}`] : []
        )
      : [])
  ]
}
