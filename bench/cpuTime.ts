import { existsSync, readdirSync, readFileSync } from "node:fs"
import { execFileSync } from "node:child_process"

interface Times {
  readonly parent: number
  readonly own_ticks: number
  /** Of its children that have ended. */
  readonly ended_ticks: number
}

/** After the name, which stands in parentheses and may hold blanks: state, parent, …, the times. */
const timesOf = (pid: number): Times | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number)
    const at = (place: number): number => fields[place] ?? 0
    return { parent: at(1), own_ticks: at(11) + at(12), ended_ticks: at(13) + at(14) }
  } catch {
    // It has ended since the folder was listed.
    return undefined
  }
}

const ticksPerSecond = (): number => Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }))

/**
 * How to read the seconds of CPU that a process has used, user and system together, with its children unless it is asked
 * for alone: other load of the machine stretches a wall clock much more. Absent where there is no /proc.
 */
export const cpuTimeOf = (
  pid: number,
  which: "alone" | "with children" = "with children"
): (() => number) | undefined => {
  if (!existsSync(`/proc/${pid}/stat`)) return undefined
  const perSecond = ticksPerSecond()
  return () => {
    const own = timesOf(pid)
    if (which === "alone" || own === undefined) return (own?.own_ticks ?? 0) / perSecond
    let ticks = own.own_ticks + own.ended_ticks
    for (const name of readdirSync("/proc")) {
      const times = /^\d+$/.test(name) ? timesOf(Number(name)) : undefined
      if (times?.parent === pid) ticks += times.own_ticks
    }
    return ticks / perSecond
  }
}
