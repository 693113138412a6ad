import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { noThreadFilter, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, inboxEpoch, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { networks, sources } from "@loopbox/testing/fixtures/networks"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { claimAt, makeQueued } from "@loopbox/testing/fixtures/storeFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { testDatabase } from "../testDatabase.ts"
import { oneConnection } from "./rowsRead.ts"

/** PostgreSQL plans a statement anew for the values of each of its first five calls, and then decides. */
const calls = 12

const Planned = Schema.Array(Schema.Struct({ statement: Schema.String }))

/** Statements of this connection that each call plans anew, of those that name their workspace. */
const findPlannedAnew = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT statement FROM pg_prepared_statements
    WHERE generic_plans = 0 AND custom_plans >= ${calls}::bigint AND statement NOT LIKE '%/* all workspaces:%'`
  return (yield* Schema.decodeUnknownEffect(Planned)(rows)).map(({ statement }) => statement)
})

const repeated = <E, R>(call: (n: number) => Effect.Effect<unknown, E, R>) =>
  Effect.forEach(
    Array.from({ length: calls }, (_, n) => n),
    call,
    { discard: true }
  )

const layerOne = Layer.unwrap(Effect.map(testDatabase("alone"), (target) => oneConnection(target, "auto")))

layer(layerOne, { excludeTestServices: true })("A statement is planned once, and not by each call:", (it) => {
  it.effect("those of an ingest, and of a page of threads", () =>
    Effect.gen(function* () {
      const [threads, sql] = [yield* ThreadStore, yield* SqlClient.SqlClient]
      const now = yield* inboxEpoch
      const { id: workspaceId } = yield* makeInboxWorkspace(now)
      const account = yield* connect(workspaceId, { at: now })
      const nameless = { name: Option.none<string>(), username: Option.none<string>() }
      const one = (n: number) => posted({ externalId: `e${n}`, threadKey: `t${n % 40}`, author: nameless })
      yield* ingest(
        account,
        Array.from({ length: 400 }, (_, n) => one(n)),
        { now }
      )
      yield* sql`ANALYZE`
      yield* repeated((n) => ingest(account, [one(1_000 + n)], { now }))
      const scope = { scope: new WorkspaceScope({ workspaceId }), sources: new Set(sources) }
      yield* repeated(() => threads.list(scope, { ...noThreadFilter, limit: 25, after: Option.none() }))
      assert.deepStrictEqual(yield* findPlannedAnew, [])
    })
  )

  it.effect("those that take what is due", () =>
    Effect.gen(function* () {
      const [polls, replies, posts] = [yield* PollStore, yield* OutboundStore, yield* PostStore]
      const [profiles, health, sql] = [yield* AuthorProfiles, yield* AccountHealthStore, yield* SqlClient.SqlClient]
      const now = yield* inboxEpoch
      const { id: workspaceId } = yield* makeInboxWorkspace(now)
      const due = DateTime.add(now, { days: 2 })
      yield* Effect.forEach(
        Array.from({ length: calls * 3 }, (_, n) => n),
        Effect.fnUntraced(function* (n) {
          const account = yield* connect(workspaceId, { networkAccountId: `page ${n}`, at: now })
          const author = { id: Option.some(`p${n}`), username: Option.none<string>(), name: Option.none<string>() }
          yield* ingest(account, [posted({ externalId: `x${n}`, threadKey: `x${n}`, author })], { now })
          yield* makeQueued(workspaceId, now)
          const operation = yield* makeOperation(account, now, { key: `key-${n}` })
          yield* replies.submit(operation, () => Result.succeed(operation))
          const post = yield* makeKeptPost(workspaceId, [account], now, { key: `key-${n}` })
          yield* posts.submit({ workspaceId, idempotencyKey: post.post.idempotencyKey }, () => Result.succeed(post))
        }),
        { discard: true }
      )
      yield* sql`ANALYZE`
      const lease = { now: due, leaseNow: due, leaseUntil: DateTime.add(due, { hours: 1 }), limit: 2 }
      yield* repeated(
        Effect.fnUntraced(function* (n) {
          const request = { ...lease, token: `token ${n}` }
          yield* claimAt(due)
          const taken = [
            yield* polls.claim({ ...request, network: "instagram", isAutomatic: true }),
            yield* replies.claim({ ...request, sources }),
            yield* posts.claim({ ...request, networks }),
            yield* profiles.claim(request),
            yield* health.claim(request)
          ]
          assert.deepStrictEqual(
            taken.map(({ length }) => length),
            [2, 2, 2, 2, 2]
          )
        })
      )
      assert.deepStrictEqual(yield* findPlannedAnew, [])
    })
  )
})
