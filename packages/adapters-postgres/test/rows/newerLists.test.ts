import { AuditStore } from "@loopbox/core/audit/AuditStore"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { ManagedUserExport } from "@loopbox/core/exporting/ManagedUserExport"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { InboxStore, type ItemQuery, noFilter } from "@loopbox/core/inbox/InboxStore"
import type { Page, PageRequest } from "@loopbox/core/kernel/Page"
import { isUnreadableRow } from "@loopbox/core/kernel/UnreadableRow"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { noThreadFilter, type ThreadQuery, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Members } from "@loopbox/core/workspaces/Members"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { posted } from "@loopbox/testing/fixtures/activities"
import {
  connect,
  inboxEpoch,
  inboxWorld,
  ingest,
  makeInboxWorkspace,
  scopeOf
} from "@loopbox/testing/fixtures/inboxFixtures"
import { addEndpoint, makeEndpoints } from "@loopbox/testing/fixtures/laneFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { makeQueued, makeWorkspace } from "@loopbox/testing/fixtures/storeFixtures"
import { syncWorld } from "@loopbox/testing/fixtures/syncFixtures"
import { assert, layer } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, Metric, Option, Result, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { isCluster } from "../awayNode.ts"
import { layerStores } from "../testDatabase.ts"

const leftOut = "loopbox_list_unreadable_rows_total"

/** All pages of a list; a list that does not end fails. */
const walk = Effect.fnUntraced(function* <A, K, E, R>(
  list: (
    after: Option.Option<K>
  ) => Effect.Effect<{ readonly items: ReadonlyArray<A>; readonly next: Option.Option<K> }, E, R>
) {
  const seen: Array<A> = []
  let after = Option.none<K>()
  for (let pages = 0; pages < 20; pages++) {
    const { items, next } = yield* list(after)
    seen.push(...items)
    if (Option.isNone(next)) return seen
    after = next
  }
  return assert.fail("the list does not end")
})

const limits = [1, 2, 3, 5, 6, 50] as const

/** Six rows, of which some are of a newer version: the first and the last, two in a row, all. Every page size gives the others. */
const spoilings: ReadonlyArray<ReadonlyArray<number>> = [[0], [5], [2, 3], [1, 3, 5], [0, 1, 2, 3, 4, 5]]

const givesTheOthers = Effect.fnUntraced(function* <A, E, R, E2, R2, E3, R3>(
  ids: ReadonlyArray<string>,
  list: (request: PageRequest) => Effect.Effect<Page<A>, E, R>,
  idOf: (item: A) => string,
  spoil: (ids: ReadonlyArray<string>) => Effect.Effect<unknown, E2, R2>,
  mend: (ids: ReadonlyArray<string>) => Effect.Effect<unknown, E3, R3>
) {
  for (const spoiling of spoilings) {
    const newer = spoiling.map((n) => ids[n] ?? "")
    yield* spoil(newer)
    for (const limit of limits) {
      const seen = yield* walk((after: PageRequest["after"]) => list({ limit, after }))
      assert.deepStrictEqual(
        seen.map(idOf),
        ids.filter((id) => !newer.includes(id)),
        `${spoiling.join()} by ${limit}`
      )
    }
    yield* mend(newer)
  }
})

/** Ids in the order of lists. */
const byNewest = (rows: ReadonlyArray<{ readonly createdAt: DateTime.Utc; readonly id: string }>) =>
  rows
    .toSorted((a, b) => b.createdAt.epochMilliseconds - a.createdAt.epochMilliseconds || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id)

/** Moments of six rows, the newest first, two of which are of one moment. */
const six = (now: DateTime.Utc) => [6, 5, 4, 4, 2, 1].map((seconds) => DateTime.add(now, { seconds }))

/** What a newer version's migrations would have done. A distributed database's shards, `…_102013`, go with their tables. */
const allowAll = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`DO $$ DECLARE c record; BEGIN
    FOR c IN SELECT conrelid::regclass AS of, conname FROM pg_constraint
      WHERE contype = 'c' AND connamespace = 'public'::regnamespace AND conislocal
        AND conrelid::regclass::text !~ '_[0-9]+$'
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.of, c.conname); END LOOP;
  END $$`
)

const isOfUnreadable = (reason: Cause.Reason<unknown>) => Cause.isDieReason(reason) && isUnreadableRow(reason.defect)

