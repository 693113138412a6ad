import { performance } from "node:perf_hooks"
import { Client } from "pg"
import type { Benchmark } from "./Benchmark.ts"
import { openBareLoop } from "./claiming/bareLoop.ts"
import type { Contestant } from "./claiming/Contestant.ts"
import { openOurJobs } from "./claiming/ourJobs.ts"
import { openGraphileWorker, openPgBoss } from "./claiming/peerQueues.ts"
import { median } from "./statistics.ts"
import { withServer } from "./withServer.ts"

const jobsOfRound = 150
const warmings = 3
const rounds = 9

/** Milliseconds of each job, from the moment one is in hand to the moment the next one is. */
const timeJobs = async ({ queue, work }: Contestant): Promise<number> => {
  await queue(jobsOfRound)
  let first_ms = 0
  let last_ms = 0
  let begun = 0
  await work(jobsOfRound, () => {
    last_ms = performance.now()
    if (begun === 0) first_ms = last_ms
    begun += 1
  })
  if (begun !== jobsOfRound) throw new Error(`${begun} of ${jobsOfRound} jobs were worked on`)
  return (last_ms - first_ms) / (jobsOfRound - 1)
}

/** What autovacuum does within a minute of a new database's first rows: by then all this is over. */
const analyze = async (connectionString: string): Promise<void> => {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query("ANALYZE")
  await client.end()
}

/** What a queue costs beside the work: claim, lease, success, one job after another. */
export const claimSettle: Benchmark = {
  name: "claim-settle",
  description:
    "jobs a second, claimed and settled one by one by our worker, against pg in a loop with the same statements; and against graphile-worker and pg-boss on the same PostgreSQL",
  better: "higher",
  wanted: 0.9,
  run: () =>
    withServer({}, async ({ target, url }) => {
      const ours = await openOurJobs(target)
      const bare = await openBareLoop(url, ours.recording, ours.queue)
      const peers = [await openGraphileWorker(url), await openPgBoss(url)]
      const all = [ours, bare, ...peers]
      try {
        const times: Array<ReadonlyArray<number>> = []
        for (let round = 0; round < warmings + rounds; round++) {
          if (round === warmings) await analyze(url)
          const taken = new Map<Contestant, number>()
          // In turn who is first: a machine that slows down or speeds up favours nobody.
          for (let n = 0; n < all.length; n++) {
            const contestant = all[(n + round) % all.length] ?? ours
            taken.set(contestant, await timeJobs(contestant))
          }
          if (round >= warmings) times.push(all.map((one) => taken.get(one) ?? 0))
        }
        const of = (n: number) => median(times.map((round) => round[n] ?? 0))
        const ratioTo = (n: number) => median(times.map((round) => (round[n] ?? 0) / (round[0] ?? 1)))
        const { units } = ours.recording
        const statements = units.reduce((sum, unit) => sum + unit.statements.length + (unit.isTransaction ? 2 : 0), 0)
        return {
          ours: 1_000 / of(0),
          baseline: 1_000 / of(1),
          unit: "jobs a second",
          ratio: ratioTo(1),
          beside: peers.map(({ name }, n) => ({ what: name, ratio: ratioTo(n + 2), wanted: 1 })),
          notes: [
            `${statements} statements a job, BEGIN and COMMIT included`,
            "our worker claims while it settles the job before, and looks for several jobs at a time; each of the others waits for its own statements",
            ...all.map(({ name }, n) => `${name}: ${(1_000 / of(n)).toFixed(0)} jobs a second`)
          ]
        }
      } finally {
        for (const one of all) await one.stop()
      }
    })
}
