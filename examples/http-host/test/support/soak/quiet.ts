import { sleep, until } from "../hostProcess.ts"
import { advance, type Endings } from "./endings.ts"
import type { System } from "./system.ts"

/** An event as the database has it. */
export interface Logged {
  readonly seq: number
  readonly account: string
  readonly kind: string
  /** Whose receiver fails, where it tells of that. */
  readonly endpoint: string
}

export const readLog = async (
  { database }: System,
  { workspace }: { readonly workspace: string }
): Promise<ReadonlyArray<Logged>> => {
  const rows = await database.read(`SELECT concat_ws(' ', seq, coalesce(account_id, '-'), event->>'_tag',
      coalesce(event->'endpoint'->>'id', '-')) FROM events WHERE workspace_id = '${workspace}' ORDER BY seq`)
  return rows.split("\n").map((row) => {
    const [seq = "", account = "", kind = "", endpoint = ""] = row.split(" ")
    return { seq: Number(seq), account, kind, endpoint }
  })
}

const statusesOf = async (endings: Endings) => [
  ...[...(await endings.operations()).values()].map(({ status }) => status),
  ...(await endings.posts()).flatMap(({ targets }) => targets.map(({ status }) => status))
]

const untilNone = (endings: Endings, what: string, unended: RegExp) =>
  until(
    what,
    async () => ((await statusesOf(endings)).some((status) => unended.test(status)) ? undefined : true),
    120_000,
    200
  )

/** An outcome of all that was begun, or none. */
const untilDecided = async (endings: Endings): Promise<void> => {
  await endings.untilJobsEnded()
  const unended = /^(?:sending|remote_succeeded|preparing|publishing)$/
  await untilNone(endings, "an outcome of all replies and posts, or none", unended)
  // Those that have to wait for a network may be given up for their age, then.
  const areBegun = async () => {
    const targets = (await endings.posts()).flatMap((post) => post.targets)
    return targets.every(({ status }) => status !== "pending") ? true : undefined
  }
  await until("the beginning of all posts", areBegun, 30_000, 200).catch(() => false)
}

/** Asks the networks until each account has answered, and again until they have no news. */
const untilPolled = async (system: System, endings: ReadonlyArray<Endings>): Promise<void> => {
  const length = async () => {
    const logs = await Promise.all(system.tenants.map((tenant) => readLog(system, tenant)))
    return logs.flat().filter(({ kind }) => kind !== "SyncCompleted").length
  }
  await until(
    "polls without news",
    async () => {
      const before = await length()
      const answered = await Promise.all(endings.map((one) => one.poll()))
      return answered.every(Boolean) && (await length()) === before ? true : undefined
    },
    120_000,
    200
  )
}

/**
 * Comments end of which no network tells, after a list had them: whoever looks two minutes later knows it. An account that
 * X charges for is not looked through.
 */
const deleteSilently = async (system: System, endings: ReadonlyArray<Endings>): Promise<void> => {
  const { hosts, networks, people, tenants } = system
  const silent = tenants
    .flatMap(({ accounts }) => accounts)
    .filter(({ isSubscribed, network }) => network === "instagram" || !isSubscribed)
  const written = (await Promise.all(silent.map((account) => people.writeSilently(account)))).flat()
  await networks.settled()
  await untilPolled(system, endings)
  for (const one of written) await people.removeSought(one)
  await advance(hosts, "5 minutes")
  await untilPolled(system, endings)
}

/** Until all that was accepted has ended, but what waits for a day or more; the logs, by customer. */
export const untilQuiet = async (system: System, endings: ReadonlyArray<Endings>) => {
  await system.networks.settled()
  await Promise.all(endings.map(untilDecided))
  // What nobody can know is given up half an hour later; what was never tried, much sooner.
  await advance(system.hosts, "31 minutes")
  const unended = /^(?:sending|remote_succeeded|preparing|publishing|outcome_unknown)$/
  await Promise.all(endings.map((one) => untilNone(one, "the end of all replies and posts", unended)))
  await untilPolled(system, endings)
  await deleteSilently(system, endings)
  const read = () => Promise.all(system.tenants.map((tenant) => readLog(system, tenant)))
  return until("logs that stand still", async () => {
    const before = await read()
    await sleep(2_000)
    const after = await read()
    return before.flat().length === after.flat().length ? after : undefined
  })
}
