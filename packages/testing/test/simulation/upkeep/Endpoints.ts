import { assert } from "@effect/vitest"
import { Clock, Effect, Equal, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { RoutedEvent } from "@loopbox/core/items/InboxEvent"
import type { OutgoingEndpointId } from "@loopbox/core/kernel/Ids"
import { EndpointDeliveries } from "@loopbox/core/outgoing/EndpointDeliveries"
import { WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import type { WebhookMessage } from "@loopbox/core/outgoing/WebhookSender"
import { Receivers } from "../../../src/fakes/FakeWebhookSender.ts"
import type { Chance } from "../Chance.ts"
import { users } from "../InboxWorld.ts"
import { walkPages } from "../walkPages.ts"

/** A secret as the customer was shown it, and until when it signs. */
interface Secret {
  readonly value: string
  readonly from_ms: number
  until_ms: number
}

/** How long a worker may go on with the secrets that it has read. */
const staleFor_ms = 5_000

const day_ms = 24 * 3_600_000

/** Within this time what is asked for again is sent: nothing else waits, and receivers answer at once. */
const soon = "8 seconds"

/** Of an account that is disconnected by now nothing is told but that it went, or moved before. */
const isTold = ({ event, isShown }: RoutedEvent): boolean =>
  isShown || !("source" in event || event._tag === "AccountConnected" || event._tag === "AccountAttention")

/** The customer's endpoints: their secrets are rotated, and what was sent to them is asked for again. */
export const makeEndpoints = Effect.fnUntraced(function* (chance: Chance, caller: EntitledCaller) {
  const { workspaceId } = caller.scope
  const endpoints = yield* WebhookEndpoints
  const deliveries = yield* EndpointDeliveries
  const events = yield* InboxEvents
  const { answers } = yield* Receivers
  const secrets = new Map<OutgoingEndpointId, Array<Secret>>()
  const violations: Array<string> = []
  /** How often each message arrived, and what it said. */
  const arrived = new Map<string, { times: number; readonly body: string }>()
  const ids: Array<OutgoingEndpointId> = []

  const judgeSecrets = (id: OutgoingEndpointId, message: WebhookMessage, now_ms: number) => {
    const all = secrets.get(id) ?? []
    const signing = message.secrets.map(Redacted.value)
    for (const { from_ms, until_ms, value } of all) {
      const isNamed = signing.includes(value)
      if (isNamed && now_ms >= until_ms + staleFor_ms) violations.push(`${id}: a secret signs after its end`)
      if (!isNamed && now_ms >= from_ms + staleFor_ms && now_ms < until_ms)
        violations.push(`${id}: a secret does not sign`)
    }
    if (signing.some((value) => !all.some((one) => one.value === value)))
      violations.push(`${id}: a secret signs that the customer has never had`)
  }

  for (const isOrdered of [false, true]) {
    const { endpoint, secret } = yield* endpoints.create(caller, {
      url: `https://hooks.example/${isOrdered ? "ordered" : "usual"}`,
      events: Option.none(),
      externalUserId: Option.none(),
      description: Option.none(),
      isOrdered
    })
    ids.push(endpoint.id)
    const now_ms = yield* Clock.currentTimeMillis
    secrets.set(endpoint.id, [{ value: Redacted.value(secret), from_ms: now_ms, until_ms: Infinity }])
    answers.set(endpoint.id, (message) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        judgeSecrets(endpoint.id, message, now)
        const { body, messageId } = message.delivery
        const before = arrived.get(messageId) ?? { times: 0, body }
        if (before.body !== body) violations.push(`${messageId} says something else the second time`)
        arrived.set(messageId, { ...before, times: before.times + 1 })
        return before.times === 0 && chance.isOneIn(6) ? 503 : 200
      })
    )
  }

  /** One that answers to nothing, and is given to one user after the other: what waits for it was for the one before. */
  let given: OutgoingEndpointId | undefined
  /** The last event that was before it was given to whom it belongs now. */
  let givenAt = 0
  const { inbox } = yield* MemoryState
  const give = Effect.gen(function* () {
    const externalUserId = Option.fromUndefinedOr(chance.pick([...users, undefined]))
    // With its user it was erased.
    if (given === undefined || !inbox.outgoing.endpoints.has(given)) {
      const { endpoint } = yield* endpoints.create(caller, {
        ...{ url: "https://hooks.example/given", events: Option.none(), externalUserId },
        ...{ description: Option.none(), isOrdered: false }
      })
      given = endpoint.id
      answers.set(given, () => Effect.succeed(503))
      return
    }
    const before = inbox.outgoing.endpoints.get(given)?.endpoint.externalUserId
    yield* endpoints.update(caller, given, { externalUserId })
    if (before === undefined || Equal.equals(before, externalUserId)) return
    givenAt = inbox.logs.get(workspaceId)?.last ?? 0
    for (const { delivery } of inbox.outgoing.deliveries.values())
      if (delivery.endpointId === given)
        assert.notStrictEqual(
          delivery.status,
          "pending",
          `${delivery.messageId} waits for whom its endpoint was before`
        )
  })

  /** The endpoints of a user, by their ids. */
  const idsOf = (user: string) =>
    Array.from(inbox.outgoing.endpoints.values(), ({ endpoint }) => endpoint).flatMap(({ externalUserId, id }) =>
      id === given && Option.contains(externalUserId, user) ? [id] : []
    )

  const rotate = Effect.gen(function* () {
    const id = chance.pick(ids)
    if (id === undefined) return
    const now_ms = yield* Clock.currentTimeMillis
    const value = Redacted.value(yield* endpoints.rotateSecret(caller, id))
    const all = secrets.get(id) ?? []
    for (const one of all) one.until_ms = Math.min(one.until_ms, now_ms + day_ms)
    all.push({ value, from_ms: now_ms, until_ms: Infinity })
  })

  const allOf = (id: OutgoingEndpointId) => walkPages((page) => deliveries.list(caller, id, Option.none(), page), 50)
  const timesOf = (messageId: string) => arrived.get(messageId)?.times ?? 0

  /** A message is asked for again: it is sent once more, as it was. */
  const redeliver = Effect.gen(function* () {
    const id = chance.pick(ids)
    const all = id === undefined ? [] : yield* allOf(id)
    const one = chance.pick(all)
    if (id === undefined || one === undefined || all.some(({ status }) => status === "pending")) return
    const before = timesOf(one.messageId)
    const again = yield* deliveries.redeliver(caller, id, one.id)
    assert.deepStrictEqual([again.status, again.attemptsInSchedule], ["pending", 0], "what is asked for begins anew")
    yield* TestClock.adjust(soon)
    assert.strictEqual(timesOf(one.messageId), before + 1, `${one.messageId} was asked for again`)
    const { delivery, log } = yield* deliveries.find(caller, id, one.id)
    assert.deepStrictEqual(
      [delivery.status, delivery.attempts, log.length],
      ["delivered", before + 1, before + 1],
      `${one.messageId} was sent again`
    )
  })

  /** All events after one are asked for again: each is sent once more under its own name. */
  const replay = Effect.gen(function* () {
    const id = chance.pick(ids)
    if (id === undefined || (yield* allOf(id)).some(({ status }) => status === "pending")) return
    const { last } = yield* events.range(workspaceId)
    const after = Math.max(0, last - chance.below(12))
    const kept = (yield* events.read(workspaceId, after, 1_000)).events
    // That it fails is not told to who fails, and nothing of items whose account is disconnected by now.
    const wanted = kept.filter(
      (routed) => isTold(routed) && (routed.event._tag !== "EndpointFailing" || routed.event.endpoint.id !== id)
    )
    const names = wanted.map(({ seq }) => `${id}.${seq}`)
    const before = names.map(timesOf)
    const queued = yield* deliveries.replay(caller, id, after)
    assert.strictEqual(queued, wanted.length, "how many events are sent again")
    yield* TestClock.adjust("45 seconds")
    const now = names.map(timesOf)
    // One that arrives for the first time may fail, and is sent once more.
    const isSent = now.every(
      (times, n) => times - (before[n] ?? 0) >= 1 && times - (before[n] ?? 0) <= (before[n] === 0 ? 2 : 1)
    )
    assert.isTrue(isSent, `events after ${after} were sent again: ${before.join()} and ${now.join()}`)
  })

  /** Each event behind a number has arrived at each endpoint. */
  const checkTold = Effect.fnUntraced(function* (after: number) {
    const { events: log } = yield* events.read(workspaceId, after, 100_000)
    for (const id of ids)
      for (const { event, seq } of log)
        if (event._tag !== "EndpointFailing")
          assert.isAtLeast(timesOf(`${id}.${seq}`), 1, `event ${seq} has not arrived at ${id}`)
  })

  const example = Effect.gen(function* () {
    const id = chance.pick(ids)
    if (id === undefined) return
    const before = yield* endpoints.find(caller, id)
    const sent = yield* deliveries.sendExample(caller, id, Option.none())
    const shown = yield* deliveries.find(caller, id, sent.id)
    assert.strictEqual(shown.delivery.status, sent.status, "an example is among the deliveries")
    assert.deepStrictEqual(yield* endpoints.find(caller, id), before, "an example changes its endpoint")
  })

  /** What must hold while nothing is sent: each delivery of the list was attempted as often as it arrived. */
  const check = Effect.gen(function* () {
    assert.isEmpty(violations, violations.slice(0, 5).join("; "))
    for (const { delivery } of inbox.outgoing.deliveries.values())
      if (delivery.endpointId === given && delivery.status === "pending")
        assert.isAbove(
          Option.getOrElse(delivery.eventSeq, () => Infinity),
          givenAt,
          `${delivery.messageId} was before its endpoint was whose it is`
        )
    for (const id of ids)
      for (const { attempts, messageId } of yield* allOf(id))
        assert.strictEqual(attempts, timesOf(messageId), `attempts of ${messageId}`)
  })
  /** Messages that went with an erased user begin anew where their events are asked for again, now without the name. */
  const forget = () => {
    const kept = new Set(Array.from(inbox.outgoing.deliveries.values(), ({ delivery }) => delivery.messageId))
    for (const messageId of arrived.keys()) if (!kept.has(messageId)) arrived.delete(messageId)
  }
  return { ids, idsOf, give, rotate, redeliver, replay, example, check, checkTold, forget }
})
