import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { type Actor, CurrentActor } from "@loopbox/core/audit/Actor"
import type { AuditEvent } from "@loopbox/core/audit/AuditEvent"
import { type AuditFilter, AuditStore } from "@loopbox/core/audit/AuditStore"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { AuditEventId, SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { PostStore } from "@loopbox/core/posts/PostStore"
import type { KeptPost } from "@loopbox/core/posts/Post"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Members } from "@loopbox/core/workspaces/Members"
import { Workspace } from "@loopbox/core/workspaces/Workspace"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { HiddenChanged } from "@loopbox/core/networks/InboundActivity"
import { nextAuditEventId, nextInboxItemId } from "@loopbox/core/kernel/Ids"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { noon, posted } from "../fixtures/activities.ts"
import {
  connect,
  type InboxPorts,
  inboxWorld,
  ingest,
  makeInboxWorkspace,
  newAccount,
  redactNames,
  scopeOf,
  sealAs
} from "../fixtures/inboxFixtures.ts"
import { makeKeptPost } from "../fixtures/postFixtures.ts"
import { apiKey, type StorePorts } from "../fixtures/storeFixtures.ts"

/** The ports that the suite needs. */
export type AuditPorts = InboxPorts | StorePorts | PostStore | RetentionStore | AuditStore

const everything: AuditFilter = { actorId: Option.none(), action: Option.none(), targetId: Option.none() }

const eventsOf = Effect.fnUntraced(function* (workspaceId: WorkspaceId, filter: Partial<AuditFilter> = {}) {
  const page = { limit: 100, after: Option.none() }
  return (yield* (yield* AuditStore).list(workspaceId, { ...everything, ...filter }, page)).items
})

const named = ({ action, target }: AuditEvent) => `${action} ${target.id}`

/** What a step adds to the audit, the oldest first. */
const added = Effect.fnUntraced(function* <A, E, R>(workspaceId: WorkspaceId, step: Effect.Effect<A, E, R>) {
  // A later moment than that of all events before.
  yield* TestClock.adjust("1 second")
  const before = (yield* eventsOf(workspaceId)).length
  yield* step
  const events = yield* eventsOf(workspaceId)
  return events.slice(0, events.length - before).toReversed()
})

const key: Actor = { type: "api_key", id: Option.some("key_1"), requestId: Option.some("req_1") }

const submit = Effect.fnUntraced(function* (kept: KeptPost) {
  const { idempotencyKey, workspaceId } = kept.post
  return yield* (yield* PostStore).submit({ workspaceId, idempotencyKey }, (existing) =>
    Result.succeed(Option.getOrElse(existing, () => kept))
  )
})

