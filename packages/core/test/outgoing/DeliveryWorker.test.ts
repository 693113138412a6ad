import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Fiber, Layer, Option, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { AccountAdministration } from "../../src/access/AccountAdministration.ts"
import { InboxEvents } from "../../src/feed/InboxEvents.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import { InboxItemId } from "../../src/kernel/Ids.ts"
import { EndpointDeliveries } from "../../src/outgoing/EndpointDeliveries.ts"
import { type OutgoingEndpoint, showEndpoint } from "../../src/outgoing/OutgoingEndpoint.ts"
import { atOnceOfEndpoint, OutgoingQueue } from "../../src/outgoing/OutgoingQueue.ts"
import { WebhookEndpoints } from "../../src/outgoing/WebhookEndpoints.ts"
import { ManagedUsers } from "../../src/workspaces/ManagedUsers.ts"
import * as FakeWebhookSender from "@loopbox/testing/fakes/FakeWebhookSender"
import { nobody, Receivers } from "@loopbox/testing/fakes/FakeWebhookSender"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount } from "@loopbox/testing/layers/inboxLayers"
import { happen, layerEndpoints, makeEndpoint, worker } from "./endpointFixtures.ts"

/** Ids of the messages that came to an endpoint, in order. */
const received = ({ endpoint: { id } }: { readonly endpoint: OutgoingEndpoint }) =>
  Receivers.useSync(({ sent }) => sent.flatMap(({ endpointId, messageId }) => (endpointId === id ? [messageId] : [])))

const answer = ({ endpoint: { id } }: { readonly endpoint: OutgoingEndpoint }, receiver: FakeWebhookSender.Receiver) =>
  Receivers.useSync(({ answers }) => answers.set(id, receiver))

const statuses = Effect.fnUntraced(function* ({ caller, endpoint }: Made) {
  const page = { limit: 100, after: Option.none() }
  const { items } = yield* (yield* EndpointDeliveries).list(caller, endpoint.id, Option.none(), page)
  return items.map(({ status }) => status)
})

type Made = Effect.Success<ReturnType<typeof makeEndpoint>>

