import type { PgAdapters } from "@loopbox/adapters-postgres"
import type { ThreadMove } from "@loopbox/core/items/Thread"
import type { ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
import { nextThreadNoteId } from "@loopbox/core/kernel/Ids"
import { noThreadFilter, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, inboxEpoch, ingest, makeInboxWorkspace, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { moveTo } from "@loopbox/testing/fixtures/threadFixtures"
import { DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { copy, numbered, withoutStatistics } from "../copies.ts"
import { beforeStatistics } from "../beforeStatistics.ts"
import { findCostly, oneConnection } from "../rowsRead.ts"

const count = 20_000

/** Whatever reads too much of an account's 20,000 threads, each with an item and a label. */
const findCostlyThreads = (target: PgAdapters.Target, plans: string) =>
  Effect.gen(function* () {
    const [store, sql] = [yield* ThreadStore, yield* SqlClient.SqlClient]
    const at = yield* inboxEpoch
    const { id: workspaceId } = yield* makeInboxWorkspace(at)
    const account = yield* connect(workspaceId, { at })
    const scope = scopeOf(workspaceId)
    yield* withoutStatistics("items", "threads", "thread_labels", "thread_notes", "thread_recounts")
    yield* ingest(account, [posted({ externalId: "e00000", threadKey: "t00000" })], { now: at })
    const [thread] = (yield* store.list(scope, { ...noThreadFilter, limit: 1, after: Option.none() })).threads
    if (thread === undefined) return ["nothing is listed"]
    yield* store.setLabels(scope, thread.id, ["first"], at)
    const key = { thread_key: numbered("thread_key"), id: numbered("id") }
    yield* copy("items", count, { ...key, external_id: numbered("external_id") })
    yield* copy("threads", count, { ...key, last_item_id: numbered("last_item_id") })
    yield* copy("thread_labels", count, key)
    const snoozed = DateTime.add(at, { minutes: 5 })
    const move = (to: ThreadMove) => moveTo(scope, thread, to, at)
    const note: ThreadNote = {
      id: yield* nextThreadNoteId(yield* SecureRandom),
      workspaceId,
      accountId: account.id,
      threadId: thread.id,
      text: "A note",
      author: Option.none(),
      createdAt: at
    }
    const moved = yield* findCostly(["items", "threads", "thread_labels", "thread_notes"], {
      find: store.find(scope, thread.id),
      items: store.items(scope, thread.id, { order: "newest", limit: 25, after: Option.none() }),
      assign: move({ status: "assigned", assignedTo: Option.some("eve") }),
      snooze: move({ status: "open", assignedTo: undefined, snoozedUntil: Option.some(snoozed) }),
      wake: store.wakeDue(DateTime.add(at, { minutes: 10 }), 100),
      "set labels": store.setLabels(scope, thread.id, ["one", "two"], at),
      "add a note": store.addNote(scope, note),
      notes: store.notes(scope, thread.id, { limit: 25, after: Option.none() }),
      "remove a note": store.removeNote(scope, thread.id, note.id, at)
    })
    yield* sql`UPDATE threads SET snoozed_until = ${snoozed.pipe(DateTime.toDateUtc)} WHERE thread_key <= 't00100'`
    yield* sql`UPDATE threads SET is_kept = false WHERE thread_key > 't00100' AND thread_key <= 't00200'`
    yield* sql`INSERT INTO thread_recounts (workspace_id, account_id, source, thread_key)
      SELECT workspace_id, account_id, source, thread_key FROM threads WHERE thread_key > 't00200' AND thread_key <= 't00300'`
    const kept = yield* findCostly(["items", "threads", "thread_labels"], {
      "wake 100": store.wakeDue(DateTime.add(at, { minutes: 10 }), 100),
      "count 200": store.countLeft(100)
    })
    return [...moved, ...kept]
  }).pipe(Effect.provide(oneConnection(target, plans)))

beforeStatistics("20,000 threads", {
  "they, and their items, are found by their keys": findCostlyThreads
})
