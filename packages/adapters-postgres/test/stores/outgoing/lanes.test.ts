import { nextOutgoingDeliveryId, nextOutgoingEndpointId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { OutgoingQueue, type OutgoingClaim } from "@loopbox/core/outgoing/OutgoingQueue"
import { judgeAttempt } from "@loopbox/core/outgoing/judgeAttempt"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { noon } from "@loopbox/testing/fixtures/activities"
import { inboxWorld, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { layerStores } from "../../testDatabase.ts"

const newEndpoint = Effect.fnUntraced(function* (workspaceId: WorkspaceId, change: Partial<OutgoingEndpoint> = {}) {
  return new OutgoingEndpoint({
    id: yield* nextOutgoingEndpointId(yield* SecureRandom),
    workspaceId,
    url: "https://hooks.example/a",
    events: Option.none(),
    externalUserId: Option.none(),
    description: Option.some("Mine"),
    status: "enabled",
    statusReason: Option.none(),
    isOrdered: false,
    createdAt: noon,
    lastSuccessAt: Option.none(),
    lastFailureAt: Option.none(),
    failingSince: Option.none(),
    failuresInRow: 0,
    ...change
  })
})

const newDelivery = Effect.fnUntraced(function* ({ id, workspaceId }: OutgoingEndpoint, seq: number, at = noon) {
  const delivery: OutgoingDelivery = {
    id: yield* nextOutgoingDeliveryId(yield* SecureRandom),
    workspaceId,
    endpointId: id,
    messageId: `${id}.${seq}`,
    eventType: "inbox.new_item",
    eventSeq: Option.some(seq),
    accountId: Option.none(),
    externalUserId: Option.none(),
    body: `{"seq":${seq},"text":"a \\u0000 \\"b\\""}`,
    status: "pending",
    attempts: 0,
    attemptsInSchedule: 0,
    nextAttemptAt: Option.some(at),
    createdAt: at
  }
  return delivery
})

let tokens = 0
const claim = Effect.fnUntraced(function* (limit: number, now = noon, leaseNow = now) {
  return yield* (yield* OutgoingQueue).claim({
    limit,
    token: `t${++tokens}`,
    now,
    leaseNow,
    leaseUntil: DateTime.add(leaseNow, { seconds: 15 })
  })
})

const ok = { at: noon, status: Option.some(200), duration_ms: 1.5, response: Option.some("ok"), error: Option.none() }
const bad = { ...ok, status: Option.some(500) }
const seqs = (claims: ReadonlyArray<OutgoingClaim>) =>
  claims.map(({ delivery }) => Option.getOrThrow(delivery.eventSeq))

const fill = Effect.fnUntraced(function* (endpoint: OutgoingEndpoint, from: number, to: number) {
  const queue = yield* OutgoingQueue
  const deliveries = yield* Effect.forEach(
    Array.from({ length: to - from + 1 }, (_, n) => from + n),
    (seq) => newDelivery(endpoint, seq)
  )
  assert.isTrue(yield* queue.append({ workspaceId: endpoint.workspaceId, position: from - 1 }, to, deliveries))
  return deliveries
})

layer(inboxWorld(layerStores()))("Lanes", (it) => {
  it.effect("smoke", () =>
    Effect.gen(function* () {
      const [store, queue] = [yield* OutgoingEndpointStore, yield* OutgoingQueue]
      const { id } = yield* makeInboxWorkspace()
      const one = yield* newEndpoint(id)
      const ordered = yield* newEndpoint(id, { isOrdered: true })
      assert.isTrue(yield* store.create(one, "sealed"))
      assert.isTrue(yield* store.create(ordered, "sealed"))
      assert.deepStrictEqual(yield* store.find(id, one.id), Option.some(one))
      const deliveries = yield* fill(one, 1, 20)
      yield* fill(ordered, 21, 23)
      const first = yield* claim(128)
      assert.deepStrictEqual(
        seqs(first).toSorted((a, b) => a - b),
        [1, 2, 3, 4, 5, 6, 7, 8, 21]
      )
      assert.deepStrictEqual(yield* claim(128), [])
      const [a, b, c] = first
      if (a === undefined || b === undefined || c === undefined) return assert.fail("none")
      assert.deepStrictEqual(
        yield* queue.succeed(
          [
            { claim: a, attempt: ok },
            { claim: b, attempt: ok }
          ],
          noon
        ),
        [Result.void, Result.void]
      )
      yield* queue.settle(
        c,
        bad,
        (endpoint) => judgeAttempt(endpoint, c.delivery, bad, { at: noon, random: 0.5 }),
        noon
      )
      const second = yield* claim(128)
      assert.strictEqual(second.length, 3)
      // Everything
      let all = [...first.slice(3), ...second]
      const seen = new Set(seqs(first))
      for (let n = 0; n < 20 && all.length > 0; n++) {
        for (const s of seqs(all)) seen.add(s)
        yield* queue.succeed(
          all.map((claim) => ({ claim, attempt: ok })),
          noon
        )
        all = [...(yield* claim(128))]
      }
      assert.strictEqual(seen.size, 23)
      assert.deepStrictEqual(seqs(yield* claim(128, DateTime.add(noon, { seconds: 5 }))), seqs([c]))
      assert.strictEqual((yield* queue.depth).counts.pending, 1)
      const again = yield* store.redeliver(id, one.id, deliveries[7]!.id, noon)
      assert.strictEqual(Option.getOrThrow(again).status, "pending")
      assert.deepStrictEqual(seqs(yield* claim(128)), [8])
      const page = yield* store.deliveries(id, one.id, Option.none(), { limit: 5, after: Option.none() })
      assert.strictEqual(page.items.length, 5)
      console.log(yield* queue.lagging(10), yield* queue.listening(id), (yield* InboxEvents).range !== undefined)
      const disabled = yield* store.update(
        id,
        one.id,
        (e) => new OutgoingEndpoint({ ...e, status: "disabled", statusReason: Option.some("requested") }),
        noon
      )
      assert.strictEqual(Option.getOrThrow(disabled).status, "disabled")
      assert.strictEqual((yield* queue.depth).counts.pending, 0)
      console.log(yield* store.findDelivery(id, one.id, deliveries[7]!.id))
      assert.isTrue(yield* store.remove(id, one.id))
      assert.isFalse(yield* store.remove(id, one.id))
    })
  )
})
