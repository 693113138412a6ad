import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { Access } from "../../src/access/Access.ts"
import { Administration, noLimits } from "../../src/access/Administration.ts"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { BlobStore } from "../../src/media/BlobStore.ts"
import { Layer } from "effect"
import { TestClock } from "effect/testing"
import { failing, faultyBlobStore } from "@loopbox/testing/fakes/faults"
import { away, blobKeys, key, makeWorkspace, submit, submitGif, upload } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerServices, layerTest, memory } from "@loopbox/testing/layers/testLayers"

const unknownId = `ws_${"0".repeat(26)}`
const firstPage = { limit: 10, after: Option.none() }
const limits = (activeJobs: number | undefined, conversionsPer24Hours: number | undefined) => ({
  activeJobs: Option.fromUndefinedOr(activeJobs),
  conversionsPer24Hours: Option.fromUndefinedOr(conversionsPer24Hours)
})
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

describe("Administration: workspaces (api.md §8)", () => {
  it.effect("creates, finds and lists workspaces, newest first", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const first = yield* administration.createWorkspace({ name: "First", plan: "api", limits: noLimits })
      yield* TestClock.adjust(1)
      const second = yield* administration.createWorkspace({ name: "Second", plan: "team", limits: noLimits })
      assert.deepStrictEqual(yield* administration.findWorkspace(first.id), first)
      const page = yield* administration.listWorkspaces({ limit: 1, after: Option.none() })
      assert.deepStrictEqual(page.items, [second])
      const rest = yield* administration.listWorkspaces({ limit: 1, after: page.next })
      assert.deepStrictEqual(rest, { items: [first], next: Option.none() })
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("finds no workspace by an unknown or malformed id, in any method", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      for (const id of [unknownId, "ws_1", "", `med_${"0".repeat(26)}`, "__proto__"]) {
        const asked = [
          tagOf(administration.findWorkspace(id)),
          tagOf(administration.updateWorkspace(id, { name: "x" })),
          tagOf(administration.eraseWorkspace(id)),
          tagOf(administration.setMember(id, "user", "owner")),
          tagOf(administration.removeMember(id, "user")),
          tagOf(administration.listKeys(id, firstPage)),
          tagOf(administration.revokeKey(id, "key_x")),
          tagOf(administration.issueKey(id, { name: "x", creatorUserId: Option.none(), expiresAt: Option.none() }))
        ]
        assert.deepStrictEqual(new Set(yield* Effect.all(asked)), new Set(["WorkspaceNotFound"]))
      }
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("takes limits for enterprise only", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const create = (plan: "team" | "enterprise") =>
        administration.createWorkspace({ name: "Test", plan, limits: limits(undefined, 5) })
      assert.deepStrictEqual((yield* create("enterprise")).limits, limits(undefined, 5))
      assert.strictEqual(yield* tagOf(create("team")), "LimitsNeedEnterprise")
      const team = yield* makeWorkspace("team")
      const change = administration.updateWorkspace(team.id, { limits: { activeJobs: 3 } })
      assert.strictEqual(yield* tagOf(change), "LimitsNeedEnterprise")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("merges a change of limits, and clears one with null", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const { id } = yield* makeWorkspace("enterprise", limits(9, undefined))
      const change = (to: { activeJobs?: number | null; conversionsPer24Hours?: number | null }) =>
        Effect.map(administration.updateWorkspace(id, { limits: to }), (workspace) => workspace.limits)
      assert.deepStrictEqual(yield* change({ conversionsPer24Hours: 70 }), limits(9, 70))
      assert.deepStrictEqual(yield* change({ activeJobs: null }), limits(undefined, 70))
      assert.deepStrictEqual(yield* change({}), limits(undefined, 70))
      assert.deepStrictEqual((yield* administration.findWorkspace(id)).limits, limits(undefined, 70))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("clears the contract with the enterprise plan, and does not bring it back", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const { id } = yield* makeWorkspace("enterprise", limits(9, 70))
      const left = yield* administration.updateWorkspace(id, { plan: "growth" })
      assert.deepStrictEqual([left.plan, left.limits], ["growth", noLimits])
      const back = yield* administration.updateWorkspace(id, { plan: "enterprise" })
      assert.deepStrictEqual(back.limits, noLimits)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("takes limits together with the plan that allows them", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const { id } = yield* makeWorkspace("growth")
      const upgraded = yield* administration.updateWorkspace(id, { plan: "enterprise", limits: { activeJobs: 12 } })
      assert.deepStrictEqual(upgraded.limits, limits(12, undefined))
      const refused = administration.updateWorkspace(id, { plan: "free", limits: { activeJobs: 1 } })
      assert.strictEqual(yield* tagOf(refused), "LimitsNeedEnterprise")
      assert.strictEqual((yield* administration.findWorkspace(id)).plan, "enterprise")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("changes the name alone", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const workspace = yield* makeWorkspace("enterprise", limits(2, 3))
      const renamed = yield* administration.updateWorkspace(workspace.id, { name: "Renamed" })
      assert.deepStrictEqual({ ...renamed }, { ...workspace, name: "Renamed" })
    }).pipe(Effect.provide(layerTest))
  )
})

describe("Administration: members and keys", () => {
  const newKey = (creator?: string) => ({
    name: "Test key",
    creatorUserId: Option.fromUndefinedOr(creator),
    expiresAt: Option.none()
  })

  it.effect("says whether a member is new", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const { id } = yield* makeWorkspace()
      assert.strictEqual(yield* administration.setMember(id, "user_1", "viewer"), "created")
      assert.strictEqual(yield* administration.setMember(id, "user_1", "owner"), "changed")
      yield* administration.removeMember(id, "user_1")
      assert.strictEqual(yield* tagOf(administration.removeMember(id, "user_1")), "MemberNotFound")
      assert.strictEqual(yield* administration.setMember(id, "user_1", "viewer"), "created")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("issues a key only in the name of a member of this workspace", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const { id } = yield* makeWorkspace()
      const other = yield* makeWorkspace()
      yield* administration.setMember(other.id, "user_1", "owner")
      assert.strictEqual(yield* tagOf(administration.issueKey(id, newKey("user_1"))), "CreatorNotMember")
      assert.deepStrictEqual((yield* administration.listKeys(id, firstPage)).items, [])
      yield* administration.setMember(id, "user_1", "viewer")
      assert.deepStrictEqual(
        (yield* administration.issueKey(id, newKey("user_1"))).key.creatorUserId,
        Option.some("user_1")
      )
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("shows a key's text once and keeps only its hash", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const state = yield* MemoryState
      const { id } = yield* makeWorkspace()
      const { key: kept, text } = yield* administration.issueKey(id, newKey())
      assert.match(Redacted.value(text), /^lbx_live_[0-9a-z]{26}_[0-9a-z]{52}$/)
      const secret = Redacted.value(text).split("_")[3] ?? assert.fail("no secret")
      assert.match(kept.secretHash, /^[0-9a-f]{64}$/)
      assert.notInclude(JSON.stringify(Array.from(state.keys.values())), secret)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("gives every key another secret", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const { id } = yield* makeWorkspace()
      const issued = yield* Effect.forEach(Array.from({ length: 20 }), () => administration.issueKey(id, newKey()))
      assert.strictEqual(new Set(issued.map(({ text }) => Redacted.value(text).split("_")[3])).size, 20)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("revokes a key of its own workspace, once", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const { id } = yield* makeWorkspace()
      const other = yield* makeWorkspace()
      const { key: kept, text } = yield* administration.issueKey(id, newKey())
      for (const wrong of ["key_x", `key_${"0".repeat(26)}`]) {
        assert.strictEqual(yield* tagOf(administration.revokeKey(id, wrong)), "ApiKeyNotFound")
      }
      assert.strictEqual(yield* tagOf(administration.revokeKey(other.id, kept.id)), "ApiKeyNotFound")
      yield* Access.use((access) => access.authenticate(text))
      yield* administration.revokeKey(id, kept.id)
      assert.strictEqual(yield* tagOf(administration.revokeKey(id, kept.id)), "ApiKeyNotFound")
    }).pipe(Effect.provide(layerTest))
  )
})

describe("Administration.eraseWorkspace", () => {
  it.effect("removes everything of this workspace, bytes included, and nothing of another", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const state = yield* MemoryState
      const [gone, stays] = [yield* makeWorkspace("growth"), yield* makeWorkspace("growth")]
      for (const { id } of [gone, stays]) {
        yield* administration.setMember(id, "user_1", "owner")
        yield* administration.issueKey(id, {
          name: "k",
          creatorUserId: Option.some("user_1"),
          expiresAt: Option.none()
        })
      }
      const { gif } = yield* submitGif(gone)
      yield* submit(gone, gif.id, { key: key("again") })
      const kept = yield* submitGif(stays)
      yield* administration.eraseWorkspace(gone.id)
      assert.strictEqual(yield* tagOf(administration.findWorkspace(gone.id)), "WorkspaceNotFound")
      assert.deepStrictEqual(Array.from(state.jobs.keys()), [kept.job.id])
      assert.deepStrictEqual(Array.from(state.members.keys()), [stays.id])
      assert.deepStrictEqual(
        Array.from(state.keys.values(), ({ workspaceId }) => workspaceId),
        [stays.id]
      )
      assert.deepStrictEqual(yield* blobKeys, [kept.gif.blobKey])
      assert.strictEqual(yield* tagOf(administration.eraseWorkspace(gone.id)), "WorkspaceNotFound")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("lets nothing be uploaded or submitted afterwards, and keeps no bytes of the attempt", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const workspace = yield* makeWorkspace("growth")
      const { gif } = yield* submitGif(workspace)
      yield* administration.eraseWorkspace(workspace.id)
      assert.strictEqual(yield* tagOf(upload(workspace)), "WorkspaceErased")
      assert.include(["WorkspaceErased", "MediaNotFound"], yield* tagOf(submit(workspace, gif.id)))
      assert.deepStrictEqual(yield* blobKeys, [])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is finished by repeating it when the bytes could not be removed", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const workspace = yield* makeWorkspace("growth")
      yield* upload(workspace)
      assert.strictEqual(yield* tagOf(administration.eraseWorkspace(workspace.id)), "StoreUnavailable")
      assert.lengthOf(yield* blobKeys, 1)
      yield* Effect.ignore(administration.eraseWorkspace(workspace.id))
      assert.deepStrictEqual(yield* blobKeys, [])
    }).pipe(
      Effect.provide(
        layerServices.pipe(
          Layer.updateService(BlobStore, (blobs) =>
            faultyBlobStore(blobs, failing("removeAll", { times: 1, when: "before", error: away() }))
          ),
          Layer.provideMerge(memory)
        )
      )
    )
  )
})
