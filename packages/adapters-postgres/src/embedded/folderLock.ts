import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { isAlive } from "./account.ts"
import { programEnvironment } from "./cluster.ts"
import { EmbeddedPostgresError, failed, fromCause } from "./EmbeddedPostgresError.ts"

/**
 * The lock of a database's folder.
 *
 * PostgreSQL's own lock is a file with a process id, which says nothing in another container: there the id is nobody's,
 * or somebody else's. This one is the kernel's (flock): it belongs to the open file, which the server's processes
 * inherit, so it ends with the last of them, however they end, and in no other way.
 */
export interface FolderLock {
  readonly root: string
  /** Of the open file, for the server to inherit. */
  readonly descriptor: number
  /** False where the system has no locks: then only process ids keep two apart. */
  readonly isKernels: boolean
}

/** The process that has the folder, as it wrote it down. */
const holderFile = (root: string): string => path.join(root, "holder")

/** What process ids mean here: nothing anywhere else. */
const idsOfHere = (): string => {
  const namespace = Result.try(() => fs.readlinkSync("/proc/self/ns/pid"))
  return `${os.hostname()} ${Result.getOrElse(namespace, () => "")}`.trim()
}

interface Holder {
  readonly pid: number
  readonly ids: string
}

const readHolder = (root: string): Holder | undefined => {
  const lines = Result.getOrElse(
    Result.try(() => fs.readFileSync(holderFile(root), "utf8").split("\n")),
    () => []
  )
  const pid = Number(lines[0] ?? "")
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  // 0.1.0 wrote the first line only.
  return { pid, ids: lines[1]?.trim() || idsOfHere() }
}

const isHere = ({ ids }: Holder): boolean => ids === idsOfHere()

/** Writes down who has the folder: that is for those who are refused, so a disk that is full keeps nobody from it. */
export const noteHolder = ({ root }: FolderLock): Effect.Effect<void> =>
  Effect.ignore(Effect.try(() => fs.writeFileSync(holderFile(root), `${process.pid}\n${idsOfHere()}\n`)))

export const forgetHolder = ({ root }: FolderLock): Effect.Effect<void> =>
  Effect.ignore(
    Effect.try(() => {
      const holder = readHolder(root)
      if (holder?.pid === process.pid && isHere(holder)) fs.rmSync(holderFile(root), { force: true })
    })
  )

/** The refusal of a folder that a living process has; absent where that one is dead, or unknown. */
export const refusalOf = (
  root: string,
  options: { readonly mayBeOurs: boolean }
): EmbeddedPostgresError | undefined => {
  const holder = readHolder(root)
  if (holder === undefined || !isHere(holder) || !isAlive(holder.pid)) return undefined
  if (holder.pid === process.pid && options.mayBeOurs) return undefined
  return new EmbeddedPostgresError({
    reason: "InUse",
    holderPid: holder.pid,
    message:
      holder.pid === process.pid
        ? `The database in ${root} is open in this process already. Use what opened it, or choose another data folder.`
        : `The database in ${root} is in use by process ${holder.pid}. Stop that one, or choose another data folder.`
  })
}

const heldElsewhere = (root: string, holder: Holder | undefined): EmbeddedPostgresError => {
  const by = holder === undefined ? "" : ` (process ${holder.pid} of ${holder.ids.split(" ")[0]})`
  return failed(
    "InUse",
    `The database in ${root} is in use by a process of another container or machine${by}. ` +
      "Stop that one first: the embedded database takes one host at a time."
  )
}

type Outcome =
  | { readonly _tag: "Locked" }
  | { readonly _tag: "Taken" }
  | { readonly _tag: "NoLocks"; readonly why: string }

/** `flock` locks the open file that it is given and ends; the lock stays, for it is the file's. */
const tryLock = (descriptor: number): Outcome => {
  const { error, status, stderr } = spawnSync("flock", ["-x", "-n", "3"], {
    cwd: "/",
    env: programEnvironment,
    stdio: ["ignore", "ignore", "pipe", descriptor],
    encoding: "utf8",
    timeout: 10_000
  })
  if (status === 0) return { _tag: "Locked" }
  if (status === 1 && stderr.trim() === "") return { _tag: "Taken" }
  return { _tag: "NoLocks", why: error?.message ?? stderr.trim() }
}

/**
 * A killed host's server ends in a fifth of a second, its last checkpoint may take longer. Of another container nobody
 * here knows whether it ends, so its folder is not waited for as long.
 */
const patience = { elsewhere: "5 seconds", ending: "60 seconds" } as const

const lock = Effect.fnUntraced(function* (root: string, descriptor: number) {
  const attempt = Effect.suspend(() => {
    const outcome = tryLock(descriptor)
    const refusal = outcome._tag === "Taken" ? refusalOf(root, { mayBeOurs: false }) : undefined
    return refusal === undefined ? Effect.succeed(outcome) : Effect.fail(refusal)
  })
  const attempts = attempt.pipe(
    Effect.repeat({ until: ({ _tag }) => _tag !== "Taken", schedule: Schedule.spaced("50 millis") })
  )
  const outcome = yield* Effect.timeoutOrElse(attempts, {
    duration: patience.elsewhere,
    orElse: () => {
      const holder = readHolder(root)
      if (holder === undefined || !isHere(holder)) return Effect.fail(heldElsewhere(root, holder))
      return Effect.timeoutOrElse(attempts, {
        duration: patience.ending,
        orElse: () => Effect.fail(failed("InUse", `A server that was killed still holds the database in ${root}.`))
      })
    }
  })
  if (outcome._tag !== "NoLocks") return true
  const holder = readHolder(root)
  if (holder !== undefined && !isHere(holder)) {
    return yield* failed(
      "InUse",
      `The database in ${root} was last opened by process ${holder.pid} of ${holder.ids.split(" ")[0]}, and this ` +
        `system cannot tell whether it still is (${outcome.why}). If it is gone for sure, remove ${holderFile(root)}.`
    )
  }
  // Systems without the program have no containers either; where there are some, somebody should know.
  if (process.platform === "linux") {
    yield* Effect.logWarning("the database's folder cannot be locked: never give it to two containers", outcome.why)
  }
  return false
})

/** Takes a folder's lock until the scope closes; what a killed server still holds is waited for. */
export const lockFolder = Effect.fnUntraced(function* (
  root: string
): Effect.fn.Return<FolderLock, EmbeddedPostgresError, Scope.Scope> {
  const descriptor = yield* Effect.acquireRelease(
    Effect.try({
      try: () => fs.openSync(path.join(root, "lock"), fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600),
      catch: fromCause("Unreachable", `The database's folder ${root} can't be written`)
    }),
    (opened) => Effect.sync(() => fs.closeSync(opened))
  )
  return { root, descriptor, isKernels: yield* lock(root, descriptor) }
})
