import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { AuditStore } from "@loopbox/core/audit/AuditStore"
import { nextOutgoingEndpointId, nextWorkspaceId } from "@loopbox/core/kernel/Ids"
import type { Page, PageRequest } from "@loopbox/core/kernel/Page"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { judgeAttempt } from "@loopbox/core/outgoing/judgeAttempt"
import type { DeliveryStatus } from "@loopbox/core/outgoing/OutgoingDelivery"
import { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { type InboxPorts, inboxWorld, makeInboxWorkspace } from "../fixtures/inboxFixtures.ts"
import {
  addEndpoint,
  appendEvents,
  attemptOf,
  claimDue,
  later,
  makeDelivery,
  makeEndpoints,
  settleAs,
  succeedAll
} from "../fixtures/laneFixtures.ts"

const firstPage = { limit: 50, after: Option.none() }

const idsOf = (items: ReadonlyArray<{ readonly id: string }>) => items.map(({ id }) => id)

/** All pages of a list, `limit` at a time. */
const walk = Effect.fnUntraced(function* <A>(
  list: (page: PageRequest) => Effect.Effect<Page<A>, StoreUnavailable>,
  limit: number
) {
  const all: Array<A> = []
  let after: PageRequest["after"] = Option.none()
  do {
    const { items, next } = yield* list({ limit, after })
    assert.isAtMost(items.length, limit)
    all.push(...items)
    after = next
  } while (Option.isSome(after))
  return all
})

/** What every adapter of the port OutgoingEndpointStore does. */
export const outgoingEndpointStoreContract = <E>(
  adapter: string,
  stores: Layer.Layer<InboxPorts | OutgoingQueue | OutgoingEndpointStore | AuditStore, E>
) =>
  layer(inboxWorld(stores))(`OutgoingEndpointStore: ${adapter}`, (it) => {
    it.effect("keeps endpoints as they are given, newest first, each workspace its own", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { now, workspaceId } = yield* makeEndpoints()
        const other = yield* makeEndpoints({})
        const made = yield* Effect.forEach([1, 2, 3, 4, 5], (n) =>
          addEndpoint(workspaceId, later(now, n), {
            url: `https://hooks.example/${n}?a=%20b`,
            events: n % 2 === 0 ? Option.some(["inbox.*", "post.published"]) : Option.none(),
            description: n === 1 ? Option.none() : Option.some(`'ü' \u{1F600} ${n}`)
          })
        )
        const list = (page: PageRequest) => store.list(workspaceId, page)
        assert.deepStrictEqual(yield* walk(list, 2), made.toReversed())
        for (const endpoint of made) {
          assert.deepStrictEqual(yield* store.find(workspaceId, endpoint.id), Option.some(endpoint))
          assert.isTrue(Option.isNone(yield* store.find(other.workspaceId, endpoint.id)))
        }
      })
    )

    it.effect("stores nothing for a workspace or a managed user that does not exist", () =>
      Effect.gen(function* () {
        const [store, random] = [yield* OutgoingEndpointStore, yield* SecureRandom]
        const { endpoints, workspaceId } = yield* makeEndpoints({})
        const [known] = endpoints
        if (known === undefined) return assert.fail("no endpoint")
        const [id, nowhere] = [yield* nextOutgoingEndpointId(random), yield* nextWorkspaceId(random)]
        const strays = [
          new OutgoingEndpoint({ ...known, id, workspaceId: nowhere }),
          new OutgoingEndpoint({ ...known, id, externalUserId: Option.some("nobody") })
        ]
        for (const stray of strays) {
          assert.isFalse(yield* store.create(stray, "sealed"))
          assert.isTrue(Option.isNone(yield* store.find(stray.workspaceId, id)))
        }
        assert.deepStrictEqual(idsOf((yield* store.list(workspaceId, firstPage)).items), [known.id])
      })
    )

    it.effect("changes an endpoint as asked, and no other", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({}, {})
        const other = yield* makeEndpoints({})
        const [one, beside] = endpoints
        if (one === undefined || beside === undefined) return assert.fail("no endpoint")
        const change = (endpoint: OutgoingEndpoint) =>
          new OutgoingEndpoint({ ...endpoint, url: "https://b.example/", isOrdered: true, description: Option.none() })
        const changed = yield* store.update(workspaceId, one.id, change, now)
        assert.deepStrictEqual(changed, Option.some(change(one)))
        assert.deepStrictEqual(yield* store.find(workspaceId, one.id), changed)
        assert.deepStrictEqual(yield* store.find(workspaceId, beside.id), Option.some(beside))
        assert.isTrue(Option.isNone(yield* store.update(other.workspaceId, one.id, change, now)))
        // What changes nothing is no change, and not audited as one.
        assert.deepStrictEqual(yield* store.update(workspaceId, one.id, change, now), changed)
        const filter = { actorId: Option.none(), action: Option.none(), targetId: Option.some(one.id) }
        const audited = yield* (yield* AuditStore).list(workspaceId, filter, firstPage)
        assert.deepStrictEqual(
          audited.items.map(({ action }) => action),
          ["webhook_endpoint.updated", "webhook_endpoint.created"]
        )
      })
    )

    it.effect("gives an endpoint to a managed user, with nothing that waits for whom it was", () =>
      Effect.gen(function* () {
        const [store, queue] = [yield* OutgoingEndpointStore, yield* OutgoingQueue]
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        const [one] = endpoints
        if (one === undefined) return assert.fail("no endpoint")
        for (const user of ["ann", "bob"]) yield* (yield* ManagedUsers).put(workspaceId, user, now)
        const give = (externalUserId: Option.Option<string>) =>
          store.update(workspaceId, one.id, (endpoint) => new OutgoingEndpoint({ ...endpoint, externalUserId }), now)
        assert.isTrue(Option.isNone(yield* give(Option.some("nobody"))))
        yield* appendEvents(endpoints, 1, 2, now)
        for (const owner of [Option.some("ann"), Option.some("bob"), Option.none()]) {
          const given = Option.getOrThrow(yield* give(owner))
          assert.deepStrictEqual(given.externalUserId, owner)
          assert.deepStrictEqual(yield* store.find(workspaceId, one.id), Option.some(given))
          const [listening] = yield* queue.listening(workspaceId)
          assert.deepStrictEqual(listening?.endpoint.externalUserId, owner)
        }
        const { items } = yield* store.deliveries(workspaceId, one.id, Option.none(), firstPage)
        assert.deepStrictEqual(
          items.map(({ status }) => status),
          ["canceled", "canceled"]
        )
      })
    )

    it.effect("lets an old secret sign until its time is over, whatever comes after it (B46)", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        const other = yield* makeEndpoints({})
        const [one] = endpoints
        if (one === undefined) return assert.fail("no endpoint")
        assert.isTrue(yield* store.rotate(workspaceId, one.id, "second", later(now, 100)))
        assert.isTrue(yield* store.rotate(workspaceId, one.id, "third", later(now, 200)))
        assert.isFalse(yield* store.rotate(other.workspaceId, one.id, "stray", later(now, 200)))
        const at = (seconds: number) =>
          Effect.map(store.secrets(workspaceId, one.id, later(now, seconds)), (kept) =>
            kept.map(({ sealed }) => sealed)
          )
        assert.deepStrictEqual(yield* at(50), ["third", "second", `sealed ${one.id}`])
        assert.deepStrictEqual(yield* at(150), ["third", "second"])
        assert.deepStrictEqual(yield* at(250), ["third"])
        const [newest, second] = yield* store.secrets(workspaceId, one.id, now)
        assert.deepStrictEqual([newest?.until, second?.until], [Option.none(), Option.some(later(now, 200))])
        assert.deepStrictEqual(yield* store.secrets(other.workspaceId, one.id, now), [])
      })
    )

    it.effect("lists deliveries newest first, by what became of them, each page where the last one ended", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({}, {})
        const [one] = endpoints
        if (one === undefined) return assert.fail("no endpoint")
        for (let seq = 1; seq <= 6; seq++) yield* appendEvents(endpoints, seq, seq, later(now, seq))
        const at = later(now, 10)
        const claim = (yield* claimDue(at)).find(({ lane }) => lane.endpointId === one.id)
        if (claim === undefined) return assert.fail("nothing to claim")
        const [failing, ...rest] = claim.deliveries
        if (failing === undefined) return assert.fail("nothing is due")
        yield* settleAs(claim, failing, 503, at)
        yield* succeedAll({ ...claim, deliveries: rest.slice(0, 2) }, at)
        const seqs = Effect.fnUntraced(function* (status: Option.Option<DeliveryStatus>, limit: number) {
          const all = yield* walk((page) => store.deliveries(workspaceId, one.id, status, page), limit)
          return all.map(({ eventSeq }) => Option.getOrThrow(eventSeq))
        })
        assert.deepStrictEqual(yield* seqs(Option.none(), 4), [6, 5, 4, 3, 2, 1])
        assert.deepStrictEqual(yield* seqs(Option.some("pending"), 2), [6, 5, 4, 1])
        assert.deepStrictEqual(yield* seqs(Option.some("delivered"), 1), [3, 2])
        assert.deepStrictEqual(yield* seqs(Option.some("failed"), 1), [])
        const found = Option.getOrThrow(yield* store.findDelivery(workspaceId, one.id, failing.id))
        assert.deepStrictEqual([found.delivery.status, found.delivery.attempts], ["pending", 1])
        const judged = judgeAttempt(one, failing, attemptOf(503, at), { at, random: 0.5 })
        assert.deepStrictEqual(found.delivery.nextAttemptAt, judged.nextAttemptAt)
        assert.deepStrictEqual(found.log, [attemptOf(503, at)])
      })
    )

    it.effect("shows an example with its attempt, queues nothing of it, and keeps none for who is gone", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({})
        const [one] = endpoints
        if (one === undefined) return assert.fail("no endpoint")
        const ended = { eventSeq: Option.none(), nextAttemptAt: Option.none(), status: "failed", attempts: 1 } as const
        const example = yield* makeDelivery(one, 1, now, { ...ended, attemptsInSchedule: 1 })
        yield* store.addExample(example, attemptOf(404, now))
        const found = yield* store.findDelivery(workspaceId, one.id, example.id)
        assert.deepStrictEqual(found, Option.some({ delivery: example, log: [attemptOf(404, now)] }))
        assert.deepStrictEqual(yield* claimDue(later(now, 3_600)), [])
        assert.isTrue(yield* store.remove(workspaceId, one.id))
        const late = yield* makeDelivery(one, 2, now, { ...ended, attemptsInSchedule: 1 })
        yield* store.addExample(late, attemptOf(404, now))
        assert.isTrue(Option.isNone(yield* store.findDelivery(workspaceId, one.id, late.id)))
      })
    )

    it.effect("leaves nothing of an endpoint that is deleted, and no other workspace deletes it", () =>
      Effect.gen(function* () {
        const store = yield* OutgoingEndpointStore
        const { endpoints, now, workspaceId } = yield* makeEndpoints({}, {})
        const other = yield* makeInboxWorkspace(now)
        const [one, beside] = endpoints
        if (one === undefined || beside === undefined) return assert.fail("no endpoint")
        const [delivery] = yield* appendEvents([one], 1, 1, now)
        if (delivery === undefined) return assert.fail("no delivery")
        assert.isFalse(yield* store.remove(other.id, one.id))
        assert.isTrue(yield* store.remove(workspaceId, one.id))
        assert.isFalse(yield* store.remove(workspaceId, one.id))
        assert.deepStrictEqual(idsOf((yield* store.list(workspaceId, firstPage)).items), [beside.id])
        assert.deepStrictEqual(yield* store.secrets(workspaceId, one.id, now), [])
        assert.isTrue(Option.isNone(yield* store.findDelivery(workspaceId, one.id, delivery.id)))
        assert.deepStrictEqual((yield* store.deliveries(workspaceId, one.id, Option.none(), firstPage)).items, [])
        assert.isTrue(Option.isNone(yield* store.redeliver(workspaceId, one.id, delivery.id, now)))
      })
    )
  })
