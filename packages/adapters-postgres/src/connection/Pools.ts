import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError, SqlError, UnknownError } from "effect/sql/SqlError"
import { supervisedStream } from "@loopbox/core/kernel/lease/supervised"
import type { Primary } from "./Primary.ts"
import type { Target } from "./Target.ts"

/**
 * One pool answers requests, the other runs jobs, polls, deliveries and sweeps: work that piles up may wait for itself,
 * but no request waits for it.
 */
export type PoolName = "requests" | "workers"

export const poolNames: ReadonlyArray<PoolName> = ["requests", "workers"]

/** The pool that the statements of a fiber, and of the fibers that it forks, take their connections from. */
export const CurrentPool = Context.Reference<PoolName>("@loopbox/adapters-postgres/CurrentPool", {
  defaultValue: () => "requests"
})

/** Provided to what runs jobs. */
export const layerWorkers: Layer.Layer<never> = Layer.succeed(CurrentPool, "workers")

/** How many connections each pool has at most. */
export const PoolSizes = Context.Reference<Readonly<Record<PoolName, number>>>("@loopbox/adapters-postgres/PoolSizes", {
  defaultValue: () => ({ requests: 10, workers: 10 })
})

/** A pool at one moment. */
export interface PoolUse {
  readonly size: number
  readonly inUse: number
  /** Statements and transactions that have no connection yet. */
  readonly waiting: number
}

/** How busy the pools are. */
export class Pools extends Context.Service<Pools, { readonly use: () => Readonly<Record<PoolName, PoolUse>> }>()(
  "@loopbox/adapters-postgres/Pools"
) {}

const waits = Metric.histogram("loopbox_database_pool_wait_seconds", {
  description: "How long what found all connections of a pool taken waited for one",
  boundaries: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10]
})

/** A session as effect's client wants it; names and values go through as they are. */
class SessionConnection implements Connection {
  readonly session: PgConnection.PgConnection
  constructor(session: PgConnection.PgConnection) {
    this.session = session
  }
  execute(text: string, values: ReadonlyArray<unknown>) {
    return Effect.map(this.session.query(text, values), ({ rows }) => rows)
  }
  executeUnprepared(text: string, values: ReadonlyArray<unknown>) {
    return Effect.map(this.session.query(text, values, false), ({ rows }) => rows)
  }
  executeRaw(text: string, values: ReadonlyArray<unknown>) {
    return this.session.query(text, values)
  }
  executeStream(text: string, values: ReadonlyArray<unknown>) {
    return this.session.stream(text, values)
  }
  executeValues(text: string, values: ReadonlyArray<unknown>) {
    return this.session.queryValues(text, values)
  }
  executeValuesUnprepared(text: string, values: ReadonlyArray<unknown>) {
    return this.session.queryValues(text, values, false)
  }
}

/** Settings of PostgreSQL, by name. */
type Settings = Readonly<Record<string, string>>

/**
 * A session that a pooler lends for one transaction at a time: nothing that is set outlives the transaction, so each
 * begins with the settings that it needs.
 */
class LentConnection extends SessionConnection {
  readonly settings: Settings
  constructor(session: PgConnection.PgConnection, settings: Settings) {
    super(session)
    this.settings = settings
  }
  override execute(text: string, values: ReadonlyArray<unknown>) {
    return this.withSettings(text, super.execute(text, values))
  }
  override executeUnprepared(text: string, values: ReadonlyArray<unknown>) {
    return this.withSettings(text, super.executeUnprepared(text, values))
  }
  private withSettings<A>(text: string, self: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    if (!text.startsWith("BEGIN")) return self
    const names = Object.keys(this.settings)
    const calls = names.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
    return Effect.tap(self, () =>
      this.session.query(`SELECT ${calls.join(", ")}`, Object.entries(this.settings).flat()).pipe(
        // Whoever began takes a failure as "not begun", and would leave the transaction open.
        Effect.tapError(() => Effect.ignore(this.session.query("ROLLBACK")))
      )
    )
  }
}

const isRollback = (result: unknown): boolean =>
  typeof result === "object" && result !== null && "command" in result && result.command === "ROLLBACK"

/** PostgreSQL answers the COMMIT of a transaction that was aborted with ROLLBACK, and with no error. */
const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    isRollback(result)
      ? Effect.fail(
          new SqlError({
            reason: new UnknownError({ cause: new Error("the transaction was aborted"), operation: "commit" })
          })
        )
      : Effect.void
  )

/** What a pool is made of: where the server is, how its sessions are, and what transactions begin with. */
export interface PoolConfig {
  readonly primary: Primary
  readonly session: Omit<PgClient.PgPoolConfig, keyof Target>
  /** Settings of each transaction, where a session is lent by a pooler and keeps none of its own. */
  readonly transactionSettings?: Settings | undefined
}

