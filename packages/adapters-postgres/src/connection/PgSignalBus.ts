import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { SqlClient } from "effect/sql/SqlClient"
import type { SignalBus } from "@loopbox/core/kernel/SignalBus"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import type { Primary } from "./Primary.ts"
import type { Target } from "./Target.ts"

/** One channel for all that this product tells: each LISTEN costs a connection. */
export const channel = "loopbox"

/** Where and how the connection that listens is made. */
export class Listener extends Context.Service<
  Listener,
  {
    readonly primary: Primary
    /** Its name in `pg_stat_activity` is one that no other connection has: processes are counted by it. */
    readonly session: Omit<PgConnection.Config, keyof Target> & { readonly applicationName: string }
  }
>()("@loopbox/adapters-postgres/connection/PgSignalBus/Listener") {}

const away = (operation: string) => (cause: unknown) => new StoreUnavailable({ operation, committed: "unknown", cause })

/** Words over NOTIFY, and one connection that listens. */
export const makePgSignalBus = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { primary, session } = yield* Listener
  const bus: SignalBus = {
    tell: (words) =>
      Effect.mapError(sql`SELECT pg_notify(${channel}, p) FROM unnest(${words}::text[]) p`, away("signals.tell")),
    listen: ({ ready, word }) =>
      Effect.gen(function* () {
        const target = yield* primary.current
        const connection = yield* PgConnection.make({ ...session, ...target })
        const notifications = yield* connection.listen(channel)
        yield* ready
        const hearing = Queue.take(notifications).pipe(
          Effect.flatMap(({ payload }) => word(payload)),
          Effect.forever
        )
        // A server that is gone without a word closes no connection; the loop connects to the one that took its place.
        yield* Effect.raceFirst(hearing, primary.replaced(target))
        return yield* away("signals.listen")(new Error("the primary was replaced"))
      }).pipe(
        Effect.scoped,
        Effect.mapError((cause) => (cause._tag === "StoreUnavailable" ? cause : away("signals.listen")(cause)))
      ),
    listeners: sql<{ readonly listeners: number }>`
      SELECT count(*)::int AS listeners FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ${session.applicationName}
    `.pipe(
      Effect.map((rows) => rows[0]?.listeners ?? 0),
      Effect.mapError(away("signals.listeners"))
    )
  }
  return bus
})
