import { Connectors } from "@loopbox/core/networks/Connectors"
import type { InboundActivity } from "@loopbox/core/networks/InboundActivity"
import { networks } from "../../src/names.ts"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { makeInboxWorkspace, newAccount, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { noon } from "@loopbox/testing/fixtures/activities"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Metric, Option } from "effect"
import { TestClock } from "effect/testing"
import { accounts, sandboxed } from "./sandboxed.ts"

/** Everybody does everything that their network lets them. */
const live = Effect.fnUntraced(function* ({ sandbox }: Effect.Success<ReturnType<typeof sandboxed>>) {
  for (const network of networks) {
    const one = yield* sandbox.comment({ network, from: "Ada", text: `one on ${network}` })
    const two = yield* sandbox.comment({ network, from: "Bo", text: "two", parentId: one.id })
    yield* sandbox.comment({ network, from: "Cy", text: "three", parentId: two.id })
    if (network === "facebook" || network === "x") yield* sandbox.edit({ network, id: one.id, text: `one, edited` })
    if (network === "instagram" || network === "facebook") {
      const message = yield* sandbox.message({ network, from: "Ada", text: "hi" })
      yield* sandbox.edit({ network, id: message.id, text: "hi!" })
      const unsent = yield* sandbox.message({ network, from: "Bo", text: "never mind" })
      yield* sandbox.remove({ network, id: unsent.id })
    }
    if (network !== "facebook") yield* sandbox.mention({ network, from: "Di", text: "look" })
    if (network === "facebook") {
      yield* sandbox.hide({ network, id: two.id, isHidden: true })
      const gone = yield* sandbox.comment({ network, from: "Di", text: "gone", parentId: one.id })
      yield* sandbox.remove({ network, id: gone.id })
    }
  }
})

/** The inbox that comes of some deliveries, in an order of their own, each item as far as a reader sees it. */
const inboxOf = Effect.fnUntraced(function* (deliveries: ReadonlyArray<ReadonlyArray<InboundActivity>>) {
  const { id: workspaceId } = yield* makeInboxWorkspace()
  const vault = yield* CredentialVault
  const connected = yield* SocialAccounts
  for (const { accessToken, accountId, network, username } of accounts) {
    const account = yield* newAccount(workspaceId, { network, networkAccountId: accountId, username })
    const credentials = { accessToken, refreshToken: Option.none(), expiresAt: Option.none() }
    const seal = (accountId: typeof account.id) => vault.seal({ workspaceId, accountId }, credentials)
    yield* connected.connect(account, seal, DateTime.subtract(noon, { days: 7 }))
  }
  const ingest = yield* Ingest
  for (const [i, activities] of deliveries.entries()) {
    const report = yield* ingest.ingest({ activities, deliveryIds: [String(i)], isLastTry: false })
    assert.deepStrictEqual([report.failures, report.waiting, report.unrouted], [[], 0, 0])
  }
  const store = yield* InboxStore
  const { items } = yield* store.list(scopeOf(workspaceId), { ...noFilter, limit: 500, after: Option.none() })
  return items
    .map((item) => ({
      source: item.source,
      externalId: item.externalId,
      threadKey: item.threadKey,
      parent: Option.getOrNull(item.parentExternalId),
      author: Option.getOrNull(item.authorName),
      body: item.body,
      isHidden: item.isHidden,
      isOwn: item.isOwn
    }))
    .toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1))
})

/** Another order for every number, the same one each time. */
const shuffled = <A>(all: ReadonlyArray<A>, seed: number): ReadonlyArray<A> =>
  all
    .map((one, i) => [((i + 1) * 7_919 * (seed + 3)) % 1_009, one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one)

describe("the sandbox's people in an inbox", () => {
  it.effect("make the same items in every order of arrival, and twice as well as once", () =>
    Effect.gen(function* () {
      // After the deliveries: nobody waits any more for what they only announce.
      yield* TestClock.setTime(Date.parse("2026-11-21T08:00:00Z"))
      const world = yield* sandboxed()
      yield* live(world)
      yield* world.sandbox.settled
      const deliveries = world.arrived.map((one) => world.read(one).activities)
      const inbox = (order: ReadonlyArray<ReadonlyArray<InboundActivity>>) =>
        inboxOf(order).pipe(
          Effect.provide(
            Ingest.layer.pipe(
              Layer.provide(AccountTokens.layer),
              Layer.provideMerge(MemoryAdapters.layer),
              Layer.provideMerge(Layer.succeed(Connectors, world.connectors)),
              Layer.provideMerge(layerNetworks)
            )
          )
        )
      const registry = new Map()
      const asItCame = yield* Effect.provideService(inbox(deliveries), Metric.MetricRegistry, registry)
      // Three comments on each network, two of them edited, a message on two, a mention on two.
      assert.strictEqual(asItCame.length, 16)
      const counted = (yield* Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)).find(
        ({ id }) => id === "loopbox_inbox_items_total"
      )
      assert.deepStrictEqual(counted?.attributes, { by: "webhook" })
      // Two messages that were unsent and a comment that was deleted came in, too.
      assert.deepStrictEqual(counted?.state, { count: 19, incremental: true })
      assert.strictEqual(asItCame.filter(({ body }) => body.includes("one, edited")).length, 2)
      assert.deepStrictEqual(
        asItCame.flatMap(({ body, isHidden }) => (isHidden ? [body] : [])),
        ["two"]
      )
      for (let seed = 1; seed <= 20; seed++) {
        assert.deepStrictEqual(yield* inbox(shuffled(deliveries, seed)), asItCame, `order ${seed}`)
        assert.deepStrictEqual(
          yield* inbox(shuffled([...deliveries, ...deliveries], seed)),
          asItCame,
          `twice, order ${seed}`
        )
      }
    })
  )
})