/** A distributed table has none: its shards have. */
const triggersOf = (table: string, become: "DISABLE" | "ENABLE") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    isCluster()
      ? sql`SELECT success FROM run_command_on_shards(${table}, ${`ALTER TABLE %s ${become} TRIGGER USER`})`
      : sql`ALTER TABLE ${sql(table)} ${sql.literal(become)} TRIGGER USER`
  )

layer(inboxWorld(layerStores()), { excludeTestServices: true })("a row of a newer version in a list", (it) => {
  const spoilingOf = (table: string, column: string, was: string, is = "novel") =>
    Effect.map(SqlClient.SqlClient, (sql) => {
      const set = (value: string) => (ids: ReadonlyArray<string>) =>
        sql`UPDATE ${sql(table)} SET ${sql(column)} = ${value} WHERE id = ANY(${ids}::text[])`
      return { spoil: set(is), mend: set(was) }
    })

  const accountsOf = Effect.fnUntraced(function* () {
    yield* allowAll
    const now = yield* inboxEpoch
    const { id } = yield* makeInboxWorkspace(now)
    const accounts = yield* Effect.forEach(six(now), (at, n) => connect(id, { networkAccountId: `page ${n}`, at }))
    const inOrder = accounts.toSorted(
      (a, b) => b.createdAt.epochMilliseconds - a.createdAt.epochMilliseconds || (a.id < b.id ? 1 : -1)
    )
    return { now, workspaceId: id, ids: inOrder.map((account) => account.id), accounts: inOrder }
  })

  it.effect("is left out of accounts: a status, and a network", () =>
    Effect.gen(function* () {
      const { ids, workspaceId } = yield* accountsOf()
      const accounts = yield* SocialAccounts
      const list = (request: PageRequest) => accounts.list(workspaceId, request)
      for (const [column, was, is] of [
        ["status", "connected", "novel"],
        ["network", "instagram", "Novel!"]
      ] as const) {
        const { mend, spoil } = yield* spoilingOf("social_accounts", column, was, is)
        yield* givesTheOthers(ids, list, ({ id }) => id, spoil, mend)
      }
    })
  )

  it.effect("is left out of accounts with their health", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { ids, now, workspaceId } = yield* accountsOf()
      const health = yield* AccountHealthStore
      const filter = { networks: new Set<never>(), statuses: new Set<never>(), disconnectedSince: now }
      const list = (request: PageRequest) => health.list(scopeOf(workspaceId).scope, filter, request)
      const told = (value: string) => (some: ReadonlyArray<string>) =>
        sql`UPDATE account_health SET poll_failures = ${value}::jsonb WHERE account_id = ANY(${some}::text[])`
      yield* givesTheOthers(
        ids,
        list,
        ({ account }) => account.id,
        told('[{"code": "novel", "retryAt": {"_tag": "None"}}]'),
        told("[]")
      )
    })
  )

  it.effect("is left out of posts: a warning of the post, a failure and a state of a target", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { accounts, now, workspaceId } = yield* accountsOf()
      const posts = yield* PostStore
      const two = accounts.slice(0, 2)
      const kept = yield* Effect.forEach(six(now), (at) =>
        Effect.flatMap(makeKeptPost(workspaceId, two, at), (one) =>
          posts.submit({ workspaceId, idempotencyKey: Option.none() }, () => Result.succeed(one))
        )
      )
      const ids = byNewest(kept.map(({ post }) => post))
      const list = (request: PageRequest) =>
        posts.list(scopeOf(workspaceId).scope, { status: Option.none(), accountId: Option.none() }, request)
      const warned = (value: string) => (some: ReadonlyArray<string>) =>
        sql`UPDATE posts SET post = jsonb_set(post, '{warnings}', ${value}::jsonb) WHERE id = ANY(${some}::text[])`
      yield* givesTheOthers(ids, list, ({ post }) => post.id, warned('[{"novel": 1}]'), warned("[]"))
      const state = (tag: string) => (some: ReadonlyArray<string>) =>
        sql`UPDATE post_targets SET target = jsonb_set(target, '{state,_tag}', ${JSON.stringify(tag)}::jsonb)
          WHERE post_id = ANY(${some}::text[]) AND place = 1`
      yield* givesTheOthers(ids, list, ({ post }) => post.id, state("Novel"), state("Waiting"))
      const whole = yield* list({ limit: 1, after: Option.none() })
      assert.strictEqual(whole.items[0]?.targets.length, 2)
    })
  )

  it.effect("is left out of jobs, of media and of the audit log", () =>
    Effect.gen(function* () {
      yield* allowAll
      const now = yield* inboxEpoch
      const jobs = yield* ConversionStore
      const media = yield* MediaStore
      const audit = yield* AuditStore
      const workspace = yield* makeWorkspace("team", now)
      const queued = yield* Effect.forEach(six(now), (at) => makeQueued(workspace.id, at))
      const color = yield* spoilingOf("media_jobs", "background_color", "#FFFFFF")
      const listJobs = (request: PageRequest) => jobs.list(workspace.id, Option.none(), request)
      yield* givesTheOthers(byNewest(queued), listJobs, ({ id }) => id, color.spoil, color.mend)

      const files = yield* media.list(workspace.id, { limit: 50, after: Option.none() })
      const source = yield* spoilingOf("media", "content_type", "image/gif", "model/novel")
      const listMedia = (request: PageRequest) => media.list(workspace.id, request)
      yield* givesTheOthers(byNewest(files.items), listMedia, ({ id }) => id, source.spoil, source.mend)

      const { workspaceId } = yield* accountsOf()
      const listAudit = (request: PageRequest) =>
        audit.list(workspaceId, { action: Option.none(), actorId: Option.none(), targetId: Option.none() }, request)
      const events = yield* listAudit({ limit: 50, after: Option.none() })
      // Nothing changes the log but the database's own administrator.
      yield* triggersOf("audit_events", "DISABLE")
      const action = yield* spoilingOf("audit_events", "action", "account.connected")
      yield* givesTheOthers(byNewest(events.items), listAudit, ({ id }) => id, action.spoil, action.mend)
      yield* triggersOf("audit_events", "ENABLE")
    })
  )

  it.effect("is left out of webhook endpoints", () =>
    Effect.gen(function* () {
      yield* allowAll
      const store = yield* OutgoingEndpointStore
      const { now, workspaceId } = yield* makeEndpoints()
      const endpoints = yield* Effect.forEach(six(now), (at) => addEndpoint(workspaceId, at))
      const { mend, spoil } = yield* spoilingOf("outgoing_endpoints", "status", "enabled")
      const list = (request: PageRequest) => store.list(workspaceId, request)
      yield* givesTheOthers(byNewest(endpoints), list, ({ id }) => id, spoil, mend)
    })
  )

  it.effect("is left out of the accounts that a sync asks", () =>
    Effect.gen(function* () {
      yield* allowAll
      const sql = yield* SqlClient.SqlClient
      const { add, start } = yield* syncWorld
      const newer = yield* add({ networkAccountId: "a" })
      yield* add({ networkAccountId: "b" })
      yield* sql`UPDATE social_accounts SET status = 'novel' WHERE id = ${newer.id}`
      assert.strictEqual((yield* start()).accountsChecked, 1)
    })
  )

  it.effect("is left out of the administrator's workspaces, which counts it as other lists do", () =>
    Effect.gen(function* () {
      yield* allowAll
      const workspaces = yield* Workspaces
      const ids = byNewest(yield* Effect.forEach(six(yield* inboxEpoch), (at) => makeInboxWorkspace(at)))
      const { spoil } = yield* spoilingOf("workspaces", "plan", "growth")
      const counted = Effect.map(Metric.snapshot, (all) =>
        all.flatMap((one) =>
          one.type === "Counter" && one.id === leftOut && one.attributes?.["list"] === "workspaces"
            ? [Number(one.state.count)]
            : []
        )
      )
      const newer = [ids[0] ?? "", ids[3] ?? ""]
      yield* spoil(newer)
      const [before = 0] = yield* counted
      for (const limit of [2, 50]) {
        const seen = yield* walk((after: PageRequest["after"]) => workspaces.list({ limit, after }))
        const theirs = seen.flatMap(({ id }) => (ids.includes(id) ? [id] : []))
        assert.deepStrictEqual<ReadonlyArray<string>>(
          theirs,
          ids.filter((id) => !newer.includes(id))
        )
      }
      assert.deepStrictEqual(yield* counted, [before + 2 * newer.length])
    })
  )

  it.effect("is left out of members", () =>
    Effect.gen(function* () {
      yield* allowAll
      const sql = yield* SqlClient.SqlClient
      const members = yield* Members
      const { id } = yield* makeInboxWorkspace()
      const names = ["a", "b", "c", "d", "e", "f"]
      for (const userId of names) yield* members.set(id, userId, "editor")
      const role = (value: string) => (some: ReadonlyArray<string>) =>
        sql`UPDATE members SET role = ${value} WHERE workspace_id = ${id} AND user_id = ANY(${some}::text[])`
      for (const spoiling of spoilings) {
        const newer = spoiling.map((n) => names[n] ?? "")
        yield* role("novel")(newer)
        for (const limit of limits) {
          const seen = yield* walk((after: Option.Option<string>) => members.list(id, { limit, after }))
          assert.deepStrictEqual(
            seen.map(({ userId }) => userId),
            names.filter((name) => !newer.includes(name))
          )
        }
        yield* role("editor")(newer)
      }
    })
  )

  it.effect("is left out of items and of threads: an account's status, and what a thread or an item says", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const inbox = yield* InboxStore
      const threads = yield* ThreadStore
      const { accounts, now, workspaceId } = yield* accountsOf()
      const scope = scopeOf(workspaceId)
      for (const [n, account] of accounts.entries()) {
        const receivedAt = DateTime.add(now, { minutes: 10 - n })
        yield* ingest(account, [posted({ externalId: `m${n}`, threadKey: `t${n}`, receivedAt })])
      }
      const ids = accounts.map(({ id }) => id)
      const listItems = (search: boolean) => (after: ItemQuery["after"], limit: number) =>
        Effect.map(
          inbox.list(scope, { ...noFilter, ...(search ? { isRead: Option.some(false) } : {}), limit, after }),
          ({ items, next }) => ({ items: items.map(({ accountId }) => accountId), next })
        )
      const listThreads = (after: ThreadQuery["after"], limit: number) =>
        Effect.map(threads.list(scope, { ...noThreadFilter, limit, after }), ({ next, threads: found }) => ({
          items: found.map(({ accountId }) => accountId),
          next
        }))
      const set = (statement: (some: ReadonlyArray<string>, isNewer: boolean) => Effect.Effect<unknown, unknown>) =>
        Effect.gen(function* () {
          for (const spoiling of spoilings) {
            const newer = spoiling.map((n) => ids[n] ?? "")
            const others = ids.filter((id) => !newer.includes(id))
            yield* statement(newer, true)
            for (const limit of limits) {
              const what = `${spoiling.join()} by ${limit}`
              for (const filtered of [false, true]) {
                const list = listItems(filtered)
                assert.deepStrictEqual(
                  yield* walk((after: ItemQuery["after"]) => list(after, limit)),
                  others,
                  `items ${what}`
                )
              }
              assert.deepStrictEqual(
                yield* walk((after: ThreadQuery["after"]) => listThreads(after, limit)),
                others,
                `threads ${what}`
              )
            }
            yield* statement(newer, false)
          }
        })
      yield* set(
        (some, isNewer) => sql`UPDATE social_accounts SET status = ${isNewer ? "novel" : "connected"}
          WHERE id = ANY(${some}::text[])`
      )
      yield* set(
        (some, isNewer) => sql`WITH of_thread AS (
            UPDATE threads SET status = ${isNewer ? "novel" : "open"} WHERE account_id = ANY(${some}::text[])
          ) UPDATE items SET thread_status = ${isNewer ? "novel" : "open"} WHERE account_id = ANY(${some}::text[])`
      )
    })
  )

  it.effect("is not left out of a user's export, which ends without its last line", () =>
    Effect.gen(function* () {
      yield* allowAll
      const sql = yield* SqlClient.SqlClient
      const exports = yield* ManagedUserExport.pipe(Effect.provide(ManagedUserExport.layer))
      const now = yield* inboxEpoch
      const { id: workspaceId } = yield* makeInboxWorkspace(now)
      yield* (yield* ManagedUsers).put(workspaceId, "ada", now)
      const account = yield* connect(workspaceId, { networkAccountId: "exported", owner: "ada" })
      yield* ingest(account, [posted({ externalId: "said", threadKey: "said" })])
      const linesOf = Effect.flatMap(exports.export(workspaceId, "ada"), Stream.runCollect)
      const { type } = (yield* linesOf).at(-1) ?? {}
      assert.strictEqual(type, "end")
      yield* sql`UPDATE threads SET status = 'novel' WHERE workspace_id = ${workspaceId}`
      const failed = yield* Effect.exit(linesOf)
      assert.isTrue(Exit.isFailure(failed) && failed.cause.reasons.some(isOfUnreadable))
    })
  )
})
