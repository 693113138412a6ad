import type { EventBody } from "@loopbox/adapters-http/api/inbox/EventBody"
import type { Writing } from "@loopbox/adapters-social/sandbox/Writing"
import { sleep, until } from "../hostProcess.ts"
import { userScope, walk, workspaceScope } from "../inboxStream.ts"
import type { Follower } from "./follower.ts"
import { type Endings, makeEndings } from "./endings.ts"
import {
  type Excuses,
  judgeCounts,
  judgeInbox,
  judgeItems,
  judgeJobs,
  judgeLog,
  judgeReceived,
  judgeSent
} from "./judges.ts"
import { owner, type System } from "./system.ts"

/** An event as the database has it. */
interface Logged {
  readonly seq: number
  readonly account: string
  readonly kind: string
  /** Whose receiver fails, where it tells of that. */
  readonly endpoint: string
}

const readLog = async ({ database, workspace }: System): Promise<ReadonlyArray<Logged>> => {
  const rows = await database.read(`SELECT concat_ws(' ', seq, coalesce(account_id, '-'), event->>'_tag',
      coalesce(event->'endpoint'->>'id', '-')) FROM events WHERE workspace_id = '${workspace}' ORDER BY seq`)
  return rows.split("\n").map((row) => {
    const [seq = "", account = "", kind = "", endpoint = ""] = row.split(" ")
    return { seq: Number(seq), account, kind, endpoint }
  })
}

/** Numbers of what a follower is told: a user of what their account got, and of all being read. */
const toldTo = ({ accountIds }: System, { isOfUser }: Follower, log: ReadonlyArray<Logged>): ReadonlyArray<number> =>
  log.flatMap(({ account, kind, seq }) =>
    !isOfUser || account === accountIds.get("facebook") || kind === "ItemsRead" ? [seq] : []
  )