/** A pool of the server that is the primary; when another takes its place, a new pool of that one. */
const makeFollowing = Effect.fnUntraced(function* ({ primary, session }: PoolConfig, size: number) {
  const scope = yield* Scope.Scope
  const open = (target: Target) =>
    Effect.gen(function* () {
      const own = yield* Scope.fork(scope)
      const pool = yield* Scope.provide(PgPool.make({ ...session, ...target, maxConnections: size }), own)
      return { target, pool, own }
    })
  let current = yield* Effect.flatMap(primary.current, open)
  const follow = Effect.fnUntraced(function* (target: Target) {
    if (target === current.target) return
    const { own } = current
    current = yield* Effect.orDie(open(target))
    // What still has a connection of the old one ends by its own time-out; nobody waits for it.
    yield* Effect.forkIn(Scope.close(own, Exit.void), scope)
  })
  if (primary.isFollowed) yield* supervisedStream("postgres.primary", primary.changes, follow)
  return () => current.pool
})

/** A pool that counts who has a connection of it and who waits for one. */
const makeCounted = Effect.fnUntraced(function* (name: PoolName, config: PoolConfig, size: number) {
  const pool = yield* makeFollowing(config, size)
  const { transactionSettings } = config
  const wrap = (session: PgConnection.PgConnection): Connection =>
    transactionSettings === undefined
      ? new SessionConnection(session)
      : new LentConnection(session, transactionSettings)
  /** A lost connection is a reason to ask who is the primary. */
  const suspecting = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    config.primary.isFollowed
      ? Effect.tapError(self, (error) =>
          isSqlError(error) && error.reason._tag === "ConnectionError" ? config.primary.suspect : Effect.void
        )
      : self
  const clock = yield* Clock.Clock
  const waited = Metric.withAttributes(waits, { pool: name })
  let inUse = 0
  let waiting = 0

  /** Counts one that waits; gives what to call once it has its connection, and what when it is done. */
  const arrive = (context: Context.Context<never>) => {
    const since = inUse + waiting >= size ? clock.monotonicTimeNanosUnsafe() : undefined
    let state: "waiting" | "using" | "gone" = "waiting"
    waiting += 1
    return {
      begin: () => {
        if (state !== "waiting") return
        state = "using"
        waiting -= 1
        inUse += 1
        if (since === undefined) return
        waited.updateUnsafe(Number(clock.monotonicTimeNanosUnsafe() - since) / 1e9, context)
      },
      end: () => {
        if (state === "using") inUse -= 1
        else if (state === "waiting") waiting -= 1
        state = "gone"
      }
    }
  }

  return {
    use: (): PoolUse => ({ size, inUse, waiting }),
    /** For one statement. */
    borrow: <A, E, R>(
      context: Context.Context<never>,
      self: (connection: Connection) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | SqlError, R> => {
      const { begin, end } = arrive(context)
      return Effect.ensuring(
        suspecting(
          pool().use((session) => {
            begin()
            return self(wrap(session))
          })
        ),
        Effect.sync(end)
      )
    },
    /** Until the scope closes. */
    lease: (
      context: Context.Context<never>,
      acquire: "get" | "reserve"
    ): Effect.Effect<Connection, SqlError, Scope.Scope> => {
      const { begin, end } = arrive(context)
      return Effect.uninterruptibleMask((restore) =>
        restore(suspecting(pool()[acquire])).pipe(
          Effect.onError(() => Effect.sync(end)),
          Effect.tap(() => {
            begin()
            // Done at once: an effect would be given a copy of the whole context to run with.
            return Effect.addFinalizer(() => {
              end()
              return Effect.void
            })
          }),
          Effect.map(wrap)
        )
      )
    }
  }
})

/** Both pools, and one client over them whose statements go to the pool of the fiber that runs them. */
const make = Effect.fnUntraced(function* (config: PoolConfig) {
  const sizes = yield* PoolSizes
  const pools = {
    requests: yield* makeCounted("requests", config, sizes.requests),
    workers: yield* makeCounted("workers", config, sizes.workers)
  }
  const lease = (acquire: "get" | "reserve") =>
    Effect.withFiber<Connection, SqlError, Scope.Scope>((fiber) =>
      pools[fiber.getRef(CurrentPool)].lease(fiber.context, acquire)
    )
  const sql = yield* SqlClient.make({
    acquirer: lease("get"),
    transactionAcquirer: lease("reserve"),
    borrower: (self) => Effect.withFiber((fiber) => pools[fiber.getRef(CurrentPool)].borrow(fiber.context, self)),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  return Context.make(SqlClient.SqlClient, sql).pipe(
    Context.add(Pools, { use: () => ({ requests: pools.requests.use(), workers: pools.workers.use() }) })
  )
})

/** A client over two pools of the sizes in force, opened as they are needed. */
export const layer = (config: PoolConfig): Layer.Layer<SqlClient.SqlClient | Pools, SqlError> =>
  Layer.effectContext(make(config)).pipe(Layer.provide(Reactivity.layer))
