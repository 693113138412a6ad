import { PgAdapters } from "@loopbox/adapters-postgres"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { nextSyncId } from "@loopbox/core/kernel/Ids"
import { noon } from "@loopbox/testing/fixtures/activities"
import { makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Queue, Stream } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { testDatabase } from "../testDatabase.ts"

describe("what processes tell each other", () => {
  // The clock stands still, so that only the first word goes out to others.
  it.effect("is heard at once in the process that tells it", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const stores = Layer.fresh(PgAdapters.layerTarget(target, { migrate: false }))
      yield* Effect.gen(function* () {
        const events = yield* InboxEvents
        const heard = yield* Queue.unbounded<string>()
        yield* events.changes.pipe(
          Stream.runForEach((workspaceId) => Queue.offer(heard, workspaceId)),
          Effect.forkScoped
        )
        const syncId = yield* nextSyncId(yield* SecureRandom.SecureRandom)
        const publish = Effect.fnUntraced(function* () {
          const { id } = yield* makeInboxWorkspace()
          yield* events.publish(
            id,
            [{ _tag: "SyncCompleted", externalUserId: Option.none(), syncId, newItems: 0 }],
            noon
          )
          return id
        })
        const until = (id: string) =>
          Queue.take(heard).pipe(Effect.repeat({ while: (workspaceId) => workspaceId !== id }))
        // The listener may still be connecting: tell until it has heard.
        yield* publish().pipe(Effect.forever, Effect.raceFirst(Queue.take(heard)))
        for (let word = 0; word < 5; word++) yield* until(yield* publish())
      }).pipe(Effect.provide(stores))
    }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
  )
})
