import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { Members } from "@loopbox/core/workspaces/Members"
import { nextWorkspaceId } from "@loopbox/core/kernel/Ids"
import { Workspace } from "@loopbox/core/workspaces/Workspace"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { apiKey, epoch, makeWorkspace, type StorePorts, storeWorld } from "../fixtures/storeFixtures.ts"

/** What every adapter of the port ApiKeys does. */
export const apiKeysContract = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) =>
  layer(storeWorld(stores))(`ApiKeys: ${adapter}`, (it) => {
    it.effect("finds a key with its workspace and its creator's role as they are now", () =>
      Effect.gen(function* () {
        const [keys, members, workspaces] = [yield* ApiKeys, yield* Members, yield* Workspaces]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        yield* members.set(workspace.id, "ann", "admin")
        const key = yield* apiKey(workspace.id, now, "ann")
        assert.isTrue(yield* keys.insert(key))
        assert.deepStrictEqual(
          yield* keys.findHolder(key.id),
          Option.some({ key, workspace, creatorRole: Option.some("admin" as const) })
        )
        yield* members.set(workspace.id, "ann", "viewer")
        yield* workspaces.update(workspace.id, (found) => Effect.succeed(new Workspace({ ...found, plan: "team" })))
        const changed = Option.getOrThrow(yield* keys.findHolder(key.id))
        assert.deepStrictEqual(changed.creatorRole, Option.some("viewer" as const))
        assert.strictEqual(changed.workspace.plan, "team")
        yield* members.remove(workspace.id, "ann")
        assert.deepStrictEqual(Option.getOrThrow(yield* keys.findHolder(key.id)).creatorRole, Option.none())
      })
    )

    it.effect("finds a key without a creator", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const key = yield* apiKey(workspace.id, now)
        assert.isTrue(yield* keys.insert(key))
        assert.deepStrictEqual(
          yield* keys.findHolder(key.id),
          Option.some({ key, workspace, creatorRole: Option.none() })
        )
      })
    )

    it.effect("adds no key to an unknown workspace or for a creator who is no member of it", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const now = yield* epoch
        const unknown = yield* apiKey(yield* nextWorkspaceId(yield* SecureRandom.SecureRandom), now)
        assert.isFalse(yield* keys.insert(unknown))
        const workspace = yield* makeWorkspace("free", now)
        const other = yield* makeWorkspace("free", now)
        yield* (yield* Members).set(other.id, "ann", "owner")
        const foreign = yield* apiKey(workspace.id, now, "ann")
        assert.isFalse(yield* keys.insert(foreign))
        assert.deepStrictEqual(yield* keys.findHolder(foreign.id), Option.none())
      })
    )

    it.effect("lists a workspace's keys newest first, page by page", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const other = yield* makeWorkspace("free", now)
        const made = yield* Effect.forEach([1, 2, 3], (seconds) =>
          Effect.tap(apiKey(workspace.id, DateTime.add(now, { seconds })), keys.insert)
        )
        yield* keys.insert(yield* apiKey(other.id, now))
        const newest = yield* keys.list(workspace.id, { limit: 2, after: Option.none() })
        assert.strictEqual(newest.items.length, 2)
        const rest = yield* keys.list(workspace.id, { limit: 2, after: newest.next })
        assert.deepStrictEqual([...newest.items, ...rest.items], made.toReversed())
        assert.deepStrictEqual(rest.next, Option.none())
      })
    )

    it.effect("revokes a key once, and of its workspace only", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const now = yield* epoch
        const [workspace, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        const key = yield* apiKey(workspace.id, now)
        yield* keys.insert(key)
        assert.isFalse(yield* keys.revoke(other.id, key.id))
        assert.isTrue(yield* keys.revoke(workspace.id, key.id))
        assert.isFalse(yield* keys.revoke(workspace.id, key.id))
        assert.deepStrictEqual(yield* keys.findHolder(key.id), Option.none())
      })
    )

    it.effect("notes when a key was used", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const key = yield* apiKey(workspace.id, now)
        yield* keys.insert(key)
        const used = DateTime.add(now, { minutes: 5 })
        yield* keys.touch(workspace.id, key.id, used)
        assert.deepStrictEqual(Option.getOrThrow(yield* keys.findHolder(key.id)).key.lastUsedAt, Option.some(used))
      })
    )
  })
