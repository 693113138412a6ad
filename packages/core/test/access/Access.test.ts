import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Access } from "../../src/access/Access.ts"
import { Administration } from "../../src/access/Administration.ts"
import { ApiKeys } from "../../src/workspaces/ApiKeys.ts"
import { away, makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerServices, layerTest, memory } from "@loopbox/testing/layers/testLayers"

const issue = Effect.fnUntraced(function* (
  request: { readonly creator?: string; readonly expiresAt?: DateTime.Utc } = {}
) {
  const administration = yield* Administration
  const workspace = yield* makeWorkspace("growth")
  if (request.creator !== undefined) yield* administration.setMember(workspace.id, request.creator, "owner")
  const issued = yield* administration.issueKey(workspace.id, {
    name: "Test key",
    creatorUserId: Option.fromUndefinedOr(request.creator),
    expiresAt: Option.fromUndefinedOr(request.expiresAt)
  })
  return { ...issued, workspace }
})

const authenticate = (text: Redacted.Redacted<string>) => Access.use((access) => access.authenticate(text))
const refused = (text: Redacted.Redacted<string>) =>
  Effect.map(Effect.flip(authenticate(text)), (error) => assert.strictEqual(error._tag, "Unauthorized"))

/** The key as its list shows it. */
const listed = Effect.fnUntraced(function* (workspaceId: string) {
  const administration = yield* Administration
  const { items } = yield* administration.listKeys(workspaceId, { limit: 10, after: Option.none() })
  return items[0] ?? assert.fail("no key")
})

/** The services over a key store of which some methods behave otherwise. */
const withKeys = (change: Partial<ApiKeys["Service"]>) =>
  layerServices.pipe(
    Layer.updateService(ApiKeys, (keys) => ApiKeys.of({ ...keys, ...change })),
    Layer.provideMerge(memory)
  )

describe("Access.authenticate (api.md §2)", () => {
  it.effect("knows a key, its workspace and the member it acts for", () =>
    Effect.gen(function* () {
      const { key, text, workspace } = yield* issue({ creator: "user_1" })
      const caller = yield* authenticate(text)
      assert.strictEqual(caller.keyId, key.id)
      assert.deepStrictEqual(caller.workspace, workspace)
      assert.deepStrictEqual(caller.creator, Option.some({ userId: "user_1", role: "owner" }))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("knows a key without a creator", () =>
    Effect.gen(function* () {
      const { text } = yield* issue()
      assert.deepStrictEqual((yield* authenticate(text)).creator, Option.none())
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses what is no key of ours, without asking the store", () =>
    Effect.gen(function* () {
      for (const text of ["", "Bearer x", "lbx_live_", "eyJhbGciOiJub25lIn0.e30."]) yield* refused(Redacted.make(text))
    }).pipe(Effect.provide(withKeys({ findHolder: () => Effect.die("was asked") })))
  )

  it.effect("refuses a key whose id is unknown", () =>
    Effect.gen(function* () {
      const { text } = yield* issue()
      yield* refused(Redacted.make(Redacted.value(text).replace(/_[0-9a-z]{26}_/, `_${"0".repeat(26)}_`)))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses the right id with another secret, be it of another key", () =>
    Effect.gen(function* () {
      const first = Redacted.value((yield* issue()).text)
      const second = Redacted.value((yield* issue()).text)
      const id = first.slice(0, "lbx_live_".length + 26)
      yield* refused(Redacted.make(`${id}${second.slice(id.length)}`))
      const last = first.endsWith("0") ? "1" : "0"
      yield* refused(Redacted.make(`${first.slice(0, -1)}${last}`))
      yield* refused(Redacted.make(first.replace("lbx_live", "lbx_test")))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses a key from the moment that it is revoked", () =>
    Effect.gen(function* () {
      const { key, text, workspace } = yield* issue()
      yield* authenticate(text)
      yield* Administration.use((administration) => administration.revokeKey(workspace.id, key.id))
      yield* refused(text)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("takes a key until the millisecond before it expires, and refuses it at that moment", () =>
    Effect.gen(function* () {
      const { text } = yield* issue({ expiresAt: DateTime.makeUnsafe(60_000) })
      yield* TestClock.setTime(59_999)
      yield* authenticate(text)
      yield* TestClock.setTime(60_000)
      yield* refused(text)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses a key whose creator is no longer a member, and takes it again when he is", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const { text, workspace } = yield* issue({ creator: "user_1" })
      yield* administration.removeMember(workspace.id, "user_1")
      yield* refused(text)
      yield* administration.setMember(workspace.id, "user_1", "viewer")
      assert.deepStrictEqual((yield* authenticate(text)).creator, Option.some({ userId: "user_1", role: "viewer" }))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("reads role and plan anew for every request", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const { text, workspace } = yield* issue({ creator: "user_1" })
      yield* authenticate(text)
      yield* administration.setMember(workspace.id, "user_1", "editor")
      yield* administration.updateWorkspace(workspace.id, { plan: "free" })
      const caller = yield* authenticate(text)
      assert.strictEqual(caller.workspace.plan, "free")
      assert.deepStrictEqual(caller.creator, Option.some({ userId: "user_1", role: "editor" }))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses every key of an erased workspace", () =>
    Effect.gen(function* () {
      const { text, workspace } = yield* issue()
      yield* Administration.use((administration) => administration.eraseWorkspace(workspace.id))
      yield* refused(text)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("notes a key's last use at most once a minute", () =>
    Effect.gen(function* () {
      const { text, workspace } = yield* issue()
      assert.deepStrictEqual((yield* listed(workspace.id)).lastUsedAt, Option.none())
      const usedAt = Effect.fnUntraced(function* (millis: number) {
        yield* TestClock.setTime(millis)
        yield* authenticate(text)
        yield* TestClock.adjust(0)
        return Option.map((yield* listed(workspace.id)).lastUsedAt, DateTime.toEpochMillis)
      })
      const minute = Duration.toMillis("1 minute")
      assert.deepStrictEqual(yield* usedAt(5), Option.some(5))
      assert.deepStrictEqual(yield* usedAt(5 + minute - 1), Option.some(5))
      assert.deepStrictEqual(yield* usedAt(5 + minute), Option.some(5 + minute))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("does not wait for the note of a key's use, nor fail with it", () =>
    Effect.gen(function* () {
      const { text } = yield* issue()
      yield* authenticate(text)
    }).pipe(Effect.provide(withKeys({ touch: () => Effect.fail(away()) })))
  )

  it.effect("says that the store is away instead of refusing", () =>
    Effect.gen(function* () {
      const { text } = yield* issue()
      assert.strictEqual((yield* Effect.flip(authenticate(text)))._tag, "StoreUnavailable")
    }).pipe(Effect.provide(withKeys({ findHolder: () => Effect.fail(away()) })))
  )
})
