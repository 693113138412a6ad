import { writeFileSync } from "node:fs"
import { faketime } from "../brokenMachine.ts"
import { sleep, until } from "../hostProcess.ts"
import type { Member } from "./hosts.ts"
import { type Chance, one } from "./lanes.ts"
import type { System } from "./system.ts"

/** Something that breaks, and is mended again by whoever is there to mend it; never by touching a host that lives. */
export interface Fault {
  readonly name: string
  readonly isPossible?: (system: System) => boolean
  /** Whether a conversion may fail while it lasts. */
  readonly failsJobs?: true
  readonly run: (system: System, next: Chance) => Promise<unknown>
}

const killOne = async (members: ReadonlyArray<Member>, next: Chance) => {
  const victim = one(members, next)
  await victim?.kill()
  await sleep(next(2_000))
  await victim?.start()
}

/** The calls of networks after which something is there. */
const posting = [
  ["facebook", "reply"],
  ["facebook", "send"],
  ["facebook", "create_post"],
  ["instagram", "reply"],
  ["instagram", "send"],
  ["threads", "publish"],
  ["x", "create_tweet"]
] as const

const lie =
  (mode: string, during_ms: number): Fault["run"] =>
  async ({ hosts }) => {
    hosts.ffmpeg.set(mode)
    await sleep(during_ms)
    hosts.ffmpeg.set("work")
  }

export const faults: ReadonlyArray<Fault> = [
  { name: "kill -9 of a worker", run: ({ hosts }, next) => killOne(hosts.workers, next) },
  { name: "kill -9 of a host that answers", run: ({ hosts }, next) => killOne(hosts.api, next) },
  {
    name: "the primary killed, its standby promoted",
    run: async ({ database }) => {
      const follow = await database.failOver()
      await sleep(5_000)
      await follow()
    }
  },
  {
    name: "PostgreSQL stopped for 10 seconds",
    run: async ({ database }) => {
      const server = database.primary()
      await server.stop()
      await sleep(10_000)
      await server.start()
    }
  },
  {
    name: "PostgreSQL frozen for 10 seconds",
    run: async ({ database }) => {
      const server = database.primary()
      await server.signal("SIGSTOP")
      await sleep(10_000)
      await server.signal("SIGCONT")
    }
  },
  {
    name: "connections cut in the middle of whatever they do",
    run: async ({ database }) => {
      for (let time = 0; time < 20; time++) {
        await database.cutConnections()
        await sleep(150)
      }
    }
  },
  {
    name: "every statement answered late",
    run: async ({ database }, next) => {
      database.proxy.delay(50 + next(150))
      await sleep(8_000)
      database.proxy.delay(0)
    }
  },
  {
    name: "the pooler killed and started again",
    run: async ({ database }, next) => {
      await database.pooler.kill()
      await sleep(next(3_000))
      await database.pooler.start()
    }
  },
  {
    name: "the disk of the files full",
    isPossible: ({ hosts }) => hosts.disk.isSmall,
    failsJobs: true,
    run: async ({ hosts }) => {
      hosts.disk.fill()
      await sleep(5_000)
      hosts.disk.giveBack()
    }
  },
  {
    name: "the disk of the database full",
    isPossible: ({ database }) => database.primary().disk.isSmall,
    run: async ({ database }) => {
      const server = database.primary()
      server.disk.fill()
      await sleep(8_000)
      server.disk.giveBack()
      // It stops itself where its log cannot be written; then somebody starts it again.
      if (!server.isRunning()) await server.start()
    }
  },
  { name: "an ffmpeg that hangs", failsJobs: true, run: lie("hang", 4_000) },
  {
    name: "an ffmpeg that lies",
    failsJobs: true,
    run: (system, next) => lie(one(["nothing", "garbage", "other"], next) ?? "", 4_000)(system, next)
  },
  {
    name: "no name can be looked up",
    run: async ({ database, hosts }) => {
      hosts.names.lose()
      await database.pooler.kill()
      await database.pooler.start()
      await sleep(6_000)
      hosts.names.giveBack()
    }
  },
  {
    name: "the clock of two processes an hour back",
    isPossible: () => faketime !== undefined,
    run: async ({ hosts }) => {
      writeFileSync(hosts.clock, "-1h\n")
      await sleep(8_000)
      writeFileSync(hosts.clock, "+0\n")
    }
  },
  {
    name: "receivers gone",
    run: async ({ receivers }) => {
      await receivers.leave()
      await sleep(6_000)
      await receivers.comeBack()
    }
  },
  {
    name: "networks that post and do not answer",
    run: async ({ networks }, next) => {
      for (const [network, endpoint] of posting) {
        const kind = one(["hang_after", "reset_after", "server_error"] as const, next) ?? "reset_after"
        networks.sandbox.api.faults.set({ network, endpoint, kind, times: 1 })
      }
      await sleep(8_000)
      networks.sandbox.api.faults.clear({})
    }
  }
]

/** A machine that does much else needs long for all of it. */
const patience_ms = 240_000

/** Ends well: all processes say that they are well, in which nobody has died by itself, and what was accepted before has ended. */
export const untilHealed = async ({ hosts, one: { caller, lanes, ledger } }: System): Promise<void> => {
  const jobs = [...ledger.jobs.values()]
  await hosts.untilReady(patience_ms)
  const enough = caller.counts.answered + 20
  await until("answers", () => (caller.counts.answered >= enough ? true : undefined), patience_ms)
  // So that no job meets three faults, after which it would be given up.
  await until("the jobs of before", () => (jobs.every(({ id }) => lanes.hasEnded(id)) ? true : undefined), patience_ms)
}
