import { type Duration, Effect } from "effect"
import type { Chance } from "./Chance.ts"
import { makeProcess, type Process } from "./ReplyTown.ts"

/** Two processes of workers, which look for work as often as is said; where one crashes, another begins. */
export const makeProcesses = Effect.fnUntraced(function* <R>(
  chance: Chance,
  pollEvery: Duration.Input,
  startWith: (process: Process, pollEvery: Duration.Input) => Effect.Effect<void, never, R>
) {
  const start = (process: Process) => startWith(process, pollEvery)
  const processes: Array<Process> = [makeProcess(), makeProcess()]
  yield* Effect.forEach(processes, start)
  const crash = Effect.suspend(() => {
    const place = chance.below(processes.length)
    processes[place]?.kill()
    chance.note("a process dies")
    const next = makeProcess()
    processes[place] = next
    return start(next)
  })
  const kill = () => processes.forEach((process) => process.kill())
  /** Both are killed, and one takes over that looks less often. */
  const goOnAlone = (rarely: Duration.Input) =>
    Effect.suspend(() => {
      kill()
      const last = makeProcess()
      processes.push(last)
      return startWith(last, rarely)
    })
  return { processes, crash, kill, goOnAlone }
})