/** Until all that was accepted has ended, but what waits for a day or more. */
const untilQuiet = async (system: System, endings: Endings) => {
  await system.networks.settled()
  await endings.untilJobsEnded()
  const statuses = async () => [
    ...[...(await endings.operations()).values()].map(({ status }) => status),
    ...(await endings.posts()).flatMap(({ targets }) => targets.map(({ status }) => status))
  ]
  const untilNone = (what: string, unended: RegExp) =>
    until(what, async () => ((await statuses()).some((status) => unended.test(status)) ? undefined : true), 90_000, 200)
  await untilNone("an outcome of all replies and posts, or none", /^(?:sending|remote_succeeded|preparing|publishing)$/)
  // Those that have to wait for a network may be given up for their age, then.
  const areBegun = async () => {
    const targets = (await endings.posts()).flatMap((post) => post.targets)
    return targets.every(({ status }) => status !== "pending") ? true : undefined
  }
  await until("the beginning of all posts", areBegun, 30_000, 200).catch(() => false)
  // What nobody can know is given up half an hour later; what was never tried, much sooner.
  await endings.advance("31 minutes")
  await untilNone(
    "the end of all replies and posts",
    /^(?:sending|remote_succeeded|preparing|publishing|outcome_unknown)$/
  )
  return until("a log that stands still", async () => {
    const before = await readLog(system)
    await sleep(2_000)
    const after = await readLog(system)
    return before.length === after.length ? after : undefined
  })
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

/** Steps of time by which every delivery that waits for its next attempt comes to its turn. */
const waits = [
  "10 seconds",
  "1 minute",
  "3 minutes",
  "12 minutes",
  "35 minutes",
  "70 minutes",
  "3 hours",
  "5 hours",
  "9 hours",
  "14 hours"
]

/** Until no delivery waits for another attempt; a complaint where one does. */
const untilDelivered = async (endings: Endings): Promise<ReadonlyArray<string>> => {
  for (let round = 0; round < 60; round++) {
    await sleep(800)
    if ((await endings.pending()).length === 0) return []
    await endings.advance(waits[round] ?? "28 hours")
  }
  return [`deliveries to ${(await endings.pending()).join(", ")} have not ended`]
}

const isWaiting = async (endings: Endings): Promise<boolean> =>
  [...(await endings.operations()).values()].some(({ status }) => status === "pending") ||
  (await endings.posts()).some(({ targets }) => targets.some(({ status }) => status === "pending"))

/** Ends what the load began, and says all that does not hold. */
export const settle = async (system: System, excuses: Excuses) => {
  const { after, caller, followers, hosts, key, ledger, networks, people, receivers } = system
  const endings = makeEndings(system)
  const log = await untilQuiet(system, endings)
  const wanted = followers.map((follower) => ({ follower, numbers: toldTo(system, follower, log) }))
  const isAtEnd = () => wanted.every(({ follower, numbers }) => follower.last() >= (numbers.at(-1) ?? 0))
  // Where one is not, its judge says what is missing.
  await until("all sockets", () => (isAtEnd() ? true : undefined), 20_000).catch(() => false)
  const last = log.at(-1)?.seq ?? 0
  // What happens after the log was read, as that a receiver fails for long, is no matter.
  const followed = (await Promise.all(followers.map((one) => one.stop()))).map((told) => ({
    ...told,
    events: told.events.filter(({ seq }) => seq <= last)
  }))
  const [whole] = followed
  const items = await walk(hosts.api[0].url, key, workspaceScope)
  const countsOf = async (scope: string, own: typeof items) =>
    judgeCounts(own, await endings.unread(scope), await endings.threads(scope))
  const jobs = await endings.jobs()
  const complaints = [
    ...caller.wrong,
    ...ledger.doubts,
    ...receivers.wrong,
    ...hosts.all.flatMap(({ fallen }) => fallen),
    ...log.flatMap(({ seq }, at) => (seq === (log[0]?.seq ?? 0) + at ? [] : [`the log has ${seq} in place ${at}`])),
    ...followed.flatMap((told, at) => judgeLog(wanted[at]?.numbers ?? [], told)),
    ...(whole === undefined || whole.resyncs.length > 0 ? [] : judgeInbox(whole.events, items)),
    ...judgeItems(
      networks
        .writings()
        .filter(({ kind }) => kind !== "post")
        .map((one) => ({ history: one.history, text: shownText(one), state: people.stateOf(one) })),
      items,
      removedBy(whole?.events ?? [])
    ),
    ...(await countsOf(workspaceScope, items)),
    ...(await countsOf(
      userScope(owner),
      items.filter(({ external_user_id }) => external_user_id === owner)
    )),
    ...judgeJobs(jobs, excuses),
    ...(await judgeLedger(system, endings, items))
  ]
  complaints.push(...(await untilDelivered(endings)))
  // What nobody asked for again is given up after a day; where it is not, its judge says so.
  await endings.advance("25 hours")
  await until("the end of what waits", async () => ((await isWaiting(endings)) ? undefined : true), 60_000, 500).catch(
    () => false
  )
  /** Nobody is told by a webhook that webhooks do not reach them. */
  const postedTo = (id: string, types: ReadonlyArray<string> | undefined) =>
    types === undefined
      ? log.flatMap(({ endpoint, seq }) => (seq > after && endpoint !== id ? [seq] : []))
      : (whole?.events ?? []).flatMap(({ seq, type }) => (types.includes(type) ? [seq] : []))
  for (const { events, id, is_ordered = false, name } of system.endpoints) {
    if (name !== "dead")
      complaints.push(...judgeReceived(name, postedTo(id, events), receivers.received(name), is_ordered))
  }
  const outgoing = await listOutgoing(system, endings)
  const sent = networks.writings().filter((one) => one.sent._tag === "Some")
  complaints.push(
    ...judgeSent(
      outgoing,
      sent.map(({ account, text }) => ({ network: account.network, text }))
    )
  )
  const figures = {
    items: items.length,
    events: log.length,
    jobs: jobs.length,
    sockets: followers.reduce((sum, one) => sum + one.sockets(), 0),
    resyncs: followed.reduce((sum, one) => sum + one.resyncs.length, 0),
    webhooks: Object.fromEntries(system.endpoints.map(({ name }) => [name, receivers.received(name).length])),
    outgoing: count(outgoing.map(({ status, why }) => (why === null ? status : `${status} (${why})`))),
    sent: sent.length,
    ...caller.counts
  }
  return { complaints, figures }
}

const count = (words: ReadonlyArray<string>): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, list]) => [word, list.length]))

/** What a customer was told is done is done. */
const judgeLedger = async (
  { ledger }: System,
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

/** Replies and targets of posts, with what became of them. */
const listOutgoing = async ({ ledger }: System, endings: Endings) => {
  const operations = await endings.operations()
  const posts = await endings.posts()
  return [
    ...ledger.replies.map(({ key, network, operationId, text }) => ({
      what: `${key} (${operationId})`,
      network,
      text,
      ...(operations.get(operationId) ?? { status: "not accepted", why: null })
    })),
    ...posts.flatMap(({ targets, text }) =>
      targets.map(({ error, network, status }) => ({ network, status, text, what: text, why: error?.code ?? null }))
    )
  ]
}
