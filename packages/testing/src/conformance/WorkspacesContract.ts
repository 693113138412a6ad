import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ApiKey } from "@loopbox/core/workspaces/ApiKey"
import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { Members } from "@loopbox/core/workspaces/Members"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { nextApiKeyId, nextWorkspaceId } from "@loopbox/core/kernel/Ids"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { Workspace } from "@loopbox/core/workspaces/Workspace"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { redactNames } from "../fixtures/inboxFixtures.ts"
import {
  always,
  claimed,
  conversion,
  epoch,
  gif,
  makeGif,
  makeOutput,
  makePending,
  makeQueued,
  makeWorkspace,
  noOverrides,
  openConnections,
  type StorePorts,
  storeWorld
} from "../fixtures/storeFixtures.ts"

/** What every adapter of the port Workspaces does. */
export const workspacesContract = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) =>
  layer(storeWorld(stores))(`Workspaces: ${adapter}`, (it) => {
    it.effect("gives back what was inserted, contract limits included", () =>
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const limits = { activeJobs: Option.some(9), conversionsPer24Hours: Option.some(0) }
        const workspace = yield* makeWorkspace("enterprise", yield* epoch, limits)
        assert.deepStrictEqual(yield* workspaces.find(workspace.id), Option.some(workspace))
      })
    )

    it.effect("finds nothing under an unknown id", () =>
      Effect.gen(function* () {
        const id = yield* nextWorkspaceId(yield* SecureRandom.SecureRandom)
        assert.deepStrictEqual(yield* (yield* Workspaces).find(id), Option.none())
      })
    )

    it.effect("keeps a name with U+0000 instead of failing", () =>
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const id = yield* nextWorkspaceId(yield* SecureRandom.SecureRandom)
        const createdAt = yield* epoch
        yield* workspaces.insert(new Workspace({ id, name: "a\0b", plan: "free", limits: noOverrides, createdAt }))
        assert.isTrue(Option.isSome(yield* workspaces.find(id)))
      })
    )

    it.effect("lists newest first, page by page, each once", () =>
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const now = yield* epoch
        // Two at the same time: their ids decide.
        const made = yield* Effect.forEach([1, 2, 2, 3], (seconds) =>
          makeWorkspace("free", DateTime.add(now, { seconds }))
        )
        const expected = made
          .toSorted((a, b) => (a.id < b.id ? 1 : -1))
          .toSorted((a, b) => b.createdAt.epochMilliseconds - a.createdAt.epochMilliseconds)
          .map(({ id }) => id)
        const listed: Array<string> = []
        // Other tests' workspaces are newer or older, so the walk starts at this test's first one.
        let after = Option.some({ createdAt: DateTime.add(now, { seconds: 4 }), id: "ws_" })
        for (const limit of [3, 1]) {
          const page = yield* workspaces.list({ limit, after })
          for (const { id } of page.items) listed.push(id)
          after = page.next.pipe(Option.orElse(() => after))
        }
        assert.deepStrictEqual(listed, expected)
      })
    )

    it.effect("applies two changes at once one after the other", () =>
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const { id } = yield* makeWorkspace("enterprise", yield* epoch)
        const more = (workspace: Workspace) =>
          Effect.succeed(
            new Workspace({
              ...workspace,
              limits: {
                ...workspace.limits,
                activeJobs: Option.some(Option.getOrElse(workspace.limits.activeJobs, () => 0) + 1)
              }
            })
          )
        yield* Effect.all(
          Array.from({ length: 10 }, () => workspaces.update(id, more)),
          { concurrency: "unbounded" }
        )
        const found = yield* workspaces.find(id)
        assert.deepStrictEqual(
          Option.flatMap(found, ({ limits }) => limits.activeJobs),
          Option.some(10)
        )
      })
    )

    it.effect("changes nothing when the change fails, and knows no unknown workspace", () =>
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const workspace = yield* makeWorkspace("free", yield* epoch)
        const error = yield* Effect.flip(workspaces.update(workspace.id, () => Effect.fail("no" as const)))
        assert.strictEqual(error, "no")
        assert.deepStrictEqual(yield* workspaces.find(workspace.id), Option.some(workspace))
        const unknown = yield* nextWorkspaceId(yield* SecureRandom.SecureRandom)
        assert.deepStrictEqual(yield* workspaces.update(unknown, Effect.succeed), Option.none())
      })
    )

    it.effect("erases keys, members and jobs at once and marks all media deleted", () =>
      Effect.gen(function* () {
        const [workspaces, retention, store] = [yield* Workspaces, yield* RetentionStore, yield* ConversionStore]
        const now = yield* epoch
        const { id } = yield* makeWorkspace("growth", now)
        yield* (yield* Members).set(id, "user", "owner")
        const key = new ApiKey({
          id: yield* nextApiKeyId(yield* SecureRandom.SecureRandom),
          workspaceId: id,
          name: "key",
          creatorUserId: Option.some("user"),
          secretHash: "00",
          createdAt: now,
          expiresAt: Option.none(),
          lastUsedAt: Option.none()
        })
        yield* (yield* ApiKeys).insert(key)
        const media = yield* makeGif(id, now)
        yield* makePending(id, now)
        const job = yield* makeQueued(id, now)
        const claim = yield* claimed(now)

        assert.isTrue(yield* workspaces.erase(id, redactNames))
        assert.isFalse(yield* workspaces.erase(id, redactNames))
        assert.deepStrictEqual(yield* workspaces.find(id), Option.none())
        assert.deepStrictEqual(yield* (yield* ApiKeys).findHolder(key.id), Option.none())
        assert.isFalse(yield* (yield* Members).remove(id, "user"))
        assert.deepStrictEqual(yield* store.find(id, job.id), Option.none())
        assert.deepStrictEqual(yield* (yield* MediaStore).find(id, media.id), Option.none())
        const lost = yield* Effect.flip(store.succeed(claim, yield* makeOutput(claim), now))
        assert.strictEqual(lost._tag, "LeaseLost")

        const removable = (yield* retention.listRemovable(1_000)).filter((row) => row.workspaceId === id)
        assert.strictEqual(removable.length, 2)
        yield* retention.confirmRemoved(removable)
        assert.isFalse((yield* retention.listRemovable(1_000)).some((row) => row.workspaceId === id))
      })
    )

    it.effect("takes no media, member, key or job of an erased workspace", () =>
      Effect.gen(function* () {
        const now = yield* epoch
        const { id } = yield* makeWorkspace("growth", now)
        const media = yield* makeGif(id, now)
        yield* (yield* Workspaces).erase(id, redactNames)
        const inserted = yield* Effect.flip((yield* MediaStore).insert(yield* gif(id, now)))
        assert.strictEqual(inserted._tag, "WorkspaceErased")
        assert.strictEqual(yield* (yield* Members).set(id, "user", "owner"), "absent")
        const submitted = yield* Effect.flip((yield* ConversionStore).submit(yield* conversion(media, now), always))
        assert.strictEqual(submitted._tag, "WorkspaceErased")
      })
    )

    it.effect("leaves no live media behind when uploads race with the erasure", () =>
      Effect.gen(function* () {
        const [workspaces, media] = [yield* Workspaces, yield* MediaStore]
        const now = yield* epoch
        const round = Effect.gen(function* () {
          const { id } = yield* makeWorkspace("growth", now)
          yield* openConnections(id)
          const uploads = yield* Effect.all(Array.from({ length: 8 }, () => gif(id, now)))
          const inserts = uploads.map((upload) => Effect.ignore(media.insert(upload)))
          yield* Effect.all([...inserts.slice(0, 4), workspaces.erase(id, redactNames), ...inserts.slice(4)], {
            concurrency: "unbounded",
            discard: true
          })
          const found = yield* Effect.forEach(uploads, (upload) => media.find(id, upload.id))
          return found.filter(Option.isSome).length
        })
        const left = yield* Effect.forEach(Array.from({ length: 10 }), () => round)
        assert.deepStrictEqual(
          left,
          Array.from({ length: 10 }, () => 0)
        )
      })
    )
  })
