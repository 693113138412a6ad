import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Members } from "@loopbox/core/workspaces/Members"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { ShownEndpoint } from "@loopbox/core/items/ShownEndpoint"
import { nextOutgoingEndpointId, nextWorkspaceId } from "@loopbox/core/kernel/Ids"
import { noon, posted } from "../fixtures/activities.ts"
import {
  connect,
  eventsAfter,
  type InboxPorts,
  inboxWorld,
  ingest,
  makeInboxWorkspace,
  redactNames
} from "../fixtures/inboxFixtures.ts"

/** What every adapter of the ports ManagedUsers and Members does. */
export const managedUsersContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`ManagedUsers: ${adapter}`, (it) => {
    it.effect("says whether a user is new, and takes ids exactly as given", () =>
      Effect.gen(function* () {
        const users = yield* ManagedUsers
        const { id } = yield* makeInboxWorkspace()
        assert.strictEqual(yield* users.put(id, "u1", noon), "created")
        assert.strictEqual(yield* users.put(id, "u1", noon), "known")
        assert.strictEqual(yield* users.put(id, " u1", noon), "created")
        assert.strictEqual(yield* users.put(id, "U1", noon), "created")
        assert.deepStrictEqual(
          Option.map(yield* users.find(id, "u1"), ({ createdAt, externalUserId }) => [externalUserId, createdAt]),
          Option.some(["u1", noon])
        )
        assert.deepStrictEqual(yield* users.find(id, "u2"), Option.none())
      })
    )

    it.effect("knows a user of its workspace only, and none of an unknown one", () =>
      Effect.gen(function* () {
        const users = yield* ManagedUsers
        const [here, there] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        yield* users.put(here.id, "u1", noon)
        assert.deepStrictEqual(yield* users.find(there.id, "u1"), Option.none())
        assert.isFalse(yield* users.erase(there.id, "u1", redactNames))
        assert.strictEqual(yield* users.put(yield* nextWorkspaceId(yield* SecureRandom), "u1", noon), "absent")
      })
    )

    it.effect("finds several in one read, each as it is found alone, and nobody of another workspace", () =>
      Effect.gen(function* () {
        const users = yield* ManagedUsers
        const [one, other] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        for (const id of ["u1", "u 2"]) yield* users.put(one.id, id, noon)
        yield* users.put(other.id, "u3", noon)
        const found = yield* users.findSeveral(one.id, ["u3", "u1", "U1", "u 2", "u1"])
        assert.deepStrictEqual(Array.from(found.keys()).toSorted(), ["u 2", "u1"])
        for (const [id, user] of found) assert.deepStrictEqual(Option.some(user), yield* users.find(one.id, id))
        yield* users.erase(one.id, "u1", redactNames)
        assert.deepStrictEqual(Array.from((yield* users.findSeveral(one.id, ["u1", "u 2"])).keys()), ["u 2"])
        assert.strictEqual((yield* users.findSeveral(one.id, [])).size, 0)
      })
    )

    it.effect("lists newest first, page by page", () =>
      Effect.gen(function* () {
        const users = yield* ManagedUsers
        const { id } = yield* makeInboxWorkspace()
        for (const n of [1, 2, 3]) yield* users.put(id, `u${n}`, DateTime.add(noon, { minutes: n }))
        const first = yield* users.list(id, { limit: 2, after: Option.none() })
        const second = yield* users.list(id, { limit: 2, after: first.next })
        assert.deepStrictEqual(
          [...first.items, ...second.items].map(({ externalUserId }) => externalUserId),
          ["u3", "u2", "u1"]
        )
        assert.deepStrictEqual(second.next, Option.none())
      })
    )

    it.effect("erases a user with its accounts, once", () =>
      Effect.gen(function* () {
        const users = yield* ManagedUsers
        const { id } = yield* makeInboxWorkspace()
        const mine = yield* connect(id, { networkAccountId: "1", owner: "u1" })
        const yours = yield* connect(id, { networkAccountId: "2", owner: "u2" })
        assert.isTrue(yield* users.erase(id, "u1", redactNames))
        assert.isFalse(yield* users.erase(id, "u1", redactNames))
        const accounts = yield* SocialAccounts
        assert.deepStrictEqual(yield* accounts.find(id, mine.id), Option.none())
        assert.isTrue(Option.isSome(yield* accounts.find(id, yours.id)))
      })
    )

    it.effect("tells who follows the workspace that an erased user's account is gone, and of nothing before", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const mine = yield* connect(id, { networkAccountId: "1", owner: "u1" })
        const yours = yield* connect(id, { networkAccountId: "2", owner: "u2" })
        yield* ingest(mine, [posted()])
        yield* ingest(yours, [posted()])
        yield* (yield* ManagedUsers).erase(id, "u1", redactNames)
        const [kept, told, ...more] = yield* eventsAfter(id)
        assert.strictEqual(kept?.event._tag, "NewItem")
        assert.deepStrictEqual(told?.event, {
          _tag: "AccountMoved",
          accountId: mine.id,
          from: Option.none(),
          to: Option.none()
        })
        assert.deepStrictEqual([kept?.isShown, told?.isShown, more], [true, false, []])
      })
    )

    it.effect("leaves the name of an erased user in no move of an account that is another's now", () =>
      Effect.gen(function* () {
        const [accounts, { id }] = [yield* SocialAccounts, yield* makeInboxWorkspace()]
        const account = yield* connect(id, { owner: "u1" })
        for (const owner of ["u2", "u3"]) {
          yield* accounts.update(id, account.id, { externalUserId: Option.some(owner) }, noon)
        }
        yield* (yield* ManagedUsers).erase(id, "u2", redactNames)
        const moves = (yield* eventsAfter(id)).map(({ event }) => event)
        assert.deepStrictEqual(moves, [
          { _tag: "AccountMoved", accountId: account.id, from: Option.some("u1"), to: Option.none() },
          { _tag: "AccountMoved", accountId: account.id, from: Option.none(), to: Option.some("u3") }
        ])
      })
    )

    it.effect("leaves nothing in the log of an erased user's endpoint that failed, and that of another's", () =>
      Effect.gen(function* () {
        const [users, log] = [yield* ManagedUsers, yield* InboxEvents]
        const { id } = yield* makeInboxWorkspace()
        for (const user of ["u1", "u2"]) {
          yield* users.put(id, user, noon)
          const endpoint: ShownEndpoint = {
            id: yield* nextOutgoingEndpointId(yield* SecureRandom),
            url: "https://hooks.example/",
            events: Option.none(),
            externalUserId: Option.some(user),
            description: Option.none(),
            status: "failing",
            statusReason: Option.none(),
            isOrdered: false,
            createdAt: noon,
            lastSuccessAt: Option.none(),
            lastFailureAt: Option.some(noon)
          }
          yield* log.publish(id, [{ _tag: "EndpointFailing", endpoint }], noon)
        }
        assert.isTrue(yield* users.erase(id, "u1", redactNames))
        const left = (yield* eventsAfter(id, 0)).flatMap(({ event }) =>
          event._tag === "EndpointFailing" ? Option.toArray(event.endpoint.externalUserId) : []
        )
        assert.deepStrictEqual(left, ["u2"])
      })
    )

    it.effect("tells a member's workspace and role as they stand now, and nothing of who is none", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const [workspace, other] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        yield* members.set(workspace.id, "ann", "viewer")
        yield* members.set(workspace.id, "ann", "admin")
        assert.deepStrictEqual(
          yield* members.findMembership(workspace.id, "ann"),
          Option.some({ workspace, role: "admin" })
        )
        assert.deepStrictEqual(yield* members.findMembership(other.id, "ann"), Option.none())
        yield* members.remove(workspace.id, "ann")
        assert.deepStrictEqual(yield* members.findMembership(workspace.id, "ann"), Option.none())
      })
    )
  })
