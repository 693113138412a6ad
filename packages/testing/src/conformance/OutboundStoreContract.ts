import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import type { MediaStore } from "@loopbox/core/media/MediaStore"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { Source } from "@loopbox/core/networks/Source"
import { openStatuses, OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import { type OperationClaim, OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { accepted, begin, completed, failed, looked, uncertain } from "@loopbox/core/outbound/transitions"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { posted, type PostedOptions } from "../fixtures/activities.ts"
import {
  connect,
  eventsAfter,
  ingest,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  makeInboxWorkspace,
  redactNames,
  scopeOf
} from "../fixtures/inboxFixtures.ts"
import { leaseContract } from "./leaseContract.ts"
import { replyMediaSuite } from "./suites/replyMediaSuite.ts"
import { privateReplySuite } from "./suites/privateReplySuite.ts"
import { makeOperation } from "../fixtures/outboundFixtures.ts"
import { OutcomeUnknown } from "@loopbox/core/networks/ConnectorErrors"

/** The ports that the suite needs. */
export type OutboundPorts = InboxPorts | OutboundStore | RetentionStore | MediaStore

const source = "ig_comment"
const sources = [source] as const
const seconds = (at: DateTime.Utc, count: number) => DateTime.add(at, { seconds: count })

/** A workspace and time for one test; the time is earlier than that of all tests before. */
const makePlace = Effect.gen(function* () {
  const at = yield* inboxEpoch
  const { id } = yield* makeInboxWorkspace(at)
  return { at, account: yield* connect(id, { owner: "u1", at }) }
})

/** Submits an operation unchanged, unless its key was used before. */
const submit = Effect.fnUntraced(function* (operation: OutboundOperation) {
  return yield* (yield* OutboundStore).submit(operation, (existing) =>
    Result.succeed(Option.getOrElse(existing, () => operation))
  )
})

const claim = Effect.fnUntraced(function* (now: DateTime.Utc, limit = 1) {
  const token = yield* (yield* SecureRandom).uuidV7()
  const leaseUntil = seconds(now, 15)
  return yield* (yield* OutboundStore).claim({ sources, limit, token, now, leaseNow: now, leaseUntil })
})

const only = (claims: ReadonlyArray<OperationClaim>): OperationClaim => claims[0] ?? assert.fail("nothing to claim")

const change = Effect.fnUntraced(function* (
  held: OperationClaim,
  next: (operation: OutboundOperation) => OutboundOperation,
  leaseUntil: Option.Option<DateTime.Utc> = Option.none()
) {
  return yield* (yield* OutboundStore).change(held, (operation) => ({ operation: next(operation), leaseUntil }))
})

/** An operation with an unknown outcome, whose attempt started at `at`. */
const makeUncertain = Effect.fnUntraced(function* (account: SocialAccount, at: DateTime.Utc, text = "Yes") {
  const operation = yield* submit(yield* makeOperation(account, at, { text }))
  return yield* change(only(yield* claim(at)), (found) => uncertain(begin(found, at), at)).pipe(
    Effect.tap(({ id }) => Effect.sync(() => assert.strictEqual(id, operation.id)))
  )
})

const find = Effect.fnUntraced(function* ({ id, workspaceId }: OutboundOperation, user?: string) {
  return yield* (yield* OutboundStore).find(scopeOf(workspaceId, user), id)
})

const own = (options: PostedOptions) => posted({ isOwn: true, threadKey: "c1", ...options })

const toldOf = Effect.fnUntraced(function* ({ workspaceId }: SocialAccount) {
  return (yield* eventsAfter(workspaceId)).flatMap(({ event }) =>
    event._tag === "ReplyUpdated" ? [event.operation.status] : []
  )
})

/** What every adapter of the port OutboundStore does. */
export const outboundStoreContract = <E>(adapter: string, stores: Layer.Layer<OutboundPorts, E>) => {
  privateReplySuite(adapter, stores)
  replyMediaSuite(adapter, stores)
  layer(inboxWorld(stores))(`OutboundStore: ${adapter}`, (it) => {
    leaseContract(it, {
      what: "operation",
      add: Effect.fnUntraced(function* (count) {
        const { account, at } = yield* makePlace
        for (let n = 0; n < count; n++) yield* submit(yield* makeOperation(account, at))
        return at
      }),
      claim: (request) =>
        Effect.flatMap(OutboundStore, (store) => store.claim({ ...request, sources, now: request.leaseNow })),
      idOf: ({ operation }: OperationClaim) => operation.id,
      renew: (held, until) => Effect.flatMap(OutboundStore, (store) => store.renew(held, until)),
      release: (held) => change(held, (operation) => operation),
      settle: [
        (held, at) => change(held, (operation) => begin(operation, at)),
        (held) =>
          Effect.flatMap(OutboundStore, (store) =>
            store.reconcile(held, [], ({ operation }) => ({ operation, leaseUntil: Option.none() }))
          )
      ]
    })

    it.effect("keeps an operation whole, and shows it to whom the account belongs now", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const operation = yield* submit(yield* makeOperation(account, at, { key: "k", text: "Straße 👍\u0000" }))
        const kept = Option.getOrThrow(yield* find(operation))
        assert.deepStrictEqual({ ...kept, text: "" }, { ...operation, text: "" })
        assert.isTrue(kept.text.startsWith("Straße 👍"))
        assert.isTrue(Option.isSome(yield* find(operation, "u1")))
        assert.isTrue(Option.isNone(yield* find(operation, "u2")))
        const other = yield* makeInboxWorkspace(at)
        const store = yield* OutboundStore
        assert.isTrue(Option.isNone(yield* store.find(scopeOf(other.id), operation.id)))
        const none = { ...scopeOf(account.workspaceId), sources: new Set<Source>() }
        assert.isTrue(Option.isNone(yield* store.find(none, operation.id)))
        assert.deepStrictEqual(yield* toldOf(account), ["pending"])
        assert.strictEqual(only(yield* claim(at)).operation.id, operation.id)
      })
    )

    it.effect("makes one operation of one key and item, however many ask at once; without a key each is its own", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const first = yield* makeOperation(account, at, { key: "k" })
        const asked = yield* Effect.forEach(
          Array.from({ length: 20 }),
          () => Effect.flatMap(makeOperation(account, at, { key: "k", itemId: first.itemId }), submit),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(asked.map(({ id }) => id)).size, 1)
        const otherItem = yield* submit(yield* makeOperation(account, at, { key: "k" }))
        const keyless = yield* Effect.forEach([1, 2], () =>
          Effect.flatMap(makeOperation(account, at, { itemId: first.itemId }), submit)
        )
        const all = new Set([...asked, otherItem, ...keyless].map(({ id }) => id))
        assert.strictEqual(all.size, 4)
        assert.strictEqual((yield* claim(at, 20)).length, 4)
        assert.deepStrictEqual(yield* toldOf(account), ["pending", "pending", "pending", "pending"])
      })
    )

    it.effect("refuses what the caller refuses, keeping nothing, and what is of an account that is gone", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const store = yield* OutboundStore
        const operation = yield* makeOperation(account, at)
        assert.strictEqual(yield* Effect.flip(store.submit(operation, () => Result.fail("no" as const))), "no")
        yield* (yield* SocialAccounts).disconnect(account.workspaceId, account.id, at)
        assert.deepInclude(yield* Effect.flip(submit(operation)), { _tag: "AccountGone" })
        assert.deepStrictEqual(yield* toldOf(account), [])
      })
    )

    it.effect("keeps what a lost worker had noted for the next one", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        yield* submit(yield* makeOperation(account, seconds(at, 5)))
        assert.deepStrictEqual(yield* claim(seconds(at, 4)), [])
        const begun = seconds(at, 5)
        const lost = only(yield* claim(begun))
        yield* change(lost, (operation) => begin(operation, begun), Option.some(seconds(begun, 20)))
        assert.deepStrictEqual(yield* claim(seconds(begun, 19), 5), [])
        const held = only(yield* claim(seconds(begun, 20)))
        assert.deepStrictEqual([held.operation.id, held.operation.state._tag], [lost.operation.id, "Sending"])
        const settled = yield* change(held, (operation) => begin(operation, seconds(begun, 20)))
        assert.strictEqual(settled.state._tag, "OutcomeUnknown")
        assert.deepStrictEqual(yield* toldOf(account), ["pending", "sending", "outcome_unknown"])
      })
    )

    it.effect("gives operations only of the sources that are asked for", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        yield* submit(yield* makeOperation(account, at))
        const store = yield* OutboundStore
        const others = { sources: ["x_reply"] as const, limit: 5, token: "t", now: at, leaseNow: at, leaseUntil: at }
        assert.deepStrictEqual(yield* store.claim(others), [])
        assert.strictEqual((yield* claim(at, 3)).length, 1)
      })
    )

    it.effect("tells readers of every change that they can see, and of nothing else", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const operation = yield* makeUncertain(account, at)
        const held = only(yield* claim(seconds(at, 5)))
        yield* change(held, (found) => looked(found, seconds(at, 5)))
        assert.deepStrictEqual(yield* claim(seconds(at, 14), 5), [])
        const again = only(yield* claim(seconds(at, 15)))
        const post = own({ externalId: "r1", receivedAt: at })
        yield* change(again, (found) => accepted(found, post, seconds(at, 15)), Option.some(seconds(at, 30)))
        const itemId = Option.some(operation.itemId)
        yield* change(again, (found) => completed(found, { externalId: "r1", itemId }, seconds(at, 16)))
        assert.deepStrictEqual(yield* toldOf(account), ["pending", "outcome_unknown", "remote_succeeded", "completed"])
        const { state } = Option.getOrThrow(yield* find(operation))
        assert.isTrue(state._tag === "Completed" && Option.isSome(state.responseItemId))
        assert.deepStrictEqual(yield* claim(DateTime.add(at, { hours: 1 }), 5), [])
      })
    )

    it.effect("shows a worker the account's other open replies, its own items, and which posts are taken", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const store = yield* OutboundStore
        const first = yield* makeUncertain(account, at)
        const taken = yield* makeUncertain(account, at)
        const post = own({ externalId: "r1", receivedAt: at })
        const holder = (yield* claim(seconds(at, 5), 5)).find(({ operation }) => operation.id === taken.id)
        if (holder === undefined) return assert.fail("not claimed")
        yield* change(holder, (found) => accepted(found, post, seconds(at, 6)))
        const ended = yield* submit(yield* makeOperation(account, at, { key: "k" }))
        yield* ingest(
          account,
          [
            own({ externalId: "r1", receivedAt: at }),
            own({ externalId: "r0", receivedAt: seconds(at, -61) }),
            own({ externalId: "r2", receivedAt: seconds(at, -60), body: "Hi" }),
            posted({ externalId: "c5", receivedAt: at })
          ],
          { now: seconds(at, 8) }
        )
        const third = yield* change(
          (yield* claim(seconds(at, 20), 9)).find(({ operation }) => operation.id === ended.id) ??
            assert.fail("not claimed"),
          (found) => begin(found, seconds(at, 20)),
          Option.some(seconds(at, 21))
        )
        const held = (yield* claim(seconds(at, 40), 9)).find(({ operation }) => operation.id === first.id)
        if (held === undefined) return assert.fail("not claimed")
        yield* store.reconcile(held, ["r1", "r7"], (facts) => {
          assert.deepStrictEqual(facts.operation.id, first.id)
          assert.deepStrictEqual(
            facts.rivals.map(({ id }) => id),
            [third.id]
          )
          assert.deepStrictEqual(
            facts.own.map(({ body, createdAt, externalId }) => [externalId, body, createdAt]),
            [
              ["r2", "Hi", seconds(at, 8)],
              ["r1", "Hello", seconds(at, 8)]
            ]
          )
          assert.deepStrictEqual([...facts.taken], ["r1"])
          return { operation: facts.operation, leaseUntil: Option.none() }
        })
      })
    )

    it.effect("makes replies of unknown outcome due when an own item of their account is stored", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const other = yield* connect(account.workspaceId, { networkAccountId: "other", at })
        yield* makeUncertain(account, at)
        const held = only(yield* claim(seconds(at, 5)))
        yield* change(held, (found) => looked(found, seconds(at, 300)))
        const later = seconds(at, 310)
        yield* ingest(other, [own({ externalId: "o1" })], { now: later })
        yield* ingest(account, [posted({ externalId: "c2" })], { now: later })
        assert.deepStrictEqual(yield* claim(later), [])
        yield* ingest(account, [own({ externalId: "r1" })], { now: later })
        const woken = only(yield* claim(later))
        assert.strictEqual(woken.operation.id, held.operation.id)
        // After an unchanged release it waits for its next look-up.
        yield* change(woken, (found) => found)
        assert.deepStrictEqual(yield* claim(seconds(later, 60)), [])
        yield* (yield* OutboundStore).hasten({ ...account, accountId: account.id })
        assert.strictEqual(only(yield* claim(later)).operation.id, held.operation.id)
      })
    )

    it.effect("lets a replay of a key change its operation, which is then due", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const store = yield* OutboundStore
        const operation = yield* submit(yield* makeOperation(account, at, { key: "k" }))
        const away = new OutcomeUnknown({ network: "instagram", networkCode: Option.none(), detail: "" })
        const unknown = yield* change(only(yield* claim(at)), (found) => failed(begin(found, at), away, at))
        const same = yield* store.submit(operation, (existing) => {
          assert.deepStrictEqual(existing, Option.some(unknown))
          return Result.succeed(new OutboundOperation({ ...unknown, attempts: 7, updatedAt: seconds(at, 1) }))
        })
        assert.deepStrictEqual(yield* find(operation), Option.some(same))
        assert.strictEqual(same.attempts, 7)
      })
    )

    it.effect("counts what has not ended, by status", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const store = yield* OutboundStore
        const before = yield* store.depth
        const grown = Effect.map(store.depth, ({ counts }) =>
          openStatuses.map((status) => counts[status] - before.counts[status])
        )
        for (let n = 0; n < 5; n++) yield* submit(yield* makeOperation(account, at))
        assert.deepStrictEqual(yield* grown, [5, 0, 0, 0])
        assert.isTrue(Option.exists((yield* store.depth).oldestAt, DateTime.isLessThanOrEqualTo(at)))
        const [first, ...others] = yield* claim(at, 4)
        for (const held of others) yield* change(held, (found) => begin(found, at), Option.some(seconds(at, 15)))
        if (first !== undefined) yield* change(first, (found) => begin(found, seconds(at, 61)))
        assert.deepStrictEqual(yield* grown, [1, 3, 0, 0])
        const [second, third] = others
        if (second === undefined || third === undefined) return assert.fail("nothing to claim")
        yield* change(second, (found) => uncertain(found, at))
        yield* change(third, (found) => accepted(found, own({ externalId: "r1", receivedAt: at }), at))
        assert.deepStrictEqual(yield* grown, [1, 1, 1, 1])
      })
    )

    it.effect("forgets replies with their account, and 90 days after their end", () =>
      Effect.gen(function* () {
        const { account, at } = yield* makePlace
        const ended = yield* submit(yield* makeOperation(account, at))
        const end = seconds(at, 61)
        yield* change(only(yield* claim(end)), (found) => begin(found, end))
        const open = yield* makeUncertain(account, seconds(at, 100))
        const retention = yield* RetentionStore
        const purge = (days: number) =>
          Effect.repeat(retention.purgeRows(DateTime.add(end, { days }), 1), { while: (count) => count > 0 })
        yield* purge(89)
        assert.isTrue(Option.isSome(yield* find(ended)))
        yield* purge(90)
        assert.isTrue(Option.isNone(yield* find(ended)))
        assert.isTrue(Option.isSome(yield* find(open)))
        yield* (yield* ManagedUsers).erase(account.workspaceId, "u1", redactNames)
        assert.isTrue(Option.isNone(yield* find(open)))
        assert.deepStrictEqual(yield* claim(DateTime.add(at, { hours: 1 }), 5), [])
      })
    )
  })
}
