import type { PgAdapters } from "@loopbox/adapters-postgres"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { noThreadFilter, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, inboxEpoch, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { sources } from "@loopbox/testing/fixtures/networks"
import { claimAt, makeOutput, makeQueued } from "@loopbox/testing/fixtures/storeFixtures"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { copy, numbered } from "./copies.ts"
import { beforeStatistics } from "./beforeStatistics.ts"
import { findCostly, oneConnection } from "./rowsRead.ts"

const waiting = 20_000

/** Whatever reads too much of one thread's 20,000 unread items. */
const findCostlyMarks = (target: PgAdapters.Target, plans: string) =>
  Effect.gen(function* () {
    const [inbox, threads, sql] = [yield* InboxStore, yield* ThreadStore, yield* SqlClient.SqlClient]
    const at = yield* inboxEpoch
    const { id: workspaceId } = yield* makeInboxWorkspace(at)
    const account = yield* connect(workspaceId, { at })
    yield* ingest(account, [posted({ externalId: "e00000", threadKey: "t" })], { now: at })
    yield* copy("items", waiting, { id: numbered("id"), external_id: numbered("external_id") })
    yield* sql`UPDATE unread_counters SET unread = ${waiting + 1} WHERE workspace_id = ${workspaceId}`
    yield* sql`UPDATE threads SET unread_count = ${waiting + 1}, item_count = ${waiting + 1} WHERE workspace_id = ${workspaceId}`
    const scope = { scope: new WorkspaceScope({ workspaceId }), sources: new Set(sources) }
    const first = { limit: 1, after: Option.none() }
    const [thread] = (yield* threads.list(scope, { ...noThreadFilter, ...first })).threads
    const [item] = (yield* inbox.list(scope, { ...noFilter, ...first })).items
    if (thread === undefined || item === undefined) return ["nothing is listed"]
    return yield* findCostly(["items", "threads"], {
      "mark one": inbox.markRead(scope, item.id, at),
      "mark 100": inbox.markBatch(scope, { upToSeq: 1_000, limit: 100, at }),
      "mark 100 of a thread": threads.markRead(scope, thread.id, 100, at),
      "ingest one": ingest(account, [posted({ externalId: "new", threadKey: "other" })], { now: at })
    })
  }).pipe(Effect.provide(oneConnection(target, plans)))

/** Whatever reads too much of 20,000 jobs of a workspace. */
const findCostlyJobs = (target: PgAdapters.Target, plans: string) =>
  Effect.gen(function* () {
    const [store, media] = [yield* ConversionStore, yield* MediaStore]
    const at = yield* inboxEpoch
    const { id: workspaceId } = yield* makeInboxWorkspace(at)
    yield* makeQueued(workspaceId, at)
    yield* copy("media", waiting, { id: numbered("id"), blob_key: "'files/' || n" })
    yield* copy("media_jobs", waiting, {
      id: numbered("id"),
      idempotency_key: "NULL",
      input_media_id: numbered("input_media_id")
    })
    const claim = Effect.flatMap(claimAt(DateTime.add(at, { minutes: 1 })), (outcome) =>
      outcome._tag === "Claimed" ? Effect.succeed(outcome.claim) : Effect.die(new Error(outcome._tag))
    )
    const held = yield* claim
    const output = yield* makeOutput(held)
    return yield* findCostly(["media", "media_jobs"], {
      claim,
      find: media.find(workspaceId, held.job.task.gifMediaId),
      succeed: store.succeed(held, output, DateTime.add(at, { minutes: 2 }))
    })
  }).pipe(Effect.provide(oneConnection(target, plans)))

beforeStatistics("20,000 rows", {
  "items that are marked are found by their keys": findCostlyMarks,
  "jobs and their files are found by their ids": findCostlyJobs
})
