import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { AccessChanges } from "@loopbox/core/access/AccessChanges"
import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Members } from "@loopbox/core/workspaces/Members"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { nextApiKeyId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Workspace } from "@loopbox/core/workspaces/Workspace"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { redactNames } from "../fixtures/inboxFixtures.ts"
import { apiKey, epoch, makeWorkspace } from "../fixtures/storeFixtures.ts"

/** The port, and the ports whose changes it notifies of. */
export type AccessPorts = AccessChanges | ApiKeys | ManagedUsers | Members | Workspaces

/** Subscribes; `until` returns the workspaces that were notified before a given one. */
const listen = Effect.gen(function* () {
  const heard = yield* Queue.unbounded<Option.Option<WorkspaceId>>()
  const { changes } = yield* AccessChanges
  yield* changes.pipe(
    Stream.runForEach((change) => Queue.offer(heard, change)),
    Effect.forkScoped
  )
  const until = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
    const before: Array<WorkspaceId> = []
    for (;;) {
      const named = yield* Queue.take(heard)
      if (Option.contains(named, workspaceId)) return before
      before.push(...Option.toArray(named))
    }
  })
  // The subscriber may still be connecting and may miss changes, so the change is repeated until it is notified.
  const { id } = yield* makeWorkspace("free", yield* epoch)
  const members = yield* Members
  yield* members
    .set(id, "ann", "viewer")
    .pipe(Effect.andThen(Effect.yieldNow), Effect.forever, Effect.raceFirst(until(id)))
  return until
})

const cases: Record<string, (id: WorkspaceId) => Effect.Effect<unknown, StoreUnavailable, AccessPorts>> = {
  "a member's role": (id) => Members.use((members) => members.set(id, "ann", "viewer")),
  "a member who leaves": (id) => Members.use((members) => members.remove(id, "ann")),
  "a plan": (id) =>
    Workspaces.use((workspaces) =>
      workspaces.update(id, (workspace) => Effect.succeed(new Workspace({ ...workspace, plan: "free" })))
    ),
  "a workspace that is erased": (id) => Workspaces.use((workspaces) => workspaces.erase(id, redactNames)),
  "a managed user who is erased": (id) => ManagedUsers.use((users) => users.erase(id, "u1", redactNames))
}

/** What every adapter of the port AccessChanges does. */
export const accessChangesContract = <E>(adapter: string, stores: Layer.Layer<AccessPorts, E>) =>
  layer(Layer.merge(stores, SecureRandom.layerWebCrypto))(`AccessChanges: ${adapter}`, (it) => {
    const makeTown = Effect.gen(function* () {
      const now = yield* epoch
      const { id } = yield* makeWorkspace("growth", now)
      yield* Members.use((members) => members.set(id, "ann", "owner"))
      yield* ManagedUsers.use((users) => users.put(id, "u1", now))
      const key = yield* apiKey(id, now, "ann")
      yield* ApiKeys.use((keys) => keys.insert(key))
      return { id, key }
    })

    for (const [what, change] of Object.entries(cases)) {
      it.effect(`tells of ${what}`, () =>
        Effect.gen(function* () {
          const { id } = yield* makeTown
          const until = yield* listen
          yield* change(id)
          yield* until(id)
        })
      )
    }

    it.effect("tells of a key that is revoked, once it is", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeTown
        const keys = yield* ApiKeys
        const until = yield* listen
        yield* keys.revoke(id, key.id)
        yield* until(id)
        assert.isTrue(Option.isNone(yield* keys.findHolder(key.id)))
      })
    )

    it.effect("tells nothing where nothing changed, or what was begun was undone", () =>
      Effect.gen(function* () {
        const [undone, done] = [yield* makeTown, yield* makeTown]
        const workspaces = yield* Workspaces
        const until = yield* listen
        assert.strictEqual(
          yield* Effect.flip(workspaces.update(undone.id, () => Effect.fail("not this one" as const))),
          "not this one"
        )
        yield* (yield* Members).remove(undone.id, "nobody")
        yield* (yield* ManagedUsers).erase(undone.id, "nobody", redactNames)
        yield* (yield* ApiKeys).revoke(undone.id, yield* nextApiKeyId(yield* SecureRandom.SecureRandom))
        yield* (yield* Members).remove(done.id, "ann")
        assert.notInclude(yield* until(done.id), undone.id)
      })
    )
  })
