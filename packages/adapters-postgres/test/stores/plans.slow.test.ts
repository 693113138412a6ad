import { PgAdapters } from "@loopbox/adapters-postgres"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import { MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { byLimits, claimAt, conversion } from "@loopbox/testing/fixtures/storeFixtures"
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import { findCostly, oneConnection } from "./rowsRead.ts"
import { testDatabase } from "../testDatabase.ts"
import { runAll, withoutIndexes } from "./withoutIndexes.ts"

/** Half of the rows belong to one workspace, the others to a thousand. */
const rows = 1_000_000
const now = DateTime.makeUnsafe("2026-06-01T00:00:00.000Z")
const id = (prefix: string, n: number) => `${prefix}_0${n.toString(16).padStart(25, "0")}`
const big = WorkspaceId.make(id("ws", 0))

const sqlId = (prefix: string, n: string) => `'${prefix}_0' || lpad(to_hex(${n}), 25, '0')`
const workspaceOf = sqlId("ws", "CASE WHEN n % 2 = 0 THEN 0 ELSE 1 + n / 2 % 1000 END")
const createdAt = `timestamptz '2026-06-01Z' - make_interval(secs => ${rows}::int - n) * 43`

const workspaces = `INSERT INTO workspaces SELECT ${sqlId("ws", "n")}, 'w', 'enterprise', 100000, 100000, ${createdAt}
     FROM generate_series(0, 1000) n`

/** Jobs and media as after a year and a half: of the newest thousand some wait and run, some have failed. */
const media = `INSERT INTO media (workspace_id, id, status, source, content_type, blob_key, size_bytes, sha256, keep_until,
       created_at, deleted_at, bytes_removed_at)
     SELECT ${workspaceOf}, ${sqlId("med", "n")}, 'ready', 'upload', 'image/gif', ${workspaceOf} || '/' || n, 1000, 'ab',
       ${createdAt} + CASE WHEN n < 500 THEN interval '1 day' ELSE interval '1000 days' END, ${createdAt},
       CASE WHEN n % 10 = 3 THEN ${createdAt} END,
       CASE WHEN n % 10 = 3 AND n > 2000 THEN timestamptz '2026-05-31Z' END
     FROM generate_series(1, ${rows}) n`

const jobs = `INSERT INTO media_jobs (workspace_id, id, kind, status, input_media_id, background_color, idempotency_key,
       output_media_id, progress, attempts, created_at, started_at, completed_at, failure_code, failure_message,
       failure_retryable, claimable_at)
     SELECT ${workspaceOf}, ${sqlId("mpj", "n")}, 'gif_to_mp4', status, ${sqlId("med", "n")}, '#FFFFFF', 'key-' || n,
       CASE status WHEN 'succeeded' THEN ${sqlId("med", "n")} END, CASE status WHEN 'queued' THEN NULL ELSE 0.5 END, 1,
       ${createdAt}, CASE status WHEN 'queued' THEN NULL ELSE ${createdAt} END,
       CASE WHEN status IN ('succeeded', 'failed') THEN ${createdAt} END,
       CASE status WHEN 'failed' THEN 'gif_decode_failed' END, CASE status WHEN 'failed' THEN 'm' END,
       CASE status WHEN 'failed' THEN false END, CASE WHEN status IN ('queued', 'processing') THEN ${createdAt} END
     FROM (SELECT n, CASE WHEN n > ${rows} - 1000 AND n % 3 = 0 THEN 'queued' WHEN n > ${rows} - 1000 AND n % 5 = 0
       THEN 'processing' WHEN n % 100000 = 0 THEN 'failed' ELSE 'succeeded' END AS status
       FROM generate_series(1, ${rows}) n) s`

const fill = runAll([workspaces]).pipe(
  Effect.andThen(withoutIndexes("media", runAll([media]))),
  Effect.andThen(withoutIndexes("media_jobs", runAll([jobs]))),
  Effect.andThen(runAll(["ANALYZE workspaces", "ANALYZE media", "ANALYZE media_jobs"]))
)

class Filled extends Context.Service<Filled, PgAdapters.Target>()("test/Filled") {}

const filled = Layer.effect(
  Filled,
  Effect.gen(function* () {
    const target = yield* testDatabase()
    yield* PgAdapters.withLongRunningClient(target, {}, fill)
    return target
  })
)

const page = { limit: 50, after: Option.none() }
const deep = { limit: 50, after: Option.some({ createdAt: DateTime.subtract(now, { days: 200 }), id: "z" }) }

/** Every statement that must cost the same however many rows there are. */
const calls = Effect.fnUntraced(function* (plans: string) {
  const [jobs, media, retention] = [yield* ConversionStore, yield* MediaStore, yield* RetentionStore]
  const workspaces = yield* Workspaces
  const input = { id: MediaId.make(id("med", rows - 2)), workspaceId: big }
  return {
    claim: claimAt(now),
    submit: Effect.flatMap(conversion(input, now, `new-${plans}`), (made) => jobs.submit(made, byLimits(now))),
    "submit without a key": Effect.flatMap(conversion(input, now), (made) => jobs.submit(made, byLimits(now))),
    "find by key": jobs.findByKey(big, IdempotencyKey.make("key-100")),
    "list all": jobs.list(big, Option.none(), page),
    "list all, deep": jobs.list(big, Option.none(), deep),
    "list the few failed": jobs.list(big, Option.some("failed"), page),
    "list succeeded, deep": jobs.list(big, Option.some("succeeded"), deep),
    depth: jobs.depth,
    "list media": media.list(big, page),
    "list media, deep": media.list(big, deep),
    "find linked": media.findLinked(input.id),
    "list workspaces": workspaces.list(page),
    expire: retention.expire(DateTime.subtract(now, { days: 300 }), 20),
    "list removable": retention.listRemovable(50),
    "confirm removed": Effect.flatMap(retention.listRemovable(50), retention.confirmRemoved),
    "find orphans": retention.findOrphans(Array.from({ length: 50 }, (_, n) => `${big}/${n}`)),
    "purge rows": retention.purgeRows(now, 20)
  }
})

layer(filled, { excludeTestServices: true, timeout: "8 minutes" })("With a million jobs and media", (it) => {
  for (const plans of ["force_generic_plan", "force_custom_plan"]) {
    it.effect(`every hot statement reads by an index, and little (${plans})`, () =>
      Effect.gen(function* () {
        const target = yield* Filled
        const found = yield* Effect.flatMap(calls(plans), (made) =>
          findCostly<SecureRandom.SecureRandom | ConversionStore>(["media", "media_jobs"], made)
        ).pipe(Effect.provide(oneConnection(target, plans)))
        assert.deepStrictEqual(found, [])
      })
    )
  }
})
