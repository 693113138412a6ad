import { supervised } from "@loopbox/core/kernel/lease/supervised"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Programs } from "./binaries.ts"
import { type Cluster, findRoot, prepareCluster, superuser } from "./cluster.ts"
import { type EmbeddedPostgresError, failed, fromCause } from "./EmbeddedPostgresError.ts"
import { type FolderLock, lockFolder } from "./folderLock.ts"
import { cutLog } from "./places.ts"
import { type Server, startServer } from "./server.ts"

export interface EmbeddedOptions {
  /** Where the database lives; made when missing. */
  readonly folder: string
  /** Settings of the server, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>
  /**
   * Whose server programs: npm's, or the system's newest where npm has none for this machine; or `system` only, which
   * brings the distribution's own updates; or those of a folder with `bin/postgres`. Existing data keeps the major
   * version that made it. "npm".
   */
  readonly programs?: Programs
}

/**
 * A PostgreSQL server that belongs to this process: the real programs, data in one folder, reached through a Unix
 * socket only. It starts again by itself when it dies, and ends with its layer's scope, or with this process.
 */
export class EmbeddedPostgres extends Context.Service<
  EmbeddedPostgres,
  {
    /** Folder of the socket; give it as `host`. */
    readonly socketFolder: string
    readonly username: string
    readonly password: Redacted.Redacted
    /** A database that is always there. */
    readonly database: string
    /**
     * Where the cluster lies: the folder that was asked for, or another one where the server's account could not enter
     * it; then the user should be told.
     */
    readonly clusterFolder: string
    readonly isElsewhere: boolean
    /** Major version of the server. */
    readonly major: string
    /** Fails, with the log's last lines, once the server died too often to be started again. */
    readonly died: Effect.Effect<never, EmbeddedPostgresError>
  }
>()("@loopbox/adapters-postgres/embedded/EmbeddedPostgres") {
  static readonly layer = (options: EmbeddedOptions): Layer.Layer<EmbeddedPostgres, EmbeddedPostgresError> =>
    Layer.effect(
      EmbeddedPostgres,
      Effect.suspend(() => make(options))
    )
}

/** How a client reaches an embedded server. */
export interface EmbeddedTarget {
  readonly host: string
  readonly username: string
  readonly password: Redacted.Redacted
  readonly database: string
}

/** The target of a server that this process has. */
export const targetOf = ({
  database,
  password,
  socketFolder,
  username
}: Pick<EmbeddedPostgres["Service"], "socketFolder" | "username" | "password" | "database">) => ({
  host: socketFolder,
  username,
  password,
  database
})

/** Waiting for a process takes real time, whatever clock a test has. */
const machineClock = Clock.Clock.defaultValue()

/** Starts again so often within a minute, then no more. */
const restarts = { count: 3, withinMillis: 60_000 }

/** Starts a server again whenever it ends, until it has ended too often. */
const supervise = Effect.fnUntraced(function* (
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  lock: FolderLock,
  current: { server: Server }
) {
  const starts: Array<number> = []
  while (true) {
    yield* current.server.exited
    const tail = current.server.lastLines()
    const now = Number(machineClock.monotonicTimeNanosUnsafe() / 1_000_000n)
    while (starts[0] !== undefined && now - starts[0] > restarts.withinMillis) starts.shift()
    if (starts.length >= restarts.count) {
      return yield* failed("Failed", `The database server died ${starts.length + 1} times within a minute: ${tail}`)
    }
    starts.push(now)
    yield* Effect.logWarning("the database server died and is started again", tail)
    // One that can't be started counts as one more that died.
    yield* startServer(cluster, settings, { isRestart: true, lock }).pipe(
      Effect.tap((server) => Effect.sync(() => (current.server = server))),
      Effect.catchCause((cause) => Effect.logError("the database server does not start", cause))
    )
  }
})

/** A server on a folder whose lock this process has, kept alive until the scope closes. */
export const runServer = Effect.fnUntraced(
  function* (lock: FolderLock, options: EmbeddedOptions) {
    const settings = options.settings ?? {}
    const cluster = yield* prepareCluster(options.folder, {
      programs: options.programs ?? "npm",
      isSynced: settings["fsync"] !== "off"
    })
    const died = yield* Deferred.make<never, EmbeddedPostgresError>()
    const current = yield* Effect.acquireRelease(
      Effect.map(startServer(cluster, settings, { isRestart: false, lock }), (server) => ({ server })),
      // The socket's folder is empty then; where it is not, it stays.
      ({ server }) => Effect.andThen(server.stop, Effect.ignore(Effect.try(() => fs.rmdirSync(cluster.socketFolder)))),
      { interruptible: true }
    )
    // Ends before the server is stopped, so that the end is not taken for a death. Whatever else ends it, a host must
    // hear that nobody looks after its database any more.
    yield* supervise(cluster, settings, lock, current).pipe(
      Effect.catchTag("EmbeddedPostgresError", (error) => Deferred.fail(died, error)),
      Effect.catchDefect((defect) =>
        Deferred.fail(died, fromCause("Failed", "The database server is no longer looked after")(defect))
      ),
      Effect.forkScoped
    )
    yield* supervised("postgres.log", Effect.ignore(Effect.try(() => cutLog(cluster.root))), { every: "1 minute" })
    return EmbeddedPostgres.of({
      socketFolder: cluster.socketFolder,
      username: superuser,
      password: cluster.password,
      database: "postgres",
      clusterFolder: cluster.root,
      isElsewhere: cluster.root !== path.resolve(options.folder),
      major: cluster.binaries.major,
      died: Deferred.await(died)
    })
  },
  Effect.provideService(Clock.Clock, machineClock)
)

const make = Effect.fnUntraced(
  function* (options: EmbeddedOptions) {
    const lock = yield* Effect.flatMap(findRoot(options.folder), lockFolder)
    return yield* runServer(lock, options)
  },
  Effect.provideService(Clock.Clock, machineClock)
)
