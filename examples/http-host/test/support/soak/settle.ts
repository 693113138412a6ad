import { sleep, until } from "../hostProcess.ts"
import type { Followed } from "./follower.ts"
import { advance, type Endings, makeEndings } from "./endings.ts"
import { type Excuses, judgeReceived, judgeSent } from "./judges.ts"
import { judgeTenant, type Settled } from "./judgeTenant.ts"
import { type Logged, untilQuiet } from "./quiet.ts"
import type { System } from "./system.ts"
import type { Tenant } from "./tenant.ts"

/** Numbers of what a follower is told: a user of what their account got, and of all being read. */
const toldTo = (
  { ownedId }: Tenant,
  { isOfUser }: { readonly isOfUser: boolean },
  log: ReadonlyArray<Logged>
): ReadonlyArray<number> =>
  log.flatMap(({ account, kind, seq }) => (!isOfUser || account === ownedId || kind === "ItemsRead" ? [seq] : []))

/** Lets all sockets come to the end of the log, and ends them. */
const endSockets = async (tenant: Tenant, log: ReadonlyArray<Logged>) => {
  const { followers } = tenant
  const wanted = followers.map((follower) => toldTo(tenant, follower, log))
  const isAtEnd = () => followers.every((follower, at) => follower.last() >= (wanted[at]?.at(-1) ?? 0))
  // Where one is not, its judge says what is missing.
  await until("all sockets", () => (isAtEnd() ? true : undefined), 60_000).catch(() => false)
  const last = log.at(-1)?.seq ?? 0
  // What happens after the log was read, as that a receiver fails for long, is no matter.
  const followed: ReadonlyArray<Followed> = (await Promise.all(followers.map((one) => one.stop()))).map((told) => ({
    ...told,
    events: told.events.filter(({ seq }) => seq <= last)
  }))
  return { followed, wanted }
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
const untilDelivered = async ({ hosts }: System, endings: ReadonlyArray<Endings>): Promise<ReadonlyArray<string>> => {
  const pending = async () => (await Promise.all(endings.map((one) => one.pending()))).flat()
  for (let round = 0; round < 60; round++) {
    await sleep(800)
    if ((await pending()).length === 0) return []
    await advance(hosts, waits[round] ?? "28 hours")
  }
  return [`deliveries to ${(await pending()).join(", ")} have not ended`]
}

const isWaiting = async (endings: Endings): Promise<boolean> =>
  [...(await endings.operations()).values()].some(({ status }) => status === "pending") ||
  (await endings.posts()).some(({ targets }) => targets.some(({ status }) => status === "pending"))

/** Its receivers have what was posted to them. */
const judgeEndpoints = ({ receivers }: System, { after, endpoints }: Tenant, { followed, log }: Settled) => {
  const [whole] = followed
  /** Nobody is told by a webhook that webhooks do not reach them. */
  const postedTo = (id: string, types: ReadonlyArray<string> | undefined) =>
    types === undefined
      ? log.flatMap(({ endpoint, seq }) => (seq > after && endpoint !== id ? [seq] : []))
      : (whole?.events ?? []).flatMap(({ seq, type }) => (types.includes(type) ? [seq] : []))
  return endpoints
    .filter(({ name }) => name !== "dead")
    .flatMap(({ events, id, is_ordered = false, name }) =>
      judgeReceived(name, postedTo(id, events), receivers.received(name), is_ordered)
    )
}

/** Ends what the load began, and says all that does not hold. */
export const settle = async (system: System, excuses: Excuses) => {
  const { hosts, networks, receivers, tenants } = system
  const endings = tenants.map((tenant) => makeEndings(tenant, hosts))
  const logs = await untilQuiet(system, endings)
  const all = await Promise.all(
    tenants.map(async (tenant, at) => {
      const log = logs[at] ?? []
      const settled: Settled = {
        tenant,
        endings: endings[at] ?? makeEndings(tenant, hosts),
        log,
        ...(await endSockets(tenant, log))
      }
      return { ...settled, ...(await judgeTenant(system, settled, excuses)) }
    })
  )
  const complaints = all.flatMap((one) => one.complaints)
  complaints.push(...(await untilDelivered(system, endings)))
  // What nobody asked for again is given up after a day; where it is not, its judge says so.
  await advance(hosts, "25 hours")
  const isOver = async () => (await Promise.all(endings.map(isWaiting))).every((is) => !is)
  await until("the end of what waits", async () => ((await isOver()) ? true : undefined), 90_000, 500).catch(
    () => false
  )
  complaints.push(...receivers.wrong, ...hosts.all.flatMap(({ fallen }) => fallen))
  for (const one of all) complaints.push(...judgeEndpoints(system, one.tenant, one))
  const outgoing = (await Promise.all(all.map(listOutgoing))).flat()
  const sent = networks.writings().filter((one) => one.sent._tag === "Some")
  complaints.push(
    ...judgeSent(
      outgoing,
      sent.map(({ account, posted, text }) => ({
        account: account.accountId,
        text,
        files: posted._tag === "Some" ? 1 : 0
      }))
    )
  )
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
  const figures = {
    items: sum(({ items }) => items.length),
    silently: count(all.flatMap(({ silently }) => silently)),
    events: sum(({ log }) => log.length),
    jobs: sum(({ jobs }) => jobs.length),
    sockets: sum(({ tenant }) => tenant.followers.reduce((total, one) => total + one.sockets(), 0)),
    resyncs: sum(({ followed }) => followed.reduce((total, one) => total + one.resyncs.length, 0)),
    webhooks: Object.fromEntries(
      tenants.flatMap(({ endpoints }) => endpoints.map(({ name }) => [name, receivers.received(name).length]))
    ),
    outgoing: count(outgoing.map(({ status, why }) => (why === null ? status : `${status} (${why})`))),
    sent: sent.length,
    withFiles: outgoing.filter(({ files, status }) => files > 0 && status === "published").length,
    answered: sum(({ tenant }) => tenant.caller.counts.answered),
    unavailable: sum(({ tenant }) => tenant.caller.counts.unavailable),
    broken: sum(({ tenant }) => tenant.caller.counts.broken)
  }
  return { complaints, figures }
}

const count = (words: ReadonlyArray<string>): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, list]) => [word, list.length]))

/** Replies and targets of posts, with what became of them. */
const listOutgoing = async ({ endings, tenant: { accounts, ledger } }: Settled) => {
  const accountOf = (id: string) => accounts.find((one) => one.id === id)?.accountId ?? id
  const operations = await endings.operations()
  const posts = await endings.posts()
  return [
    ...ledger.replies.map(({ account, key, operationId, text }) => ({
      what: `${text} (${key}, ${operationId})`,
      account: accountOf(account),
      text,
      files: 0,
      ...(operations.get(operationId) ?? { status: "not accepted", why: null })
    })),
    ...posts.flatMap(({ files, targets, text }) =>
      targets.map(({ error, social_account_id, status }) => ({
        account: accountOf(social_account_id),
        status,
        text,
        files,
        what: text,
        why: error?.code ?? null
      }))
    )
  ]
}
