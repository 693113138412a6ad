import { mkdir, mkdtemp, readdir, readFile, readlink, rm, rmdir, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { dirname, join, resolve } from "node:path"
import { makeFoldersBy } from "@loopbox/core/kernel/makeFolders"
import type { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { machineFailed } from "./workFiles.ts"

/** The folders under the scratch folder: one for each process, named host, pid and start; in it one for each work. */

/** How often a process touches its own folder and looks for those of dead ones. */
export const sweepEvery = Duration.seconds(10)

/**
 * A process that cannot be looked up from here is dead when nobody has touched its folder for so long: 90 touches that
 * did not come. A process of an older version touches its folder with each work, which may last five minutes.
 */
const unseen_ms = Duration.toMillis(Duration.minutes(15))

const safe = (name: string): string => name.replace(/[^A-Za-z0-9_.]/g, "_")

const host = safe(hostname())

/**
 * Host and pid namespace: the processes that this one can look up.
 *
 * The host name alone is not enough: containers in the network of their machine all have its name, and a process 1 each.
 */
const neighbourhood = (): Promise<string> =>
  readlink("/proc/self/ns/pid").then(
    (namespace) => `${host}.${namespace.replace(/\D/g, "")}`,
    () => host
  )

/**
 * When a process began, in ticks since the machine did; undefined when there is no such process.
 *
 * With the pid it names a process for good: a pid comes again, in a container it is always 1.
 */
const startOf = (pid: number): Promise<string | undefined> =>
  readFile(`/proc/${pid}/stat`, "latin1").then(
    // The second field is the program's name in parentheses and may hold anything; the start is the 20th behind it.
    (line) => line.slice(line.lastIndexOf(")") + 2).split(" ")[19],
    () => undefined
  )

/** Without `/proc` (macOS) a pid has to do. */
const isRunning = async (pid: number, start: string): Promise<boolean> => {
  const hasProc = (await startOf(process.pid)) !== undefined
  if (hasProc) return (await startOf(pid)) === start
  return pid === process.pid || Result.isSuccess(Result.try(() => process.kill(pid, 0)))
}

/** Name of this process's folder. */
const ownFolder = async (): Promise<string> =>
  `${await neighbourhood()}-${process.pid}-${(await startOf(process.pid)) ?? 0}`

/** Customers' files lie in them while they are worked on: other accounts of the machine have no business there. */
const ownersAlone = 0o700

/** Makes a folder, and those above it that are missing. */
const makeFolder = (folder: string): Effect.Effect<void, Cause.UnknownError> =>
  makeFoldersBy(
    {
      isThere: (at) =>
        Effect.promise(() =>
          stat(at).then(
            () => true,
            () => false
          )
        ),
      make: (at) => Effect.tryPromise(() => mkdir(at, { mode: ownersAlone })),
      above: dirname
    },
    resolve(folder)
  ).pipe(
    // Another process that ends takes an empty scratch folder with it.
    Effect.retry({ times: 1 })
  )

const touchedAt = async (folder: string): Promise<number> => (await stat(folder)).mtimeMs

/**
 * Touches this process's folder, which other hosts take for a sign of life. Gives the time of the touch.
 *
 * An entry that comes and goes makes the file system write its own time, so that the clocks of hosts that share it do
 * not matter.
 */
const touchOwnFolder = Effect.fnUntraced(function* (scratch: string) {
  const own = join(scratch, yield* Effect.promise(ownFolder))
  yield* makeFolder(own)
  return yield* Effect.tryPromise(async () => {
    await rmdir(await mkdtemp(join(own, "alive-")))
    return touchedAt(own)
  })
})

/** Whether the process of a folder runs; undefined when the folder is none of ours. */
const isAlive = async (scratch: string, folder: string, now_ms: number): Promise<boolean | undefined> => {
  const [, of, pid, start] = /^(.*)-(\d+)-(\d+)$/.exec(folder) ?? []
  if (pid === undefined || start === undefined) return undefined
  // Older versions wrote the host name only.
  const isHere = of === host || of === (await neighbourhood())
  return isHere ? isRunning(Number(pid), start) : now_ms - (await touchedAt(join(scratch, folder))) <= unseen_ms
}

const removeIfDead = (scratch: string, folder: string, now_ms: number): Effect.Effect<void> =>
  Effect.tryPromise(async () => {
    if ((await isAlive(scratch, folder, now_ms)) !== false) return
    await rm(join(scratch, folder), { recursive: true, force: true })
  }).pipe(Effect.ignore)

/**
 * Touches this process's folder, and removes what dead processes have left: of this host at once, of others when nobody
 * has touched it for a quarter of an hour. What cannot be removed now is tried again the next time.
 */
export const sweepScratch = Effect.fnUntraced(
  function* (scratch: string) {
    const now_ms = yield* touchOwnFolder(scratch).pipe(
      // A touch that goes on after the end would make the folder again that `leaveScratch` has removed.
      Effect.uninterruptible,
      // A full disk is a reason to sweep; without the time, the folders of other hosts stay.
      Effect.orElseSucceed(() => Number.NEGATIVE_INFINITY)
    )
    const folders = yield* Effect.tryPromise(() => readdir(scratch))
    yield* Effect.forEach(folders, (folder) => removeIfDead(scratch, folder, now_ms), { discard: true })
  },
  (swept) => Effect.ignore(swept)
)

/** Removes this process's folder, and the scratch folder if nobody else has one in it: at the end, when no work runs. */
export const leaveScratch = (scratch: string): Effect.Effect<void> =>
  Effect.tryPromise(async () => {
    // Without force: a folder that still holds something is left for the next sweep.
    await rmdir(join(scratch, await ownFolder()))
    await rmdir(scratch)
  }).pipe(Effect.ignore)

/** A folder for one work; it goes with the scope. */
export const workFolder = (scratch: string, name: string): Effect.Effect<string, EncodeFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const folder = join(scratch, yield* Effect.promise(ownFolder), name.replace(/[^A-Za-z0-9_-]/g, "_"))
      yield* Effect.mapError(makeFolder(folder), ({ cause }) => machineFailed("no scratch folder")(cause))
      return folder
    }),
    (folder) => Effect.tryPromise(() => rm(folder, { recursive: true, force: true })).pipe(Effect.ignore)
  )