describe("DeliveryWorker", () => {
  it.effect("brings each event once to every endpoint that wants it, signed with the endpoint's secret", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const [all, posts] = [yield* makeEndpoint(id), yield* makeEndpoint(id, { events: Option.some(["post.*"]) })]
      yield* Layer.build(worker)
      yield* happen(id, 3)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        yield* received(all),
        [1, 2, 3].map((seq) => `${all.endpoint.id}.${seq}`)
      )
      assert.deepStrictEqual(yield* received(posts), [])
      const { sent } = yield* Receivers
      assert.deepStrictEqual(sent[0]?.secrets, [Redacted.value(all.secret)])
      assert.deepStrictEqual(yield* statuses(all), ["delivered", "delivered", "delivered"])
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("brings a workspace's events although those of another can't be written, and these once they can", () =>
    Effect.gen(function* () {
      const workspaces = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => makeWorkspace("team"))
      const [broken, ...others] = yield* Effect.forEach(workspaces, ({ id }) => makeEndpoint(id))
      if (broken === undefined) return assert.fail("no endpoint")
      let isBroken = true
      let tries = 0
      const newer = Layer.updateService(OutgoingQueue, (queue) =>
        OutgoingQueue.of({
          ...queue,
          listening: (id) => {
            if (!isBroken || id !== broken.endpoint.workspaceId) return queue.listening(id)
            tries += 1
            return Effect.die(new Error("an endpoint of a newer version"))
          }
        })
      )
      yield* Layer.build(Layer.provide(worker, newer(Layer.effect(OutgoingQueue, OutgoingQueue))))
      for (const { id } of workspaces) yield* happen(id)
      yield* TestClock.adjust("1 second")
      for (const other of others) assert.lengthOf(yield* received(other), 1)
      yield* TestClock.adjust("10 minutes")
      assert.isBelow(tries, 30)
      assert.deepStrictEqual(yield* received(broken), [])
      isBroken = false
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(yield* received(broken), 1)
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("leaves an event of a newer version, and all behind it, to a process of that version (store H4)", () =>
    Effect.gen(function* () {
      let isNewer = false
      const mixed = Layer.updateService(InboxEvents, (log) =>
        InboxEvents.of({
          ...log,
          read: (...args) =>
            Effect.map(log.read(...args), (page) => {
              const isNovel = ({ seq }: { readonly seq: number }) => !isNewer && seq === 2
              const novel = page.events.filter(isNovel).map(({ at, seq }) => ({ at, seq, kind: "Novel" }))
              return { ...page, events: page.events.filter((one) => !isNovel(one)), unreadable: novel }
            })
        })
      )
      const { id } = yield* makeWorkspace("team")
      const made = yield* makeEndpoint(id)
      yield* happen(id, 3)
      const old = yield* Scope.make()
      const olderWorker = Layer.provide(worker, mixed(Layer.effect(InboxEvents, InboxEvents)))
      yield* Layer.buildWithScope(olderWorker, old)
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* received(made), [`${made.endpoint.id}.1`])
      isNewer = true
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        yield* received(made),
        [1, 2, 3].map((seq) => `${made.endpoint.id}.${seq}`)
      )
      yield* Scope.close(old, Exit.void)
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("passes an event over that no process can read in ten minutes, as after a roll-back", () =>
    Effect.gen(function* () {
      const rolledBack = Layer.updateService(InboxEvents, (log) =>
        InboxEvents.of({
          ...log,
          read: (...args) =>
            Effect.map(log.read(...args), (page) => {
              const novel = page.events
                .filter(({ seq }) => seq === 1)
                .map(({ at, seq }) => ({ at, seq, kind: "Novel" }))
              return { ...page, events: page.events.filter(({ seq }) => seq !== 1), unreadable: novel }
            })
        })
      )
      const workspaces = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => makeWorkspace("team"))
      const all = yield* Effect.forEach(workspaces, ({ id }) => makeEndpoint(id))
      for (const { id } of workspaces) yield* happen(id, 2)
      yield* Layer.build(Layer.provide(worker, rolledBack(Layer.effect(InboxEvents, InboxEvents))))
      yield* TestClock.adjust("9 minutes")
      for (const one of all) assert.deepStrictEqual(yield* received(one), [])
      yield* TestClock.adjust("2 minutes")
      for (const one of all) assert.deepStrictEqual(yield* received(one), [`${one.endpoint.id}.2`])
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("brings an event to an endpoint that was made just before it, while older ones were being read", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const [first, events] = [yield* makeEndpoint(id), yield* InboxEvents]
      yield* happen(id)
      const made: Array<Made> = []
      // Right before the log is read somebody makes an endpoint, and after that something happens.
      const read: typeof events.read = Effect.fnUntraced(function* (...args) {
        if (made.length === 0) made.push(yield* inServices(Effect.orDie(Effect.tap(makeEndpoint(id), happen(id)))))
        return yield* events.read(...args)
      })
      const services = yield* Effect.context<Layer.Success<typeof layerEndpoints>>()
      const inServices = Effect.provide(services)
      yield* Layer.build(worker).pipe(Effect.provideService(InboxEvents, { ...events, read }))
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* received(first), [`${first.endpoint.id}.1`, `${first.endpoint.id}.2`])
      const [second] = made
      assert.isDefined(second)
      assert.deepStrictEqual(yield* received(second), [`${second.endpoint.id}.2`])
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("sends again what failed after the pause, with the same id, and no sooner", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const made = yield* makeEndpoint(id)
      let status = 500
      yield* answer(made, () => Effect.succeed(status))
      yield* Layer.build(worker)
      yield* happen(id)
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual((yield* received(made)).length, 1)
      status = 204
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(yield* received(made), [`${made.endpoint.id}.1`, `${made.endpoint.id}.1`])
      assert.deepStrictEqual(yield* statuses(made), ["delivered"])
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("sends to an ordered endpoint nothing that stands behind one that is tried again", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const made = yield* makeEndpoint(id, { isOrdered: true })
      let attempts = 0
      yield* answer(made, () => Effect.sync(() => (++attempts === 3 ? 500 : 204)))
      yield* Layer.build(worker)
      yield* happen(id, 6)
      const expected = (seqs: ReadonlyArray<number>) => seqs.map((seq) => `${made.endpoint.id}.${seq}`)
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(yield* received(made), expected([1, 2, 3]))
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(yield* received(made), expected([1, 2, 3, 3, 4, 5, 6]))
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("sends again with the same id what was sent and not settled before the process ended", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const made = yield* makeEndpoint(id)
      yield* answer(made, () => Effect.never)
      const killed = yield* Scope.make()
      yield* Layer.buildWithScope(worker, killed)
      yield* happen(id)
      yield* TestClock.adjust("1 second")
      yield* Scope.close(killed, Exit.void)
      yield* answer(made, () => Effect.succeed(200))
      yield* Layer.build(worker)
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(yield* received(made), [`${made.endpoint.id}.1`, `${made.endpoint.id}.1`])
      assert.deepStrictEqual(yield* statuses(made), ["delivered"])
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("holds up nobody for a receiver that never answers, nor for one that is dead", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.replicateEffect(
        Effect.map(makeWorkspace("team"), (workspace) => workspace.id),
        20
      )
      const [slow, dead, ...well] = yield* Effect.forEach(ids, (id) => makeEndpoint(id))
      if (slow === undefined || dead === undefined) return assert.fail("no endpoints")
      yield* answer(slow, () => Effect.never)
      yield* answer(dead, () => Effect.succeed(500))
      yield* Layer.build(worker)
      yield* Effect.forEach(ids.slice(0, 2), (id) => happen(id, 300))
      yield* TestClock.adjust("1 second")
      yield* Effect.forEach(ids.slice(2), (id) => happen(id, 2))
      yield* TestClock.adjust("1 second")
      const counts = yield* Effect.forEach(well, (one) => Effect.map(received(one), ({ length }) => length))
      assert.deepStrictEqual(
        counts,
        well.map(() => 2)
      )
      assert.strictEqual((yield* received(slow)).length, 8)
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("leaves places for the others when more receivers than it has places for never answer", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.replicateEffect(
        Effect.map(makeWorkspace("team"), (workspace) => workspace.id),
        60
      )
      const made = yield* Effect.forEach(ids, (id) => makeEndpoint(id))
      const [slow, well] = [made.slice(0, 50), made.slice(50)]
      for (const one of slow) yield* answer(one, () => Effect.never)
      yield* Layer.build(worker)
      yield* Effect.forEach(ids.slice(0, 50), (id) => happen(id, 20))
      yield* TestClock.adjust("3 seconds")
      yield* Effect.forEach(ids.slice(50), (id) => happen(id, 20))
      yield* TestClock.adjust("3 seconds")
      const counts = yield* Effect.forEach(well, (one) => Effect.map(received(one), ({ length }) => length))
      assert.deepStrictEqual(
        counts,
        well.map(() => 20)
      )
      for (const one of slow) assert.isAtLeast((yield* received(one)).length, 1)
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("writes each event once, whoever writes beside it, and also where a commit's answer is lost", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const made = yield* makeEndpoint(id)
      const lost = new StoreUnavailable({ operation: "test", committed: "unknown", cause: new Error("away") })
      let losses = 0
      const forgetful = Layer.updateService(OutgoingQueue, (queue) =>
        OutgoingQueue.of({
          ...queue,
          append: (...given) =>
            Effect.flatMap(queue.append(...given), (isWritten) =>
              losses++ < 2 ? Effect.fail(lost) : Effect.succeed(isWritten)
            )
        })
      )
      yield* Layer.build(Layer.mergeAll(worker, Layer.fresh(worker)).pipe(forgetful))
      yield* happen(id, 40)
      yield* TestClock.adjust("5 seconds")
      yield* happen(id, 10)
      yield* TestClock.adjust("5 seconds")
      const messages = yield* received(made)
      assert.isAtLeast(losses, 2)
      assert.strictEqual(messages.length, 50)
      assert.strictEqual(new Set(messages).size, 50)
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("has few answers of all endpoints in hand that are not written, for those are sent again if it dies", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("enterprise")
      const made = yield* Effect.forEach(Array(20), () => makeEndpoint(id))
      const away = Layer.updateService(OutgoingQueue, (queue) =>
        OutgoingQueue.of({ ...queue, succeed: () => Effect.never })
      )
      yield* happen(id, 20)
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(Layer.provide(worker, away(Layer.effect(OutgoingQueue, OutgoingQueue))), scope)
      yield* TestClock.adjust("2 seconds")
      const counts = yield* Effect.forEach(made, (one) => Effect.map(received(one), ({ length }) => length))
      assert.isAtLeast(Math.min(...counts), 1)
      assert.isAtMost(
        counts.reduce((sum, count) => sum + count, 0),
        128 + 20
      )
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("settles a success that is being written when the worker stops, and does not send it again", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const made = yield* makeEndpoint(id)
      const slow = Layer.updateService(OutgoingQueue, (queue) =>
        OutgoingQueue.of({ ...queue, succeed: (...given) => Effect.delay(queue.succeed(...given), "2 seconds") })
      )
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(worker.pipe(slow), scope)
      yield* happen(id)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* received(made)).length, 1)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(yield* statuses(made), ["delivered"])
      yield* Layer.build(Layer.fresh(worker))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* received(made)).length, 1)
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("cancels a managed user's delivery when the account is another's before it is sent (B27)", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const account = yield* connectAccount(id, { externalUserId: Option.some("u1") })
      const made = yield* makeEndpoint(id, { externalUserId: Option.some("u1"), events: Option.some(["inbox.*"]) })
      yield* answer(made, () => Effect.succeed(500))
      yield* Layer.build(worker)
      const event = {
        _tag: "ItemDeleted",
        accountId: account.id,
        source: "ig_comment",
        itemId: InboxItemId.make("itm_00000000000000000000000000")
      } as const
      yield* (yield* InboxEvents).publish(id, [event], yield* DateTime.now)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* received(made)).length, 1)
      yield* (yield* AccountAdministration).updateAccount(id, account.id, { externalUserId: Option.some("u2") })
      yield* TestClock.adjust("10 seconds")
      const [moved, deleted] = yield* statuses(made)
      assert.deepStrictEqual([moved, deleted], ["pending", "canceled"])
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("brings nothing again to an endpoint that is another managed user's by now, also if it is asked for", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const users = yield* ManagedUsers
      for (const user of ["u1", "u2"]) yield* users.put(id, user, yield* DateTime.now)
      const account = yield* connectAccount(id, { externalUserId: Option.some("u1") })
      const hers = yield* makeEndpoint(id, { externalUserId: Option.some("u1") })
      const all = yield* makeEndpoint(id)
      yield* Layer.build(worker)
      yield* happen(id)
      // The end of an account is told to whose it was.
      yield* (yield* AccountAdministration).disconnect(id, account.id)
      yield* TestClock.adjust("1 second")
      const before = [yield* received(hers), yield* received(all)]
      assert.isTrue(before.every((messages) => messages.length > 0))
      const deliveries = yield* EndpointDeliveries
      const page = { limit: 100, after: Option.none() }
      for (const { caller, endpoint } of [hers, all]) {
        yield* (yield* WebhookEndpoints).update(caller, endpoint.id, { externalUserId: Option.some("u2") })
        const { items } = yield* deliveries.list(caller, endpoint.id, Option.none(), page)
        for (const delivery of items) yield* deliveries.redeliver(caller, endpoint.id, delivery.id)
      }
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([yield* received(hers), yield* received(all)], before)
      const ended = new Set([...(yield* statuses(hers)), ...(yield* statuses(all))])
      assert.deepStrictEqual(Array.from(ended), ["canceled"])
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("begins no other attempt once a receiver has said that it is gone", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const made = yield* makeEndpoint(id)
      yield* answer(made, () => Effect.as(Effect.sleep("20 millis"), 410))
      yield* Layer.build(worker)
      yield* happen(id, 4 * atOnceOfEndpoint)
      yield* TestClock.adjust("1 minute")
      assert.isAtMost((yield* received(made)).length, atOnceOfEndpoint)
      assert.notInclude(yield* statuses(made), "pending")
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("has one attempt at a time of a receiver that only fails, at once, and all again once one arrives", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const made = yield* makeEndpoint(id)
      const failing = 3 * atOnceOfEndpoint
      const atOnce: Array<number> = []
      let underWay = 0
      yield* answer(made, () =>
        Effect.suspend(() => {
          const place = atOnce.push(++underWay)
          return Effect.as(Effect.sleep("20 millis"), place <= failing ? 500 : 200)
        }).pipe(Effect.ensuring(Effect.sync(() => underWay--)))
      )
      yield* Layer.build(worker)
      yield* happen(id, 2 * failing)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(Math.max(...atOnce.slice(0, failing)), atOnceOfEndpoint)
      assert.deepStrictEqual(new Set(atOnce.slice(2 * atOnceOfEndpoint, failing)), new Set([1]))
      assert.strictEqual(Math.max(...atOnce.slice(failing)), atOnceOfEndpoint)
      assert.deepStrictEqual(new Set(yield* statuses(made)), new Set(["delivered"]))
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect(
    "asks where nobody listens twice a second, for each try costs others time, and brings all at once after",
    () =>
      Effect.gen(function* () {
        const { id } = yield* makeWorkspace("team")
        const made = yield* makeEndpoint(id)
        let isThere = false
        yield* answer(made, () => Effect.sync(() => (isThere ? 200 : nobody)))
        yield* Layer.build(worker)
        yield* happen(id, 200)
        yield* TestClock.adjust("10 seconds")
        const tries = (yield* received(made)).length
        assert.isAtLeast(tries, 20)
        assert.isAtMost(tries, 2 * atOnceOfEndpoint + 20)
        isThere = true
        yield* TestClock.adjust("2 seconds")
        assert.isAtLeast((yield* received(made)).length, 200)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(new Set(yield* statuses(made)), new Set(["delivered"]))
      }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("tells the other endpoints of one that fails, and never itself (B5)", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const gone = yield* makeEndpoint(id, { events: Option.some(["inbox.*", "webhook_endpoint.*"]) })
      const watching = yield* makeEndpoint(id, { events: Option.some(["webhook_endpoint.failing"]) })
      yield* answer(gone, () => Effect.succeed(410))
      yield* Layer.build(worker)
      yield* happen(id)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* received(gone)).length, 1)
      assert.deepStrictEqual(yield* received(watching), [`${watching.endpoint.id}.2`])
      const { status, statusReason } = yield* (yield* WebhookEndpoints).find(gone.caller, gone.endpoint.id)
      assert.deepStrictEqual([status, statusReason], ["disabled", Option.some("gone")])
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("keeps what it told of a managed user's endpoint no longer than the user", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const users = yield* ManagedUsers
      yield* users.put(id, "user_1", yield* DateTime.now)
      const failing = yield* makeEndpoint(id, { externalUserId: Option.some("user_1") })
      const watching = yield* makeEndpoint(id)
      const endpoint = showEndpoint(failing.endpoint)
      yield* (yield* InboxEvents).publish(id, [{ _tag: "EndpointFailing", endpoint }], yield* DateTime.now)
      yield* Layer.build(worker)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* statuses(watching), ["delivered"])
      yield* (yield* AccountAdministration).eraseManagedUser(id, "user_1")
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* statuses(watching), [])
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("keeps that an account left a managed user for nobody no longer than the user", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const accounts = yield* AccountAdministration
      yield* (yield* ManagedUsers).put(id, "user_1", yield* DateTime.now)
      const account = yield* connectAccount(id, { externalUserId: Option.some("user_1") })
      const watching = yield* makeEndpoint(id, { events: Option.some(["inbox.account_moved"]) })
      yield* accounts.updateAccount(id, account.id, { externalUserId: Option.none() })
      yield* Layer.build(worker)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* statuses(watching), ["delivered"])
      yield* accounts.eraseManagedUser(id, "user_1")
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* statuses(watching), [])
    }).pipe(Effect.provide(layerEndpoints))
  )

  it.effect("fills by a replay what an endpoint missed while it was disabled, with the ids of the events", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("team")
      const made = yield* makeEndpoint(id)
      const { caller, endpoint } = made
      const [endpoints, deliveries] = [yield* WebhookEndpoints, yield* EndpointDeliveries]
      yield* endpoints.update(caller, endpoint.id, { status: "disabled" })
      yield* Layer.build(worker)
      yield* happen(id, 3)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Effect.flip(deliveries.replay(caller, endpoint.id, 0)))._tag, "EndpointDisabled")
      yield* endpoints.update(caller, endpoint.id, { status: "enabled" })
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* received(made), [])
      assert.strictEqual(yield* deliveries.replay(caller, endpoint.id, 1), 2)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(
        yield* received(made),
        [2, 3].map((seq) => `${endpoint.id}.${seq}`)
      )
    }).pipe(Effect.provide(layerEndpoints))
  )
})
