import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Result from "effect/Result"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import { Socket } from "node:net"
import * as path from "node:path"
import { isAlive } from "./account.ts"
import { type Cluster, programEnvironment } from "./cluster.ts"
import { type EmbeddedPostgresError, failed, fromCause } from "./EmbeddedPostgresError.ts"
import { type FolderLock, forgetHolder, noteHolder, refusalOf } from "./folderLock.ts"
import { logTail, openLog } from "./places.ts"

/** A server that was ready; it may have ended since. */
export interface Server {
  readonly exited: Effect.Effect<void>
  /** Ends it in order; what is committed stays. */
  readonly stop: Effect.Effect<void>
  readonly lastLines: () => string
}

/** Nothing of a customer goes to the log: no statement, no parameter, no detail of a violated key. */
const settings = (cluster: Cluster): Readonly<Record<string, string>> => ({
  listen_addresses: "",
  unix_socket_directories: cluster.socketFolder,
  unix_socket_permissions: "0700",
  max_connections: "50",
  shared_buffers: "64MB",
  max_parallel_workers_per_gather: "0",
  jit: "off",
  log_checkpoints: "off",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_parameter_max_length_on_error: "0",
  log_timezone: "UTC",
  timezone: "UTC"
})

/**
 * Runs the server and ends it when our end of descriptor 3 closes, which also happens when we are killed with -9.
 * Its exit code is the server's.
 */
const leash =
  '"$@" 3<&- </dev/null & p=$!; (read _; kill -INT $p 2>/dev/null) <&3 & c=$!; wait $p; s=$?; kill $c 2>/dev/null; exit $s'

/** The lines of a file that others make and remove; none when it is not there. */
const readLines = (file: string): ReadonlyArray<string> =>
  Result.getOrElse(
    Result.try(() => fs.readFileSync(file, "utf8").split("\n")),
    () => []
  )

/** The process id that stands in a file's first line. */
const readPid = (file: string): number | undefined => {
  const pid = Number(readLines(file)[0] ?? "")
  return Number.isInteger(pid) && pid > 0 ? pid : undefined
}

interface Postmaster {
  /** Process, start and place of the server that wrote the file: another one for each start. */
  readonly start: string
  readonly isReady: boolean
}

/** What the server says of itself in postmaster.pid; line 8 is its state, which pg_ctl waits for, too. */
const readPostmaster = (cluster: Cluster): Postmaster => {
  const lines = readLines(path.join(cluster.data, "postmaster.pid"))
  return { start: lines.slice(0, 7).join("\n"), isReady: lines[7]?.trim() === "ready" }
}

/** Is the process of this id a PostgreSQL server? In a container, ids are few and used again. */
const isPostgres = (pid: number): boolean => {
  const name = Result.try(() =>
    fs.existsSync("/proc/self/comm")
      ? fs.readFileSync(`/proc/${pid}/comm`, "utf8")
      : execFileSync("ps", ["-p", String(pid), "-o", "comm="], { encoding: "utf8" })
  )
  // One that can't be looked at may be.
  return Result.isSuccess(name) ? /postgres|postmaster/.test(name.success) : isAlive(pid)
}

/** The file that kept a server from starting: the log says no more than its name. */
const findLock = (cluster: Cluster, tail: string): string | undefined => {
  const file = /lock file "(.*)" already exists/.exec(tail)?.[1]
  return file === undefined ? undefined : path.resolve(cluster.data, file)
}

interface StartOptions {
  readonly lock: FolderLock
  /** Whether this process had the server before and found it dead. */
  readonly isRestart: boolean
}

/** Fails with what stays true; succeeds where another try may go well. */
const judge = (
  cluster: Cluster,
  tail: string,
  { isRestart }: Pick<StartOptions, "isRestart">
): Effect.Effect<void, EmbeddedPostgresError> => {
  // What a server that was killed has left ends by itself.
  if (tail.includes("shared memory block")) return Effect.void
  const lock = findLock(cluster, tail)
  if (lock === undefined) return Effect.fail(failed("Failed", `The database server did not start: ${tail}`))
  const pid = readPid(lock)
  if (pid === undefined) return Effect.void
  if (!isPostgres(pid)) {
    // Left by a server that was killed; another program has its id now, which PostgreSQL can't know. That it is no
    // server of another container is what the folder's lock says.
    return Effect.sync(() => fs.rmSync(lock, { force: true }))
  }
  // A holder that is dead leaves a server that is just ending; so do we ourselves when ours has died.
  const refusal = refusalOf(cluster.root, { mayBeOurs: isRestart })
  return refusal === undefined ? Effect.void : Effect.fail(refusal)
}

