import { accessSync, chmodSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs"
import { join } from "node:path"

const gibibyte = 1024 ** 3
/** What `statfs` calls a file system in memory (Linux, magic.h). */
const tmpfs = 0x01021994
const prefix = "loopbox-tests-"

/** Where a machine keeps files in memory, and what it has of it. */
export interface Memory {
  readonly place: string
  /** In bytes, of the machine or of what this process may use of it. */
  readonly available: number
  /** As the system tells of what is mounted: a line for each, of a device, a place, a type and options. */
  readonly mounts: string
}

const ofThisMachine = (): Memory | undefined => {
  try {
    return {
      place: "/dev/shm",
      available: process.availableMemory(),
      mounts: readFileSync("/proc/self/mounts", "utf8")
    }
  } catch {
    return undefined
  }
}

const mayRun = ({ mounts, place }: Memory): boolean =>
  mounts
    .split("\n")
    .map((line) => line.split(" "))
    .some(([, at, , options = ""]) => at === place && !options.split(",").includes("noexec"))

const hasRoom = ({ available, place }: Memory, wanted: number): boolean => {
  const { bavail, bsize, type } = statfsSync(place)
  accessSync(place, constants.W_OK | constants.X_OK)
  // As much again stays for the programs.
  return type === tmpfs && bavail * bsize >= wanted && available >= 2 * wanted
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** What runs have left that were killed. */
const removeLeft = (place: string) => {
  const left = readdirSync(place).filter(
    (name) => name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length)))
  )
  for (const name of left) rmSync(join(place, name), { recursive: true, force: true })
}

/**
 * Makes a folder in memory for what this process and its children write down for a while, and removes it at the end. None
 * where the machine has no such place, or less room than `wanted_gib` there and twice that in memory.
 *
 * A run of the tests makes and deletes some hundred thousand files of databases. On a disk with ext4 that was a third of its
 * processor time, for without a journal the system passes over each number of a file that was deleted a short while ago.
 */
export const makeMemoryFolder = (wanted_gib: number, memory = ofThisMachine()): string | undefined => {
  if (memory === undefined) return undefined
  try {
    if (!mayRun(memory) || !hasRoom(memory, wanted_gib * gibibyte)) return undefined
    removeLeft(memory.place)
    const folder = join(memory.place, `${prefix}${process.pid}`)
    mkdirSync(folder, { recursive: true })
    // As /tmp: servers run under other accounts.
    chmodSync(folder, 0o1777)
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch {
    // The place that was there before does.
    return undefined
  }
}
