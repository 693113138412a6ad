import type { EventBody } from "@loopbox/adapters-http/api/inbox/EventBody"
import type { Writing } from "@loopbox/adapters-social/sandbox/Writing"
import { userScope, workspaceScope } from "../inboxStream.ts"
import type { Endings } from "./endings.ts"
import type { Followed } from "./follower.ts"
import { type Excuses, judgeCounts, judgeInbox, judgeIsolation, judgeItems, judgeJobs, judgeLog } from "./judges.ts"
import type { Logged } from "./quiet.ts"
import type { System } from "./system.ts"
import { owner, type Tenant } from "./tenant.ts"

/** A customer once all is quiet. */
export interface Settled {
  readonly tenant: Tenant
  readonly endings: Endings
  readonly log: ReadonlyArray<Logged>
  /** What the sockets were told; the first one is of the whole workspace. */
  readonly followed: ReadonlyArray<Followed>
  /** The numbers that each of them has to be told. */
  readonly wanted: ReadonlyArray<ReadonlyArray<number>>
}

/** On X an answer begins with the name of whom it is for, unless the account wrote it here. */
const shownText = ({ account, addressee, isOwn, text }: Writing): string =>
  account.network === "x" && !isOwn && addressee._tag === "Some" ? `@${addressee.value.username} ${text}` : text

/** The networks' ids of items that were told as new, and then as deleted. */
const removedBy = (events: ReadonlyArray<EventBody>): ReadonlySet<string> => {
  const born = new Map(
    events.flatMap((event) => (event.type === "inbox.new_item" ? [[event.item.id, event.item.external_id]] : []))
  )
  return new Set(
    events.flatMap((event) => (event.type === "inbox.item_deleted" ? (born.get(event.item_id) ?? []) : []))
  )
}

/** Of what a customer has: sockets, items, counters, jobs, and what they were told is done. */
export const judgeTenant = async (
  { networks, people }: System,
  { endings, followed, log, tenant, wanted }: Settled,
  excuses: Excuses
) => {
  const { accounts, caller, ledger, name, ownedId, workspace } = tenant
  const [whole] = followed
  const items = await endings.items(workspaceScope)
  const accountIds = new Set(accounts.map(({ accountId }) => accountId))
  const removed = removedBy(whole?.events ?? [])
  const written = networks
    .writings()
    .filter(({ account, kind }) => kind !== "post" && accountIds.has(account.accountId))
    .map((one) => ({ history: one.history, text: shownText(one), state: people.stateOf(one) }))
  const countsOf = async (scope: string, own: typeof items) =>
    judgeCounts(own, await endings.unread(scope), await endings.threads(scope))
  const jobs = await endings.jobs()
  const known = new Set(accounts.map(({ id }) => id))
  const complaints = [
    ...caller.wrong,
    ...ledger.doubts,
    ...log.flatMap(({ seq }, at) => (seq === (log[0]?.seq ?? 0) + at ? [] : [`the log has ${seq} in place ${at}`])),
    ...followed.flatMap((told, at) => [
      ...judgeLog(wanted[at] ?? [], told),
      ...judgeIsolation(told.name, workspace, known, told.events)
    ]),
    ...(whole === undefined || whole.resyncs.length > 0 ? [] : judgeInbox(whole.events, items)),
    ...judgeItems(written, items, removed),
    ...(await countsOf(workspaceScope, items)),
    ...(ownedId === undefined
      ? []
      : await countsOf(
          userScope(owner),
          items.filter(({ external_user_id }) => external_user_id === owner)
        )),
    ...judgeJobs(jobs, excuses),
    ...(await judgeLedger(tenant, endings, items))
  ]
  const listed = new Set(items.map(({ external_id }) => external_id))
  /** What became of what was deleted without a word. */
  const silently = written
    .filter(({ state }) => state === "untold" || state === "unlisted" || state === "unheard")
    .map(({ history, state }) => {
      if (history.some((id) => listed.has(id))) return `${state}, there`
      return history.some((id) => removed.has(id)) ? `${state}, found` : `${state}, never seen`
    })
  return { complaints: complaints.map((one) => `${name}: ${one}`), items, jobs, silently }
}

/** What a customer was told is done is done. */
const judgeLedger = async (
  { ledger }: Tenant,
  endings: Endings,
  items: ReadonlyArray<{ readonly id: string; readonly thread_id: string; readonly is_read: boolean }>
): Promise<ReadonlyArray<string>> => {
  const complaints = items.flatMap(({ id, is_read }) =>
    ledger.read.has(id) && !is_read ? [`${id} was marked as read, and is not`] : []
  )
  // A thread whose items are all gone is not listed.
  const threads = new Map((await endings.threads(workspaceScope)).map((one) => [one.id, one]))
  for (const [id, labels] of ledger.labels) {
    const has = threads.get(id)?.labels ?? labels
    if (has.toSorted().join() !== labels.toSorted().join()) complaints.push(`thread ${id} has the labels ${has.join()}`)
  }
  const notes = new Map<string, ReadonlyArray<string>>()
  for (const [text, thread] of ledger.notes) {
    if (!threads.has(thread)) continue
    const there = notes.get(thread) ?? (await endings.notes(thread)).map((note) => note.text)
    notes.set(thread, there)
    if (!there.includes(text)) complaints.push(`thread ${thread} lacks the note "${text}"`)
  }
  for (const [id, hash] of ledger.files) {
    if ((await endings.hashOf(id)) !== hash) complaints.push(`file ${id} is not what was uploaded`)
  }
  return complaints
}
