import { readFileSync } from "node:fs"

/** MiB of a process that lie in memory now. */
export const memory_MiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
