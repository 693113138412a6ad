import { fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { fileURLToPath } from "node:url"
import { rich } from "../packages/adapters-postgres/test/stores/inbox/manyItems.ts"
import type { BaselineConfig } from "./listBaseline.ts"
import { type List, listStatements } from "./listStatements.ts"
import { openConnection, type Request, throughput } from "./load.ts"
import { median, quantile } from "./statistics.ts"
import type { ManyItems } from "./withManyItems.ts"

/** Of a page. */
export const limit = 50
/** Of each server's pool: the host's default. */
const poolSize = 10
/** Fewer than the pool has, so that nobody waits for one of them. */
const connections = 8
const roundsOfEach = 30
const round_ms = 500
/** Requests after which V8 has compiled what a server runs. */
const warmUp = 15_000

interface Server {
  readonly request: Request
  readonly pid: number
}

const withBaseline = async <A>(config: BaselineConfig, use: (url: string, pid: number) => Promise<A>): Promise<A> => {
  const child = fork(fileURLToPath(new URL("listBaseline.ts", import.meta.url)), {
    execArgv: ["--conditions=@loopbox/source"],
    serialization: "advanced"
  })
  try {
    const port = await new Promise<unknown>((resolve, reject) => {
      child.once("message", resolve)
      child.once("exit", (code) => reject(new Error(`the baseline ended with ${code}`)))
      child.send(config)
    })
    return await use(`http://127.0.0.1:${Number(port)}`, child.pid ?? 0)
  } finally {
    child.disconnect()
  }
}

/** Without what is judged of an item, which the baseline leaves out. */
const withoutJudged = (name: string, value: unknown): unknown =>
  name === "capabilities" || name === "reply_window" ? undefined : value

const dataOf = async (request: Request): Promise<unknown> => {
  const connection = await openConnection(request.url)
  const { data } = JSON.parse((await connection.get(request)).toString(), withoutJudged)
  connection.close()
  return data
}

/** Microseconds of processor time that a process has used: user's and system's ticks of 10 ms. */
const processorTime_us = (pid: number): number => {
  const [user = 0, system = 0] = (/\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? "")
    .split(" ")
    .slice(11, 13)
    .map(Number)
  return (user + system) * 10_000
}

/** One round of load: requests a second, and processor time of the server for each. */
const measure = async ({ pid, request }: Server) => {
  const before = processorTime_us(pid)
  const { answered, seconds } = await throughput(request, { connections, duration_ms: round_ms })
  return { rate: answered / seconds, cost_us: (processorTime_us(pid) - before) / answered }
}

const warm = async ({ request }: Server): Promise<void> => {
  for (let left = warmUp; left > 0;) left -= (await throughput(request, { connections, duration_ms: 1_000 })).answered
}

/** The rounds that were disturbed least: whatever else runs on the machine only takes from a rate. */
const undisturbed = 0.9

const compare = async (ours: Server, baseline: Server) => {
  await warm(baseline)
  await warm(ours)
  const rounds: Record<"ours" | "baseline", Array<Awaited<ReturnType<typeof measure>>>> = { ours: [], baseline: [] }
  for (let round = 0; round < roundsOfEach; round++) {
    // In turn which of them is first, so that a machine that slows down or speeds up favours neither.
    if (round % 2 === 0) rounds.baseline.push(await measure(baseline))
    rounds.ours.push(await measure(ours))
    if (round % 2 === 1) rounds.baseline.push(await measure(baseline))
  }
  const rate = (of: keyof typeof rounds) =>
    quantile(
      rounds[of].map((one) => one.rate),
      undisturbed
    )
  const cost = (of: keyof typeof rounds) => Math.round(median(rounds[of].map(({ cost_us }) => cost_us)))
  return {
    ours: rate("ours"),
    baseline: rate("baseline"),
    unit: "requests a second",
    notes: [`processor time for each request: ${cost("ours")} µs, the baseline's ${cost("baseline")}`]
  }
}

/** A managed user's list by the host, and by `node:http` and `pg` with the same statements and the same JSON. */
export const withSameList = async <A>(
  { list, q }: { readonly list: List; readonly q?: string },
  { key, pid, server, url }: ManyItems,
  use: (ours: Server, baseline: Server) => Promise<A>
): Promise<A> => {
  const statements = await listStatements(server.target, { key, limit, list, q })
  const config = { list, databaseUrl: server.url, connections: poolSize, statements }
  return withBaseline(config, async (baselineUrl, baselinePid) => {
    const path = `${list}?inbox_scope=managed_user&external_user_id=${rich}&limit=${limit}${q === undefined ? "" : `&q=${encodeURIComponent(q)}`}`
    const ours = { request: { url: `${url}${path}`, key }, pid }
    const baseline = { request: { url: `${baselineUrl}${path}`, key }, pid: baselinePid }
    if (!isDeepStrictEqual(await dataOf(ours.request), await dataOf(baseline.request))) {
      throw new Error("the two servers answer differently")
    }
    return use(ours, baseline)
  })
}

/** How many requests each of them answers. */
export const compareLists = (list: List, items: ManyItems) => withSameList({ list }, items, compare)
