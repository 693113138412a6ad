import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { ManagedUsers } from "../access/ManagedUsers.ts"
import { type DeliveryClaim, WebhookDeliveries } from "../inbox/WebhookDeliveries.ts"
import { posted } from "./activities.ts"
import {
  connect,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  ingest,
  makeInboxWorkspace,
  redactNames
} from "./inboxFixtures.ts"

const bytes = Uint8Array.of(0, 255, 10, 123)

const store = Effect.fnUntraced(function* (at: DateTime.Utc, text?: string) {
  const id = yield* (yield* SecureRandom).uuidV7()
  const body = text === undefined ? bytes : new TextEncoder().encode(text)
  yield* (yield* WebhookDeliveries).store({ id, endpoint: "meta", body, arrivedAt: at }, at)
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

    it.effect("gives no delivery to two workers that claim at once", () =>
      Effect.gen(function* () {
        const now = yield* inboxEpoch
        for (let n = 0; n < 12; n++) yield* store(now)
        const claims = yield* Effect.all(
          Array.from({ length: 6 }, () => claim(now, 3)),
          { concurrency: "unbounded" }
        )
        const ids = claims.flat().map(({ delivery }) => delivery.id)
        assert.strictEqual(new Set(ids).size, ids.length)
        assert.strictEqual(ids.length, 12)
      })
    )

    it.effect("gives it to another worker when the lease ends; the first can't settle it any more", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const now = yield* inboxEpoch
        yield* store(now)
        const lost = only(yield* claim(now))
        const late = DateTime.add(now, { minutes: 1 })
        const held = only(yield* claim(late))
        assert.deepStrictEqual([held.delivery.id, held.attempts], [lost.delivery.id, 1])
        const error = yield* Effect.flip(deliveries.settle(lost, { _tag: "Done" }, late))
        assert.strictEqual(error._tag, "DeliveryLeaseLost")
        yield* deliveries.settle(held, { _tag: "Done" }, late)
        assert.deepStrictEqual(yield* claim(DateTime.add(now, { days: 1 })), [])
        assert.strictEqual(
          (yield* Effect.flip(deliveries.settle(held, { _tag: "Done" }, late)))._tag,
          "DeliveryLeaseLost"
        )
      })
    )

    it.effect("leaves it with a worker that says in time that it is at work, and with none that says so too late", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const now = yield* inboxEpoch
        yield* store(now)
        const slow = only(yield* claim(now))
        yield* deliveries.renew(slow, DateTime.add(now, { minutes: 2 }))
        assert.deepStrictEqual(yield* claim(DateTime.add(now, { minutes: 1 })), [])
        const late = DateTime.add(now, { minutes: 2 })
        const held = only(yield* claim(late))
        const error = yield* Effect.flip(deliveries.renew(slow, DateTime.add(now, { minutes: 9 })))
        assert.strictEqual(error._tag, "DeliveryLeaseLost")
        yield* deliveries.settle(held, { _tag: "Done" }, late)
        assert.strictEqual((yield* Effect.flip(deliveries.renew(held, late)))._tag, "DeliveryLeaseLost")
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
        assert.deepStrictEqual(yield* deliveries.complete([lost, ...mine], late), new Set([lost.delivery.id]))
        assert.deepStrictEqual(yield* deliveries.complete(mine, late), new Set([first, second]))
        const again = yield* claim(DateTime.add(late, { hours: 1 }), 3)
        assert.deepStrictEqual(
          again.map(({ delivery }) => delivery.id),
          [lost.delivery.id]
        )
        assert.deepStrictEqual(yield* deliveries.complete(again, late), new Set())
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

    it.effect("tells how many wait or are held, since when the oldest does, and how many failed", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const before = yield* deliveries.depth
        const now = yield* inboxEpoch
        const ids = [yield* store(now), yield* store(DateTime.add(now, { seconds: 1 })), yield* store(now)]
        const grown = yield* deliveries.depth
        assert.strictEqual(grown.pending - before.pending, 3)
        assert.deepStrictEqual(grown.oldestPendingAt, Option.some(now))
        const held = yield* claim(now, 2)
        assert.strictEqual((yield* deliveries.depth).pending, grown.pending)
        for (const one of held) {
          const isFirst = one.delivery.id === ids[0]
          yield* deliveries.settle(one, isFirst ? { _tag: "Done" } : { _tag: "Failed", reason: "x" }, now)
        }
        const after = yield* deliveries.depth
        assert.deepStrictEqual([grown.pending - after.pending, after.failed - before.failed], [2, 1])
        assert.deepStrictEqual(after.oldestPendingAt, Option.some(DateTime.add(now, { seconds: 1 })))
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
            // Its unit was never done.
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
          // What its neighbours had done of it stays done.
          assert.isTrue((yield* ingest(yours, [posted()], { completes: [waiting] })).isRepeated)
          yield* Effect.forEach(held, (one) => deliveries.settle(one, { _tag: "Done" }, now))
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
