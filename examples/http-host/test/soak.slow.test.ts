import { assert } from "@effect/vitest"
import { afterAll, it } from "vitest"
import { sleep } from "./support/hostProcess.ts"
import { serverPrograms } from "./support/ownServer.ts"
import { seeded, shuffled } from "./support/seeded.ts"
import { poolerProgram } from "./support/soak/database.ts"
import { faults, untilHealed } from "./support/soak/faults.ts"
import type { Excuses } from "./support/soak/judges.ts"
import { type Chance, repeat } from "./support/soak/lanes.ts"
import { settle } from "./support/soak/settle.ts"
import { startSystem, type System } from "./support/soak/system.ts"
import { describeUnmoved } from "./support/unmoved.ts"

/** How long it is loaded; 20 is what a release is looked at with. */
const minutes = Number(process.env["LOOPBOX_SOAK_MINUTES"] ?? "0.4")
/** Of the load and of the order of faults; this one begins with deaths of the primary, a host, a worker and the pooler. */
const seed = Number(process.env["LOOPBOX_SOAK_SEED"] ?? "556")

const say = (text: string) => process.stdout.write(`soak: ${new Date().toISOString().slice(11, 19)} ${text}\n`)

const closers: Array<() => unknown> = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

type Step = readonly [pause_ms: number, step: (next: Chance) => Promise<unknown>]

/** What both customers do; the pauses are those of the first. */
const lanesOf = ({ followers, lanes }: System["one"], calm: number): ReadonlyArray<Step> => [
  [1_200 * calm, lanes.reply],
  [5_000 * calm, lanes.publish],
  [1_000 * calm, lanes.work],
  [1_000 * calm, lanes.mark],
  [2_000 * calm, lanes.look],
  [4_000 * calm, async (next) => followers[next(followers.length)]?.hangUp()]
]

/** Callers and people, each with chances of its own. */
const startLoad = ({ one, other, people }: System, isOver: () => boolean) => {
  const steps: ReadonlyArray<Step> = [
    [400, people.step],
    [3_000, one.lanes.convert],
    ...lanesOf(one, 1),
    ...lanesOf(other, 2)
  ]
  return Promise.all(steps.map(([pause_ms, step], at) => repeat(isOver, pause_ms, seeded(seed * 100 + at), step)))
}

/** All faults in an order that looks like chance, again and again until the time is over. */
const breakAll = async (one: System, next: Chance, until_ms: number) => {
  const excuses: Array<Excuses[number]> = []
  let done = 0
  let healed_ms = performance.now()
  const possible = faults.filter(({ isPossible }) => isPossible?.(one) ?? true)
  while (performance.now() < until_ms) {
    for (const fault of shuffled(possible, next)) {
      if (performance.now() > until_ms) break
      say(fault.name)
      await fault.run(one, next)
      const ended_ms = performance.now()
      if (fault.failsJobs === true) excuses.push({ from_ms: healed_ms, to_ms: ended_ms })
      await untilHealed(one)
      healed_ms = ended_ms
      done += 1
      await sleep(500 + next(1_500))
    }
  }
  return { excuses, done }
}

describeUnmoved("it has servers of its own", serverPrograms !== undefined && poolerProgram !== undefined)(
  "two hosts and two workers on a pooler and a primary with a standby, while one thing after another breaks",
  () => {
    const patience_ms = (minutes + 10) * 60_000
    it(
      "end all that they accept, do nothing twice, count right, and leave no socket in the dark",
      { timeout: patience_ms },
      async () => {
        say(`seed ${seed}, ${minutes} minutes`)
        const one = await startSystem(seed, (close) => closers.push(close))
        let isOver = false
        const load = startLoad(one, () => isOver)
        const breaking = breakAll(one, seeded(seed), performance.now() + minutes * 60_000)
        // What ends a lane ends the test, not its time.
        await Promise.race([breaking, load])
        const { done, excuses } = await breaking
        isOver = true
        await load
        say("the load is over")
        const { complaints, figures } = await settle(one, excuses)
        say(JSON.stringify({ faults: done, ...figures }))
        assert.deepStrictEqual(complaints, [])
        // A load that brought nothing would prove nothing.
        for (const name of ["completed", "published"]) assert.isAbove(figures.outgoing[name] ?? 0, 0, name)
        for (const name of ["items", "jobs", "sockets"] as const) assert.isAbove(figures[name], 0, name)
      }
    )
  }
)
