import { mkdir, readdir, readFile, rm } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { EncodeFailed } from "@loopbox/core/conversions/GifEncoder"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"

/** The folders under the scratch folder: one for each process, named host, pid and start; in it one for each work. */

const machineFailed = (what: string) => (cause: unknown) =>
  new EncodeFailed({ reason: "MachineFailed", detail: `${what}: ${String(cause)}` })

const safe = (name: string): string => name.replace(/[^A-Za-z0-9_.]/g, "_")

const host = safe(hostname())

/**
 * When a process began, in ticks since the machine did; undefined when there is no such process.
 *
 * With the pid it names a process for good: a pid comes again, in a container it is always 1.
 */
const startOf = (pid: number): Promise<string | undefined> =>
  readFile(`/proc/${pid}/stat`, "latin1").then(
    // The second field is the program's name in parentheses and may hold anything; the start is the 20th behind it.
    (stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19],
    () => undefined
  )

/** Without `/proc` (macOS) a pid has to do. */
const isRunning = async (pid: number, start: string): Promise<boolean> => {
  const hasProc = (await startOf(process.pid)) !== undefined
  if (hasProc) return (await startOf(pid)) === start
  return pid === process.pid || Result.isSuccess(Result.try(() => process.kill(pid, 0)))
}

/** Name of this process's folder. */
const ownFolder = async (): Promise<string> => `${host}-${process.pid}-${(await startOf(process.pid)) ?? 0}`

const removeDeadFolders = async (scratch: string): Promise<void> => {
  for (const folder of await readdir(scratch)) {
    const [, of, pid, start] = /^(.*)-(\d+)-(\d+)$/.exec(folder) ?? []
    if (of !== host || pid === undefined || start === undefined) continue
    if (!(await isRunning(Number(pid), start))) await rm(join(scratch, folder), { recursive: true, force: true })
  }
}

/** Removes what dead processes of this host have left. What cannot be removed now is tried again the next time. */
export const sweepScratch = (scratch: string): Effect.Effect<void> =>
  Effect.tryPromise(() => removeDeadFolders(scratch)).pipe(Effect.ignore)

/** A folder for one work; it goes with the scope. */
export const workFolder = (scratch: string, name: string): Effect.Effect<string, EncodeFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const folder = join(scratch, await ownFolder(), name.replace(/[^A-Za-z0-9_-]/g, "_"))
        await mkdir(folder, { recursive: true })
        return folder
      },
      catch: machineFailed("no scratch folder")
    }),
    (folder) => Effect.tryPromise(() => rm(folder, { recursive: true, force: true })).pipe(Effect.ignore)
  )
