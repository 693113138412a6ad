import { assert, type Vitest } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { AccountName } from "@loopbox/core/accounts/SocialAccounts"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { connect, inboxEpoch, type InboxPorts, makeInboxWorkspace } from "../fixtures/inboxFixtures.ts"

const named = (value: string): ReadonlyArray<AccountName> => [{ network: "instagram", by: "id", value }]

/** Stores deliveries one second after the other, and answers their ids. */
const storeAll = Effect.fnUntraced(function* (from: DateTime.Utc, names: ReadonlyArray<ReadonlyArray<AccountName>>) {
  const ids: Array<string> = []
  for (const [n, some] of names.entries()) {
    const id = yield* (yield* SecureRandom).uuidV7()
    const at = DateTime.add(from, { seconds: n })
    const delivery = { id, endpoint: "meta", body: Uint8Array.of(1), arrivedAt: at }
    yield* (yield* WebhookDeliveries).store(delivery, at, some)
    ids.push(id)
  }
  return ids
})

/** Claims at an hour after the epoch, and answers the ids. */
const claimSome = Effect.fnUntraced(function* (now: DateTime.Utc, limit: number) {
  const deliveries = yield* WebhookDeliveries
  const token = yield* (yield* SecureRandom).uuidV7()
  const claims = yield* deliveries.claim({ limit, token, leaseNow: now, leaseUntil: DateTime.add(now, { minutes: 1 }) })
  for (const claim of claims) yield* deliveries.settle(claim, { _tag: "Done" }, now)
  return claims.map(({ delivery }) => delivery.id)
})

/** How workspaces take turns where more deliveries wait than one claim takes. */
export const webhookTurnsContract = (it: Vitest.MethodsNonLive<InboxPorts | SecureRandom>) => {
  it.effect("takes a workspace's first delivery next while another has a backlog, each in its order", () =>
    Effect.gen(function* () {
      const now = yield* inboxEpoch
      const later = DateTime.add(now, { hours: 1 })
      yield* connect((yield* makeInboxWorkspace(now)).id, { networkAccountId: "busy" })
      yield* connect((yield* makeInboxWorkspace(now)).id, { networkAccountId: "quiet" })
      const busy = yield* storeAll(now, Array(12).fill(named("busy")))
      assert.deepStrictEqual(yield* claimSome(later, 2), busy.slice(0, 2))
      const quiet = yield* storeAll(DateTime.add(now, { minutes: 1 }), [named("quiet"), named("quiet")])
      assert.deepStrictEqual(yield* claimSome(later, 1), quiet.slice(0, 1))
      assert.sameMembers(yield* claimSome(later, 2), [...busy.slice(2, 3), ...quiet.slice(1)])
      assert.deepStrictEqual(yield* claimSome(later, 20), busy.slice(3))
      assert.deepStrictEqual(yield* claimSome(later, 1), [])
    })
  )

  it.effect("gives a turn to those that name nobody who is connected, too", () =>
    Effect.gen(function* () {
      const now = yield* inboxEpoch
      const later = DateTime.add(now, { hours: 1 })
      yield* connect((yield* makeInboxWorkspace(now)).id, { networkAccountId: "known" })
      const nameless = yield* storeAll(now, [[], named("nobody"), [], [], [], []])
      assert.deepStrictEqual(yield* claimSome(later, 1), nameless.slice(0, 1))
      const known = yield* storeAll(DateTime.add(now, { minutes: 1 }), Array(4).fill(named("known")))
      assert.deepStrictEqual(yield* claimSome(later, 1), known.slice(0, 1))
      assert.deepStrictEqual(yield* claimSome(later, 1), nameless.slice(1, 2))
      assert.deepStrictEqual(yield* claimSome(later, 1), known.slice(1, 2))
      assert.sameMembers(yield* claimSome(later, 20), [...nameless.slice(2), ...known.slice(2)])
    })
  )

  it.effect("counts an account that two workspaces have connected as neither's backlog", () =>
    Effect.gen(function* () {
      const now = yield* inboxEpoch
      const later = DateTime.add(now, { hours: 1 })
      const [one, two] = [yield* makeInboxWorkspace(now), yield* makeInboxWorkspace(now)]
      yield* connect(one.id, { networkAccountId: "own" })
      for (const { id } of [one, two]) yield* connect(id, { networkAccountId: "shared" })
      const own = yield* storeAll(now, Array(5).fill(named("own")))
      assert.deepStrictEqual(yield* claimSome(later, 1), own.slice(0, 1))
      const shared = yield* storeAll(DateTime.add(now, { minutes: 1 }), [[...named("shared"), ...named("shared")]])
      assert.deepStrictEqual(yield* claimSome(later, 1), shared)
      assert.deepStrictEqual(yield* claimSome(later, 20), own.slice(1))
    })
  )
}
