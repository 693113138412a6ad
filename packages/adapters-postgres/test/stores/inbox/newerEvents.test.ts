import { EntitledCaller, ScopedCaller } from "@loopbox/core/access/EntitledCaller"
import { inboxPlans } from "@loopbox/core/access/InboxPlans"
import { EventFeed } from "@loopbox/core/feed/EventFeed"
import type { FeedMessage } from "@loopbox/core/feed/FeedMessage"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Queue, Stream } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { layerStores } from "../../testDatabase.ts"

const line = (message: FeedMessage) =>
  message._tag === "Delivered" ? `${message.event.seq} ${message.event.event._tag}` : `${message._tag} ${message.seq}`

/** A newer version's event, as the next of its workspace. */
const writeNovel = Effect.fnUntraced(function* (workspaceId: string, event: object) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`WITH numbered AS (
      UPDATE workspace_seq SET last = last + 1 WHERE workspace_id = ${workspaceId} RETURNING last
    )
    INSERT INTO events (workspace_id, seq, at, event)
    SELECT ${workspaceId}, last, now(), ${JSON.stringify(event)}::jsonb FROM numbered`
})

layer(EventFeed.layer.pipe(Layer.provideMerge(layerStores()), Layer.merge(SecureRandom.layerWebCrypto)), {
  excludeTestServices: true
})("an event of a newer version, in PostgreSQL (store H4, judged 12)", (it) => {
  it.effect("is passed over, and what follows it is told: live, in a replay, and where there is nothing else", () =>
    Effect.gen(function* () {
      const feed = yield* EventFeed
      const workspace = yield* makeInboxWorkspace()
      const { id } = workspace
      const caller = yield* Effect.fromResult(
        EntitledCaller.judge(ScopedCaller.embedded(workspace, Option.none()), yield* inboxPlans)
      )
      const account = yield* connect(id)
      yield* ingest(account, [posted({ externalId: "a" })])
      const heard = yield* Queue.unbounded<string>()
      const hear = Effect.fnUntraced(function* (after: Option.Option<number>) {
        const stream = yield* feed.subscribe(caller, after)
        yield* Effect.forkScoped(Stream.runForEach(stream, (message) => Queue.offer(heard, line(message))))
      })
      const next = Effect.timeout(Queue.take(heard), "60 seconds")
      yield* hear(Option.none())
      assert.strictEqual(yield* next, "Hello 1")
      yield* writeNovel(id, { _tag: "PostUpdated", accountId: account.id, post: {} })
      yield* ingest(account, [posted({ externalId: "b" })])
      assert.strictEqual(yield* next, "3 NewItem")
      yield* writeNovel(id, { _tag: "ItemDeleted", accountId: account.id, source: "novel_dm", itemId: "itm_1" })
      yield* hear(Option.some(3))
      yield* hear(Option.some(1))
      assert.deepStrictEqual([yield* next, yield* next, yield* next], ["Hello 4", "Hello 4", "3 NewItem"])
      yield* ingest(account, [posted({ externalId: "c" })])
      assert.deepStrictEqual([yield* next, yield* next, yield* next], ["5 NewItem", "5 NewItem", "5 NewItem"])
    })
  )
})
