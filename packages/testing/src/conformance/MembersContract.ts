import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Members } from "@loopbox/core/workspaces/Members"
import { nextWorkspaceId } from "@loopbox/core/kernel/Ids"
import { epoch, makeWorkspace, type StorePorts, storeWorld } from "../fixtures/storeFixtures.ts"

/** What every adapter of the port Members does. */
export const membersContract = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) =>
  layer(storeWorld(stores))(`Members: ${adapter}`, (it) => {
    it.effect("says whether a member was created or changed", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const { id } = yield* makeWorkspace("free", yield* epoch)
        assert.strictEqual(yield* members.set(id, "ann", "viewer"), "created")
        assert.strictEqual(yield* members.set(id, "ann", "admin"), "changed")
        assert.strictEqual(yield* members.set(id, "ann", "admin"), "changed")
        assert.strictEqual(yield* members.set(id, "Ann", "viewer"), "created")
      })
    )

    it.effect("knows no member of an unknown workspace", () =>
      Effect.gen(function* () {
        const id = yield* nextWorkspaceId(yield* SecureRandom.SecureRandom)
        assert.strictEqual(yield* (yield* Members).set(id, "ann", "owner"), "absent")
      })
    )

    it.effect("removes a member once, and of its workspace only", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const now = yield* epoch
        const [one, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        yield* members.set(one.id, "ann", "owner")
        assert.isFalse(yield* members.remove(other.id, "ann"))
        assert.isTrue(yield* members.remove(one.id, "ann"))
        assert.isFalse(yield* members.remove(one.id, "ann"))
      })
    )

    it.effect("lists the members of one workspace by their user ids, page by page", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const now = yield* epoch
        const [one, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        for (const [userId, role] of [
          ["kim", "viewer"],
          ["Ann", "owner"],
          ["ann", "admin"]
        ] as const)
          yield* members.set(one.id, userId, role)
        yield* members.set(other.id, "bea", "viewer")
        const first = yield* members.list(one.id, { limit: 2, after: Option.none() })
        assert.deepStrictEqual(first, {
          items: [
            { userId: "Ann", role: "owner" },
            { userId: "ann", role: "admin" }
          ],
          next: Option.some("ann")
        })
        const rest = yield* members.list(one.id, { limit: 2, after: first.next })
        assert.deepStrictEqual(rest, { items: [{ userId: "kim", role: "viewer" }], next: Option.none() })
        assert.deepStrictEqual(yield* members.list(one.id, { limit: 3, after: Option.none() }), {
          items: [...first.items, ...rest.items],
          next: Option.none()
        })
      })
    )

    it.effect("finds several in one read, each as it is found alone, and nobody of another workspace", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const now = yield* epoch
        const [one, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        yield* members.set(one.id, "ann", "viewer")
        yield* members.set(one.id, "a\0b", "owner")
        yield* members.set(other.id, "kim", "owner")
        const found = yield* members.findMemberships(one.id, ["kim", "ann", "Ann", "a\0b", "ann"])
        assert.deepStrictEqual(Array.from(found.keys()).toSorted(), ["a\0b", "ann"])
        for (const [userId, membership] of found) {
          assert.deepStrictEqual(Option.some(membership), yield* members.findMembership(one.id, userId))
        }
        assert.strictEqual((yield* members.findMemberships(one.id, [])).size, 0)
      })
    )

    it.effect("keeps a user id with U+0000 instead of failing", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const { id } = yield* makeWorkspace("free", yield* epoch)
        assert.strictEqual(yield* members.set(id, "a\0b", "viewer"), "created")
        assert.isTrue(yield* members.remove(id, "a\0b"))
      })
    )
  })