const launch = (cluster: Cluster, extra: Readonly<Record<string, string>>, lock: FolderLock) => {
  // A log that can't be written, on a full disk for instance, keeps nobody from the database.
  const log = Result.getOrUndefined(Result.try(() => openLog(cluster.root)))
  const output = log?.descriptor ?? "ignore"
  const all = Object.entries({ ...settings(cluster), ...extra }).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const program = path.join(cluster.binaries.folder, "bin", "postgres")
  const child = spawn("/bin/sh", ["-c", leash, "sh", program, "-D", cluster.data, ...all], {
    ...cluster.account,
    cwd: "/",
    env: programEnvironment,
    stdio: ["ignore", output, output, "pipe", lock.descriptor],
    detached: true
  })
  if (log !== undefined) fs.closeSync(log.descriptor)
  return { child, lastLines: () => (log === undefined ? "its log cannot be written" : logTail(log.file, log.start)) }
}

const releaseLeash = (child: ChildProcess): void => {
  const pipe = child.stdio[3]
  if (pipe instanceof Socket) pipe.destroy()
}

/** How long a server may take: for recovery after a crash at the start, for its last checkpoint at the end. */
const patience = { start: "120 seconds", stop: "30 seconds" } as const

type Launched = { readonly _tag: "Ready"; readonly server: Server } | { readonly _tag: "Ended"; readonly tail: string }

const tryStart = Effect.fnUntraced(function* (
  cluster: Cluster,
  extra: Readonly<Record<string, string>>,
  lock: FolderLock
) {
  const before = readPostmaster(cluster).start
  const { child, lastLines } = yield* Effect.try({
    try: () => launch(cluster, extra, lock),
    catch: fromCause("Failed", "The database server can't be run")
  })
  const exit = Deferred.makeUnsafe<void>()
  const isDone = () => Deferred.doneUnsafe(exit, Effect.void)
  child.on("exit", isDone)
  child.on("error", isDone)
  const exited = Deferred.await(exit)
  const stop = Effect.sync(() => releaseLeash(child)).pipe(
    Effect.andThen(exited),
    Effect.timeoutOrElse({
      duration: patience.stop,
      orElse: () => Effect.sync(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"))
    }),
    Effect.andThen(forgetHolder(lock))
  )
  // One that was killed may have left its file, which says that it is ready.
  const isReady = Effect.sync(() => {
    const postmaster = readPostmaster(cluster)
    return postmaster.isReady && postmaster.start !== before
  })
  const becomesReady = isReady.pipe(
    Effect.repeat({ until: (ready) => ready, schedule: Schedule.spaced("10 millis") }),
    Effect.as(true)
  )
  const isUp = yield* Effect.raceFirst(becomesReady, Effect.as(exited, false)).pipe(
    Effect.timeoutOrElse({
      duration: patience.start,
      orElse: () => Effect.fail(failed("Failed", `The database server was not ready in time: ${lastLines()}`))
    }),
    Effect.onError(() => stop)
  )
  const outcome: Launched = isUp
    ? { _tag: "Ready", server: { exited, stop, lastLines } }
    : { _tag: "Ended", tail: lastLines() }
  return outcome
})

/** Starts the server of a cluster; what a killed one has left is waited for, a running one is refused. */
export const startServer = (
  cluster: Cluster,
  extra: Readonly<Record<string, string>>,
  options: StartOptions
): Effect.Effect<Server, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    while (true) {
      const launched = yield* tryStart(cluster, extra, options.lock)
      if (launched._tag === "Ready") {
        yield* noteHolder(options.lock)
        return launched.server
      }
      yield* judge(cluster, launched.tail, options)
      yield* Effect.sleep("50 millis")
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: patience.start,
      orElse: () =>
        Effect.fail(failed("InUse", `A server that was killed still holds the database in ${cluster.root}.`))
    })
  )
