import { PgAdapters } from "@loopbox/adapters-postgres"
import { AccessChanges } from "@loopbox/core/access/AccessChanges"
import { Members } from "@loopbox/core/workspaces/Members"
import { makeWorkspace } from "@loopbox/testing/fixtures/storeFixtures"
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Fiber, Layer, Option, Stream } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import { testDatabase } from "../../testDatabase.ts"

describe("AccessChanges over PostgreSQL", () => {
  it.live("tells the other processes of a database", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const [here, there] = yield* Effect.forEach([1, 2], () =>
        Layer.build(Layer.fresh(PgAdapters.layerTarget(target, { migrate: false })))
      )
      if (here === undefined || there === undefined) return assert.fail()
      const { id } = yield* makeWorkspace("free", DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")).pipe(
        Effect.provideContext(here)
      )
      const told = yield* Context.get(there, AccessChanges).changes.pipe(
        Stream.filter(Option.contains(id)),
        Stream.runHead,
        Effect.forkChild
      )
      // The listener may still be connecting: change until it has heard.
      yield* Context.get(here, Members)
        .set(id, "ann", "owner")
        .pipe(Effect.andThen(Effect.sleep("10 millis")), Effect.forever, Effect.raceFirst(Fiber.join(told)))
    }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
  )

  it.live("says that any may have changed once the connection is back", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const stores = yield* Layer.build(PgAdapters.layerTarget(target, { migrate: false }))
      const told = yield* Context.get(stores, AccessChanges).changes.pipe(
        Stream.filter(Option.isNone),
        Stream.runHead,
        Effect.forkChild({ startImmediately: true })
      )
      const sql = Context.get(stores, SqlClient)
      const cut = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query ~ '^LISTEN' AND pid <> pg_backend_pid()`
      yield* cut.pipe(Effect.andThen(Effect.sleep("50 millis")), Effect.forever, Effect.raceFirst(Fiber.join(told)))
    }).pipe(Effect.scoped)
  )
})
