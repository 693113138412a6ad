import { Pool } from "pg"
import { loadPeer } from "../peers/loadPeer.ts"
import type { Contestant } from "./Contestant.ts"

const connections = 10

/** graphile-worker, which takes one job at a time as it comes. */
export const openGraphileWorker = async (connectionString: string): Promise<Contestant> => {
  const { Logger, runMigrations, runOnce } = await loadPeer("graphile-worker")
  const pool = new Pool({ connectionString, max: connections })
  // What ends with the server needs nobody to hear of it.
  for (const event of ["error", "connect"] as const) pool.on(event, () => undefined)
  const options = { pgPool: pool, concurrency: 1, noHandleSignals: true, logger: new Logger(() => () => {}) }
  await runMigrations(options)
  return {
    name: "graphile-worker",
    queue: (jobs) =>
      pool.query("SELECT graphile_worker.add_job('convert', '{\"gif\":\"media\"}') FROM generate_series(1, $1::int)", [
        jobs
      ]),
    work: (_jobs, begun) => runOnce({ ...options, taskList: { convert: async () => begun() } }),
    stop: () => pool.end()
  }
}

/** pg-boss, asked for one job and told of its success by hand: no worker of it, which would wait between jobs. */
export const openPgBoss = async (connectionString: string): Promise<Contestant> => {
  const { PgBoss } = await loadPeer("pg-boss")
  const boss = new PgBoss({ connectionString, max: connections, supervise: false, schedule: false })
  await boss.start()
  const queue = "convert"
  await boss.createQueue(queue)
  return {
    name: "pg-boss",
    queue: (jobs) =>
      boss.insert(
        queue,
        Array.from({ length: jobs }, () => ({ data: { gif: "media" } }))
      ),
    work: async (jobs, begun) => {
      for (let n = 0; n < jobs; n++) {
        const [job] = await boss.fetch(queue)
        begun()
        await boss.complete(queue, job.id)
      }
    },
    stop: () => boss.stop({ graceful: false })
  }
}