/** What every adapter does: the event of a change stands in its transaction, once. */
export const auditStoreContract = <E>(adapter: string, stores: Layer.Layer<AuditPorts, E>) =>
  layer(inboxWorld(stores))(`AuditStore: ${adapter}`, (it) => {
    it.effect("has who did what to what, in which request", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const set = (yield* Members).set(id, "ann", "admin")
        const [event, ...more] = yield* added(id, Effect.provideService(set, CurrentActor, key))
        const at = yield* DateTime.now
        assert.deepStrictEqual(more, [])
        assert.deepStrictEqual(event, {
          id: event?.id ?? assert.fail("no event"),
          workspaceId: id,
          createdAt: at,
          actor: { type: "api_key", id: Option.some("key_1") },
          action: "member.set",
          target: { type: "member", id: "ann" },
          requestId: Option.some("req_1"),
          details: { role: "admin" }
        })
      })
    )

    it.effect("has one event of each change of access, and none of what changed nothing", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const [members, keys, users] = [yield* Members, yield* ApiKeys, yield* ManagedUsers]
        const made = yield* apiKey(id, noon)
        const unowned = yield* apiKey(id, noon, "nobody")
        const names = Effect.fnUntraced(function* <A, E2, R>(step: Effect.Effect<A, E2, R>) {
          return (yield* added(id, step)).map(named)
        })
        assert.deepStrictEqual(yield* names(keys.insert(made)), [`api_key.created ${made.id}`])
        assert.deepStrictEqual(yield* names(keys.insert(unowned)), [])
        assert.deepStrictEqual(yield* names(keys.revoke(id, made.id)), [`api_key.revoked ${made.id}`])
        assert.deepStrictEqual(yield* names(keys.revoke(id, made.id)), [])
        assert.deepStrictEqual(yield* names(members.set(id, "ann", "viewer")), ["member.set ann"])
        assert.deepStrictEqual(yield* names(members.remove(id, "ann")), ["member.removed ann"])
        assert.deepStrictEqual(yield* names(members.remove(id, "ann")), [])
        assert.deepStrictEqual(yield* names(users.put(id, "u1", noon)), ["managed_user.created u1"])
        assert.deepStrictEqual(yield* names(users.put(id, "u1", noon)), [])
      })
    )

    it.effect("has the plan that a workspace got, and nothing of a change that was refused", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const workspaces = yield* Workspaces
        const change = workspaces.update(id, (one) => Effect.succeed(new Workspace({ ...one, plan: "team" })))
        const [event, ...more] = yield* added(id, change)
        assert.deepStrictEqual([event?.action, event?.details, more], ["workspace.updated", { plan: "team" }, []])
        assert.deepStrictEqual(yield* added(id, Effect.exit(workspaces.update(id, () => Effect.fail("no")))), [])
      })
    )

    it.effect("has one event of each change of an account, and that of the user it made", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const accounts = yield* SocialAccounts
        const account = yield* newAccount(id, { owner: "u1" })
        const since = DateTime.subtract(noon, { days: 7 })
        const connecting = accounts.connect(account, sealAs("sealed"), since, { isAnnounced: false })
        const steps: ReadonlyArray<readonly [Effect.Effect<unknown, unknown>, ReadonlyArray<string>]> = [
          [connecting, ["managed_user.created u1", `account.connected ${account.id}`]],
          [Effect.exit(connecting), []],
          [accounts.update(id, account.id, { name: "New" }, noon), [`account.updated ${account.id}`]],
          [
            accounts.update(id, account.id, { externalUserId: Option.some("u2") }, noon),
            ["managed_user.created u2", `account.moved ${account.id}`]
          ],
          [accounts.disconnect(id, account.id, noon), [`account.disconnected ${account.id}`]],
          [accounts.disconnect(id, account.id, noon), []],
          [connecting, [`account.connected ${account.id}`]],
          [admit(accounts, account), [`account.updated ${account.id}`]]
        ]
        for (const [step, expected] of steps) {
          assert.deepStrictEqual((yield* added(id, Effect.exit(step))).map(named), expected)
        }
      })
    )

    it.effect("has one event of each change of a post by a caller, and none of a repeated request", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id)
        const kept = yield* makeKeptPost(id, [account], noon, { key: "k", isDraft: true })
        const store = yield* PostStore
        const { scope } = scopeOf(id)
        const change = (decide: Parameters<typeof store.change>[2]) => store.change(scope, kept.post.id, decide)
        const names = Effect.fnUntraced(function* <A, E2, R>(step: Effect.Effect<A, E2, R>) {
          return (yield* added(id, step)).map(named)
        })
        assert.deepStrictEqual(yield* names(submit(kept)), [`post.created ${kept.post.id}`])
        assert.deepStrictEqual(yield* names(submit(kept)), [])
        assert.deepStrictEqual(yield* names(change(() => Result.succeed({ _tag: "Keep" }))), [])
        assert.deepStrictEqual(yield* names(Effect.exit(change(() => Result.fail("no")))), [])
        assert.deepStrictEqual(yield* names(change((one) => Result.succeed({ _tag: "Change", kept: one }))), [
          `post.updated ${kept.post.id}`
        ])
        assert.deepStrictEqual(yield* names(change(() => Result.succeed({ _tag: "Delete" }))), [
          `post.deleted ${kept.post.id}`
        ])
      })
    )

    it.effect("has what a caller did with an item, and nothing of what the network reports", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id)
        const [items, random] = [yield* IngestStore, yield* SecureRandom]
        const hide = Effect.fnUntraced(function* (isHidden: boolean, targetId: string, auditId: AuditEventId) {
          const newId = yield* nextInboxItemId(random)
          const route = { network: account.network, accountId: Option.some("page"), username: Option.none() }
          const key = { source: posted().source, externalId: "a" }
          const activity = new HiddenChanged({ ...key, route, isHidden, version: 0, asOf: yield* DateTime.now })
          const arrivals = [{ activity, newId, polledAt: Option.none() }]
          return yield* items.ingest({
            workspaceId: id,
            accountId: account.id,
            arrivals,
            now: noon,
            completes: [],
            isHeard: false,
            poll: Option.none(),
            audit: { action: isHidden ? "item.hidden" : "item.unhidden", targetId, id: auditId }
          })
        })
        assert.deepStrictEqual(yield* added(id, ingest(account, [posted({ externalId: "a" })])), [])
        const [one, other] = [yield* nextAuditEventId(random), yield* nextAuditEventId(random)]
        assert.deepStrictEqual((yield* added(id, hide(true, "itm_a", one))).map(named), ["item.hidden itm_a"])
        // Where nobody heard how the write ended.
        assert.deepStrictEqual(yield* added(id, hide(true, "itm_a", one)), [])
        // The network's own report may have come before its answer, so that nothing is left to change.
        assert.deepStrictEqual((yield* added(id, hide(true, "itm_a", other))).map(named), ["item.hidden itm_a"])
      })
    )

    it.effect(
      "has what people ask a network for: that the app's access ends, and that an account is deleted, once each",
      () =>
        Effect.gen(function* () {
          const { id } = yield* makeInboxWorkspace()
          const account = yield* connect(id)
          const key = { workspaceId: id, accountId: account.id }
          const later = DateTime.add(yield* DateTime.now, { days: 40_000 })
          const drop = (yield* AccountCredentials).drop(key, later)
          const erase = (yield* Erasures).erase(key, redactNames)
          assert.deepStrictEqual((yield* added(id, drop)).map(named), [`account.updated ${account.id}`])
          assert.deepStrictEqual(yield* added(id, drop), [])
          const [erased, ...more] = yield* added(id, erase)
          assert.deepStrictEqual([erased?.action, erased?.actor.type, more], ["account.disconnected", "system", []])
          assert.deepStrictEqual(yield* added(id, erase), [])
        })
    )

    it.effect("keeps the events of an erased user without its id, and loses those of an erased workspace", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const users = yield* ManagedUsers
        yield* users.put(id, "u1", noon)
        yield* users.put(id, "u2", noon)
        yield* TestClock.adjust("1 second")
        yield* users.erase(id, "u1", redactNames)
        const events = (yield* eventsOf(id)).map(named)
        const [erased] = yield* eventsOf(id, { action: Option.some("managed_user.erased") })
        const digest = erased?.target.id ?? assert.fail("no event")
        assert.match(digest, /^sha256:[0-9a-f]{64}$/)
        assert.sameMembers(
          [...events],
          [`managed_user.erased ${digest}`, `managed_user.created ${digest}`, "managed_user.created u2"]
        )
        yield* (yield* Workspaces).erase(id, Option.none())
        assert.deepStrictEqual(yield* eventsOf(id), [])
      })
    )

    it.effect("is listed newest first, page by page, by exact filters, of one workspace", () =>
      Effect.gen(function* () {
        const [{ id }, other] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        const members = yield* Members
        yield* members.set(other.id, "ann", "viewer")
        for (const user of ["ann", "bob", "cat"]) {
          yield* TestClock.adjust("1 second")
          yield* Effect.provideService(members.set(id, user, "viewer"), CurrentActor, key)
        }
        yield* TestClock.adjust("1 second")
        yield* members.remove(id, "bob")
        const store = yield* AuditStore
        const first = yield* store.list(id, everything, { limit: 3, after: Option.none() })
        const second = yield* store.list(id, everything, { limit: 3, after: first.next })
        assert.deepStrictEqual([...first.items, ...second.items].map(named), [
          "member.removed bob",
          "member.set cat",
          "member.set bob",
          "member.set ann"
        ])
        assert.deepStrictEqual(second.next, Option.none())
        const by = Effect.fnUntraced(function* (filter: Partial<AuditFilter>) {
          return (yield* eventsOf(id, filter)).map(named)
        })
        assert.deepStrictEqual(yield* by({ action: Option.some("member.removed") }), ["member.removed bob"])
        assert.deepStrictEqual(yield* by({ targetId: Option.some("bob") }), ["member.removed bob", "member.set bob"])
        assert.strictEqual((yield* by({ actorId: Option.some("key_1") })).length, 3)
        assert.deepStrictEqual(yield* by({ actorId: Option.some("key_") }), [])
      })
    )

    it.effect("forgets an event after 400 days", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        yield* (yield* Members).set(id, "ann", "viewer")
        const now = yield* DateTime.now
        const retention = yield* RetentionStore
        yield* retention.purgeRows(DateTime.add(now, { days: 399 }), 1_000)
        assert.strictEqual((yield* eventsOf(id)).length, 1)
        yield* retention.purgeRows(DateTime.add(now, { days: 401 }), 1_000)
        assert.deepStrictEqual(yield* eventsOf(id), [])
      })
    )
  })

/** A person allows the account again. */
const admit = (
  accounts: SocialAccounts["Service"],
  account: Parameters<SocialAccounts["Service"]["connect"]>[0]
): Effect.Effect<unknown, unknown> => {
  const expected: Option.Option<SocialAccountId> = Option.none()
  const revivableSince = DateTime.subtract(noon, { days: 7 })
  return accounts.admit({ account, seal: sealAs("fresh"), expected, revivableSince })
}
