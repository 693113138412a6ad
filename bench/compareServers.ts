import { fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Request, throughput } from "./load.ts"
import { median, quantile } from "./statistics.ts"

/** Of each server's pool: the host's default. */
export const poolSize = 10
/** Fewer than the pool has, so that nobody waits for one of them. */
export const connections = 8
const roundsOfEach = 30
const round_ms = 500
/** Requests after which V8 has compiled what a server runs. */
const warmUp = 15_000

/** A server, and what each connection asks of it. */
export interface Server {
  readonly requests: ReadonlyArray<Request>
  readonly pid: number
}

/** The same request by as many connections as servers are compared with. */
export const repeated = (request: Request): ReadonlyArray<Request> => Array.from({ length: connections }, () => request)

/** Runs with a baseline of its own process: the program takes its config as a message, and answers its port. */
export const withBaseline = async <Config extends object, A>(
  program: string,
  config: Config,
  use: (url: string, pid: number) => Promise<A>
): Promise<A> => {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), {
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

/** Microseconds of processor time that a process has used: user's and system's ticks of 10 ms. */
const processorTime_us = (pid: number): number => {
  const [user = 0, system = 0] = (/\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? "")
    .split(" ")
    .slice(11, 13)
    .map(Number)
  return (user + system) * 10_000
}

/** One round of load: requests a second, and processor time of the server for each. */
const measure = async ({ pid, requests }: Server) => {
  const before = processorTime_us(pid)
  const { answered, seconds } = await throughput(requests, { duration_ms: round_ms })
  return { rate: answered / seconds, cost_us: (processorTime_us(pid) - before) / answered }
}

/** The rounds that were disturbed least: whatever else runs on the machine only takes from a rate. */
const undisturbed = 0.9

/** How many requests each of them answers; `tidy` runs before each round. */
export const compareServers = async (
  ours: Server,
  baseline: Server,
  { tidy = async () => {}, warmUps = warmUp }: { readonly tidy?: () => Promise<void>; readonly warmUps?: number } = {}
) => {
  for (const { requests } of [baseline, ours]) {
    for (let left = warmUps; left > 0;) left -= (await throughput(requests, { duration_ms: 1_000 })).answered
  }
  const rounds: Record<"ours" | "baseline", Array<Awaited<ReturnType<typeof measure>>>> = { ours: [], baseline: [] }
  const run = async (which: keyof typeof rounds) => {
    await tidy()
    rounds[which].push(await measure(which === "ours" ? ours : baseline))
  }
  for (let round = 0; round < roundsOfEach; round++) {
    // In turn which of them is first, so that a machine that slows down or speeds up favours neither.
    await run(round % 2 === 0 ? "baseline" : "ours")
    await run(round % 2 === 0 ? "ours" : "baseline")
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
