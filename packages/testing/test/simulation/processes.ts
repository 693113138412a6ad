import { Effect } from "effect"
import type { Chance } from "./Chance.ts"
import { makeProcess, type Process } from "./ReplyTown.ts"

/** Two processes of workers; where one crashes, another begins. */
export const makeProcesses = Effect.fnUntraced(function* <R>(
  chance: Chance,
  start: (process: Process) => Effect.Effect<void, never, R>
) {
  const processes: Array<Process> = [makeProcess(), makeProcess()]
  yield* Effect.forEach(processes, start)
  const crash = Effect.suspend(() => {
    const place = chance.below(processes.length)
    processes[place]?.kill()
    const next = makeProcess()
    processes[place] = next
    return start(next)
  })
  const kill = () => processes.forEach((process) => process.kill())
  return { processes, crash, kill }
})
