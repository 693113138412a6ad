import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { hostname } from "node:os"

/**
 * When a process began, in ticks since the machine did; none where there is no such process, or no `/proc`.
 *
 * With the pid it names a process for good: a pid comes again, in a container it is always 1.
 */
const startOf = Effect.fnUntraced(function* (pid: number) {
  const fs = yield* FileSystem.FileSystem
  const stat = yield* Effect.option(fs.readFileString(`/proc/${pid}/stat`))
  // The second field is the program's name in parentheses and may hold anything; the start is the 20th behind it.
  return Option.flatMapNullishOr(stat, (text) => text.slice(text.lastIndexOf(")") + 2).split(" ")[19])
})

const machine = hostname().replace(/[^A-Za-z0-9_.]/g, "_")

/** Name of this process among all that ever share its folders: machine, pid, start. */
export const processName = Effect.map(
  startOf(process.pid),
  (start) => `${machine}-${process.pid}-${Option.getOrElse(start, () => "0")}`
)

/** Has the process of this name ended? Of other machines' processes nobody here can tell. */
export const isProcessGone = Effect.fnUntraced(function* (name: string) {
  const [, of, pid, start] = /^(.*)-(\d+)-(\d+)$/.exec(name) ?? []
  if (of !== machine || pid === undefined || start === undefined) return false
  if (Option.isSome(yield* startOf(process.pid))) return !Option.contains(yield* startOf(Number(pid)), start)
  return Result.isFailure(Result.try(() => process.kill(Number(pid), 0)))
})
