import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { eraseDue } from "@loopbox/core/accounts/eraseDue"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { type DeliveryClaim, WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { posted } from "../fixtures/activities.ts"
import {
  connect,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  ingest,
  listed,
  makeInboxWorkspace,
  redactNames,
  scopeOf
} from "../fixtures/inboxFixtures.ts"
import { leaseContract } from "./leaseContract.ts"
import { webhookTurnsContract } from "./webhookTurnsContract.ts"

const bytes = Uint8Array.of(0, 255, 10, 123)

const store = Effect.fnUntraced(function* (at: DateTime.Utc, text?: string, endpoint = "meta") {
  const id = yield* (yield* SecureRandom).uuidV7()
  const body = text === undefined ? bytes : new TextEncoder().encode(text)
  yield* (yield* WebhookDeliveries).store({ id, endpoint, body, arrivedAt: at }, at)
  return id
})

const claim = Effect.fnUntraced(function* (leaseNow: DateTime.Utc, limit = 1) {
  const token = yield* (yield* SecureRandom).uuidV7()
  const leaseUntil = DateTime.add(leaseNow, { minutes: 1 })
  return yield* (yield* WebhookDeliveries).claim({ limit, token, leaseNow, leaseUntil })
})

const only = (claims: ReadonlyArray<DeliveryClaim>): DeliveryClaim => claims[0] ?? assert.fail("nothing to claim")

/** What every adapter of the port WebhookDeliveries does. */
export const webhookDeliveriesContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`WebhookDeliveries: ${adapter}`, (it) => {
    leaseContract(it, {
      what: "delivery",
      add: Effect.fnUntraced(function* (count) {
        const now = yield* inboxEpoch
        for (let n = 0; n < count; n++) yield* store(now)
        return now
      }),
      claim: (request) => Effect.flatMap(WebhookDeliveries, (deliveries) => deliveries.claim(request)),
      idOf: ({ delivery }: DeliveryClaim) => delivery.id,
      renew: (held, until) => Effect.flatMap(WebhookDeliveries, (deliveries) => deliveries.renew(held, until)),
      release: (held, now) => Effect.flatMap(WebhookDeliveries, (deliveries) => deliveries.release(held, now)),
      settle: [
        (held, at) => Effect.flatMap(WebhookDeliveries, (deliveries) => deliveries.settle(held, { _tag: "Done" }, at)),
        (held, at) =>
          Effect.flatMap(WebhookDeliveries, (deliveries) =>
            deliveries.settle(held, { _tag: "Waiting", until: at }, at)
          ),
        (held, at) =>
          WebhookDeliveries.pipe(
            Effect.flatMap((deliveries) => deliveries.complete([held], at)),
            Effect.flatMap(([result = Result.void]) => Effect.fromResult(result))
          )
      ]
    })

    it.effect("counts an attempt for each claim but one that was handed back", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const now = yield* inboxEpoch
        yield* store(now)
        yield* deliveries.release(only(yield* claim(now)), now)
        assert.strictEqual(only(yield* claim(now)).attempts, 0)
        const late = DateTime.add(now, { minutes: 1 })
        const held = only(yield* claim(late))
        assert.strictEqual(held.attempts, 1)
        yield* deliveries.settle(held, { _tag: "Done" }, late)
        assert.deepStrictEqual(yield* claim(DateTime.add(now, { days: 1 })), [])
      })
    )

    it.effect("gives the delivery that waits longest, byte for byte, to one worker", () =>
      Effect.gen(function* () {
        const now = yield* inboxEpoch
        const second = yield* store(DateTime.add(now, { seconds: 1 }))
        const first = yield* store(now)
        const later = DateTime.add(now, { seconds: 2 })
        const { attempts, delivery } = only(yield* claim(later))
        assert.deepStrictEqual([delivery.id, delivery.endpoint, attempts], [first, "meta", 0])
        assert.deepStrictEqual(Array.from(delivery.body), Array.from(bytes))
        assert.deepStrictEqual(delivery.arrivedAt, now)
        assert.strictEqual(only(yield* claim(later)).delivery.id, second)
        assert.deepStrictEqual(yield* claim(later, 10), [])
      })
    )

    it.effect("completes many in one go, and names those that another worker has now", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const now = yield* inboxEpoch
        const account = yield* connect((yield* makeInboxWorkspace(now)).id)
        yield* store(now)
        const lost = only(yield* claim(now))
        const late = DateTime.add(now, { minutes: 1 })
        const [first, second] = [yield* store(late), yield* store(late)]
        const held = yield* claim(late, 3)
        assert.strictEqual(held.length, 3)
        const mine = held.filter(({ delivery }) => delivery.id !== lost.delivery.id)
        yield* ingest(account, [posted()], { completes: [first, second] })
        const lostOf = (results: ReadonlyArray<Result.Result<void, LeaseLost>>) =>
          results.map((result) => (Result.isFailure(result) ? result.failure.id : "done"))
        assert.deepStrictEqual(lostOf(yield* deliveries.complete([lost, ...mine], late)), [
          lost.delivery.id,
          "done",
          "done"
        ])
        assert.sameMembers(lostOf(yield* deliveries.complete(mine, late)), [first, second])
        const again = yield* claim(DateTime.add(late, { hours: 1 }), 3)
        assert.deepStrictEqual(
          again.map(({ delivery }) => delivery.id),
          [lost.delivery.id]
        )
        assert.deepStrictEqual(lostOf(yield* deliveries.complete(again, late)), ["done"])
      })
    )

    it.effect("keeps one that waits until its moment", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const now = yield* inboxEpoch
        yield* store(now)
        const until = DateTime.add(now, { seconds: 5 })
        yield* deliveries.settle(only(yield* claim(now)), { _tag: "Waiting", until }, now)
        assert.deepStrictEqual(yield* claim(DateTime.add(now, { seconds: 4 })), [])
        assert.strictEqual(only(yield* claim(until)).attempts, 1)
      })
    )

    it.effect("keeps a failed one with its reason, and has it done again when asked, its units too", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const now = yield* inboxEpoch
        const account = yield* connect((yield* makeInboxWorkspace(now)).id)
        const id = yield* store(now)
        yield* ingest(account, [posted()], { completes: [id] })
        yield* deliveries.settle(only(yield* claim(now)), { _tag: "Failed", reason: "entry[0]: no id" }, now)
        assert.deepStrictEqual(yield* claim(DateTime.add(now, { hours: 1 })), [])
        const after = Option.some({ createdAt: DateTime.add(now, { seconds: 1 }), id: "" })
        const [failed] = (yield* deliveries.listFailed({ limit: 1, after })).items
        assert.deepStrictEqual(failed, {
          id,
          endpoint: "meta",
          createdAt: now,
          failedAt: now,
          reason: "entry[0]: no id"
        })
        assert.strictEqual(yield* deliveries.replay(Option.some("no such"), now), 0)
        assert.strictEqual(yield* deliveries.replay(Option.some(id), now), 1)
        assert.strictEqual(yield* deliveries.replay(Option.some(id), now), 0)
        const again = only(yield* claim(now))
        assert.deepStrictEqual([again.delivery.id, again.attempts], [id, 0])
        assert.isFalse((yield* ingest(account, [posted()], { completes: [id] })).isRepeated)
        yield* deliveries.settle(again, { _tag: "Done" }, now)
      })
    )

    it.effect("leaves those of endpoints that a process does not know to one that does (store H4)", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const now = yield* inboxEpoch
        const [newer, known] = [yield* store(now, "{}", "newer"), yield* store(now)]
        const request = { limit: 1, leaseNow: now, leaseUntil: DateTime.add(now, { seconds: 15 }) }
        const held = only(yield* deliveries.claim({ ...request, token: "t", endpoints: new Set(["meta"]) }))
        assert.strictEqual(held.delivery.id, known)
        yield* deliveries.settle(held, { _tag: "Done" }, now)
        const other = only(yield* claim(DateTime.add(now, { minutes: 1 })))
        assert.deepStrictEqual([other.delivery.id, other.attempts], [newer, 0])
        yield* deliveries.settle(other, { _tag: "Done" }, now)
      })
    )

    webhookTurnsContract(it)

    it.effect("tells how many wait or are held, since when the oldest does, and how many failed", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const before = yield* deliveries.depth
        const now = yield* inboxEpoch
        const ids = [yield* store(now), yield* store(DateTime.add(now, { seconds: 1 })), yield* store(now)]
        const grown = yield* deliveries.depth
        assert.strictEqual(grown.counts.pending - before.counts.pending, 3)
        assert.deepStrictEqual(grown.oldestAt, Option.some(now))
        const held = yield* claim(now, 2)
        assert.strictEqual((yield* deliveries.depth).counts.pending, grown.counts.pending)
        for (const one of held) {
          const isFirst = one.delivery.id === ids[0]
          yield* deliveries.settle(one, isFirst ? { _tag: "Done" } : { _tag: "Failed", reason: "x" }, now)
        }
        const after = yield* deliveries.depth
        assert.deepStrictEqual(
          [grown.counts.pending - after.counts.pending, after.counts.failed - before.counts.failed],
          [2, 1]
        )
        assert.deepStrictEqual(after.oldestAt, Option.some(DateTime.add(now, { seconds: 1 })))
        const [last] = yield* claim(DateTime.add(now, { seconds: 1 }))
        if (last !== undefined) yield* deliveries.settle(last, { _tag: "Done" }, now)
      })
    )

    it.effect(
      "redacts what it says to an account that is erased, whatever became of it, and keeps its neighbours",
      () =>
        Effect.gen(function* () {
          const deliveries = yield* WebhookDeliveries
          const now = yield* inboxEpoch
          const workspace = yield* makeInboxWorkspace(now)
          const mine = yield* connect(workspace.id, { networkAccountId: "mine", owner: "u1" })
          const yours = yield* connect(workspace.id, { networkAccountId: "yours", owner: "u2" })
          const [both, alone, broken, waiting] = [
            yield* store(now, "mine,yours"),
            yield* store(now, "mine"),
            // Its unit was never ingested.
            yield* store(now, "nobody,mine"),
            yield* store(DateTime.add(now, { seconds: 1 }), "yours,mine")
          ]
          for (const completes of [both, alone, waiting]) yield* ingest(mine, [posted()], { completes: [completes] })
          for (const completes of [both, waiting]) yield* ingest(yours, [posted()], { completes: [completes] })
          yield* Effect.forEach(yield* claim(now, 3), (held) =>
            deliveries.settle(held, { _tag: "Failed", reason: "x" }, now)
          )
          yield* (yield* ManagedUsers).erase(workspace.id, "u1", redactNames)
          assert.strictEqual(yield* deliveries.replay(Option.some(alone), now), 0)
          for (const id of [both, broken]) assert.strictEqual(yield* deliveries.replay(Option.some(id), now), 1)
          const held = yield* claim(DateTime.add(now, { seconds: 1 }), 10)
          assert.deepStrictEqual(
            new Map(held.map(({ delivery: { body, id } }) => [id, new TextDecoder().decode(body)])),
            new Map([
              [both, "yours"],
              [broken, "nobody"],
              [waiting, "yours"]
            ])
          )
          // Units of other accounts stay done.
          assert.isTrue((yield* ingest(yours, [posted()], { completes: [waiting] })).isRepeated)
          yield* Effect.forEach(held, (one) => deliveries.settle(one, { _tag: "Done" }, now))
        })
    )

    it.effect("keeps what it says to an erased account for somebody who can read it", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const [accounts, erasures] = [yield* SocialAccounts, yield* Erasures]
        const now = yield* inboxEpoch
        const workspace = yield* makeInboxWorkspace(now)
        const mine = yield* connect(workspace.id, { networkAccountId: "left", owner: "u1" })
        yield* connect(workspace.id, { networkAccountId: "beside" })
        const quiet = yield* connect(workspace.id, { networkAccountId: "quiet", owner: "u1" })
        const [both, alone] = [yield* store(now, "left,beside"), yield* store(now, "left")]
        yield* ingest(mine, [posted()], { completes: [both] })
        const bodies = Effect.gen(function* () {
          const held = yield* claim(now, 10)
          yield* Effect.forEach(held, (one) => deliveries.settle(one, { _tag: "Failed", reason: "x" }, now))
          for (const { delivery } of held) yield* deliveries.replay(Option.some(delivery.id), now)
          return new Map(held.map(({ delivery: { body, id } }) => [id, new TextDecoder().decode(body)]))
        })
        yield* (yield* ManagedUsers).erase(workspace.id, "u1", Option.none())
        const told = new Map([
          [both, "left,beside"],
          [alone, "left"]
        ])
        assert.deepStrictEqual(yield* bodies, told)
        const before = DateTime.subtract(now, { days: 3_000 })
        // The process can't parse them later either, and must not retry forever.
        yield* eraseDue(before, Option.none())
        const waiting = yield* erasures.list(before, 1_000)
        assert.isTrue(waiting.some((one) => one._tag === "Account" && one.accountId === mine.id))
        assert.deepStrictEqual(yield* bodies, told)
        for (const { id } of [mine, quiet]) assert.isTrue(Option.isNone(yield* accounts.find(workspace.id, id)))
        assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), [])
        yield* eraseDue(before, redactNames)
        assert.deepStrictEqual(yield* bodies, new Map([[both, "beside"]]))
        yield* Effect.forEach(yield* claim(now, 10), (one) => deliveries.settle(one, { _tag: "Done" }, now))
      })
    )

    it.effect("redacts what it says to an erased account by whichever of its ids", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const now = yield* inboxEpoch
        const here = yield* makeInboxWorkspace(now)
        yield* connect(here.id, { networkAccountId: "of webhooks", otherAccountId: "of the app", owner: "u1" })
        const id = yield* store(now, "of the app,yours,of webhooks")
        yield* (yield* ManagedUsers).erase(here.id, "u1", redactNames)
        const held = only(yield* claim(now))
        assert.deepStrictEqual([held.delivery.id, new TextDecoder().decode(held.delivery.body)], [id, "yours"])
        yield* deliveries.settle(held, { _tag: "Done" }, now)
      })
    )

    it.effect("keeps what it says to an account that another workspace has connected, too", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const now = yield* inboxEpoch
        const [here, there] = [yield* makeInboxWorkspace(now), yield* makeInboxWorkspace(now)]
        const account = yield* connect(here.id, { networkAccountId: "shared by two", owner: "u1" })
        yield* connect(there.id, { networkAccountId: "shared by two" })
        const id = yield* store(now, "shared by two,yours")
        yield* ingest(account, [posted()], { completes: [id] })
        yield* (yield* ManagedUsers).erase(here.id, "u1", redactNames)
        const held = only(yield* claim(now))
        assert.deepStrictEqual(
          [held.delivery.id, new TextDecoder().decode(held.delivery.body)],
          [id, "shared by two,yours"]
        )
        yield* deliveries.settle(held, { _tag: "Done" }, now)
      })
    )

    it.effect("removes what ended before, done and failed ones by their own moments", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const now = yield* inboxEpoch
        const [done, failed, pending] = [yield* store(now), yield* store(now), yield* store(now)]
        const settle = Effect.fnUntraced(function* (held: DeliveryClaim) {
          if (held.delivery.id === done) yield* deliveries.settle(held, { _tag: "Done" }, now)
          if (held.delivery.id === failed) yield* deliveries.settle(held, { _tag: "Failed", reason: "x" }, now)
        })
        yield* Effect.forEach(yield* claim(now, 3), settle)
        const later = DateTime.add(now, { days: 1 })
        const removeAll = (before: { readonly done: DateTime.Utc; readonly failed: DateTime.Utc }) =>
          Effect.repeat(deliveries.removeOlder(before, 1), { while: (count) => count > 0 })
        yield* removeAll({ done: later, failed: now })
        assert.strictEqual(yield* deliveries.replay(Option.some(failed), now), 1)
        yield* Effect.forEach(yield* claim(now), settle)
        yield* removeAll({ done: later, failed: later })
        assert.strictEqual(yield* deliveries.replay(Option.some(failed), now), 0)
        assert.strictEqual(only(yield* claim(DateTime.add(now, { hours: 1 }))).delivery.id, pending)
      })
    )
  })
