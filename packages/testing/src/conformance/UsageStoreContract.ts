import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { UsageStore } from "@loopbox/core/usage/UsageStore"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { posted } from "../fixtures/activities.ts"
import {
  connect,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  ingest,
  makeInboxWorkspace,
  redactNames
} from "../fixtures/inboxFixtures.ts"
import { makeKeptPost } from "../fixtures/postFixtures.ts"
import { makeGif, makePending, makeQueued, makeWorkspace, type StorePorts } from "../fixtures/storeFixtures.ts"

/** The ports that the suite needs. */
export type UsagePorts = InboxPorts | StorePorts | PostStore | RetentionStore | UsageStore

const read = Effect.fnUntraced(function* (workspaceId: Parameters<UsageStore["Service"]["read"]>[0], at: DateTime.Utc) {
  return Option.getOrThrow(yield* (yield* UsageStore).read(workspaceId, at))
})

/** What every adapter of the port UsageStore does. */
export const usageStoreContract = <E>(adapter: string, stores: Layer.Layer<UsagePorts, E>) =>
  layer(inboxWorld(stores))(`UsageStore: ${adapter}`, (it) => {
    it.effect("knows of a workspace that has nothing yet, and of none that does not exist", () =>
      Effect.gen(function* () {
        const now = yield* inboxEpoch
        const workspace = yield* makeInboxWorkspace(now)
        assert.deepStrictEqual(yield* read(workspace.id, now), {
          workspace,
          admission: { activeJobs: 0, conversions: 0, blocking: Option.none() },
          items: 0,
          posts: 0,
          storageBytes: 0
        })
        yield* (yield* Workspaces).erase(workspace.id, Option.none())
        assert.deepStrictEqual(yield* (yield* UsageStore).read(workspace.id, now), Option.none())
      })
    )

    it.effect("counts items once as they come, of their workspace, for 30 days from a full hour on", () =>
      Effect.gen(function* () {
        const now = yield* inboxEpoch
        const { id } = yield* makeInboxWorkspace(now)
        const account = yield* connect(id, { at: now })
        const other = yield* connect((yield* makeInboxWorkspace(now)).id, { at: now })
        yield* ingest(account, [posted({ externalId: "a" }), posted({ externalId: "b" })], { now })
        yield* ingest(account, [posted({ externalId: "b" }), posted({ externalId: "c" })], { now })
        yield* ingest(account, [posted({ externalId: "d" })], { now: DateTime.add(now, { days: 1 }) })
        yield* ingest(other, [posted({ externalId: "e" })], { now })
        const itemsAt = (days: number, hours = 0) =>
          Effect.map(read(id, DateTime.add(now, { days, hours })), ({ items }) => items)
        assert.deepStrictEqual(
          [yield* itemsAt(1), yield* itemsAt(30), yield* itemsAt(30, 1), yield* itemsAt(31, 1)],
          [4, 4, 1, 0]
        )
        assert.strictEqual((yield* read(other.workspaceId, now)).items, 1)
      })
    )

    it.effect("counts posts of 30 days, drafts among them", () =>
      Effect.gen(function* () {
        const now = yield* inboxEpoch
        const { id } = yield* makeInboxWorkspace(now)
        const account = yield* connect(id, { at: now })
        for (const isDraft of [false, true]) {
          const kept = yield* makeKeptPost(id, [account], now, { isDraft })
          const made = { workspaceId: id, idempotencyKey: Option.none() }
          yield* (yield* PostStore).submit(made, () => Result.succeed(kept))
        }
        const later = (seconds: number) => DateTime.add(now, { days: 30, seconds })
        assert.strictEqual((yield* read(id, now)).posts, 2)
        assert.strictEqual((yield* read(id, later(-1))).posts, 2)
        assert.strictEqual((yield* read(id, later(1))).posts, 0)
      })
    )

    it.effect("adds up the bytes of files that are there, not of uploads to come or deleted ones", () =>
      Effect.gen(function* () {
        const now = yield* inboxEpoch
        const { id } = yield* makeWorkspace("free", now)
        const [kept, deleted] = [yield* makeGif(id, now), yield* makeGif(id, now)]
        yield* makePending(id, now)
        assert.strictEqual((yield* read(id, now)).storageBytes, kept.sizeBytes + deleted.sizeBytes)
        yield* (yield* MediaStore).remove(id, deleted.id, now)
        assert.strictEqual((yield* read(id, now)).storageBytes, kept.sizeBytes)
      })
    )

    it.effect("tells active jobs, conversions of 24 hours, and the one that must leave them first", () =>
      Effect.gen(function* () {
        const now = yield* inboxEpoch
        const { id } = yield* makeWorkspace("free", now)
        const hours = (count: number) => DateTime.add(now, { hours: count })
        for (let n = 0; n < 11; n++) yield* makeQueued(id, hours(n))
        const { admission } = yield* read(id, hours(11))
        assert.deepStrictEqual(admission, { activeJobs: 11, conversions: 11, blocking: Option.some(hours(1)) })
        const later = yield* read(id, hours(26))
        assert.deepStrictEqual(later.admission, { activeJobs: 11, conversions: 8, blocking: Option.none() })
      })
    )

    it.effect("still counts items of an erased user, and forgets an hour after 31 days", () =>
      Effect.gen(function* () {
        const now = yield* inboxEpoch
        const { id } = yield* makeInboxWorkspace(now)
        yield* ingest(yield* connect(id, { at: now, owner: "u1" }), [posted({ externalId: "a" })], { now })
        yield* (yield* ManagedUsers).erase(id, "u1", redactNames)
        const retention = yield* RetentionStore
        yield* retention.purgeRows(DateTime.add(now, { days: 30 }), 1_000)
        assert.strictEqual((yield* read(id, now)).items, 1)
        yield* retention.purgeRows(DateTime.add(now, { days: 31, hours: 1 }), 1_000)
        assert.strictEqual((yield* read(id, now)).items, 0)
      })
    )
  })
