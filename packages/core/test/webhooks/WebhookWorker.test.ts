import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Latch, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { AuthExpired, Unavailable } from "../../src/networks/ConnectorErrors.ts"
import { UnreadableRow } from "../../src/kernel/UnreadableRow.ts"
import { AccessRevoked } from "../../src/networks/InboundActivity.ts"
import { AccountAdministration } from "../../src/access/AccountAdministration.ts"
import { IngestStore, type IngestUnit } from "../../src/inbox/IngestStore.ts"
import * as ProfileWorker from "../../src/inbox/ProfileWorker.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import * as WebhookWorker from "../../src/webhooks/WebhookWorker.ts"
import { deleted, posted, routeTo } from "@loopbox/testing/fixtures/activities"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { listed, scopeOf, walk } from "@loopbox/testing/fixtures/inboxFixtures"
import { away, makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import {
  accountRequest,
  connectAccount,
  layerInbox,
  layerInboxPorts,
  layerInboxServices
} from "@loopbox/testing/layers/inboxLayers"

const layerWorker = WebhookWorker.layer().pipe(Layer.provideMerge(layerInbox))
const layerWorkers = ProfileWorker.layer().pipe(Layer.provideMerge(layerWorker))

/** The worker over a store that behaves otherwise. */
const workerWith = (change: (store: IngestStore["Service"]) => IngestStore["Service"]) =>
  WebhookWorker.layer().pipe(
    Layer.provideMerge(layerInboxServices),
    Layer.updateService(IngestStore, change),
    Layer.provideMerge(layerInboxPorts)
  )

const accept = Effect.fnUntraced(function* (...told: Parameters<FakeNetworks["Service"]["toBody"]>) {
  const { toBody } = yield* FakeNetworks
  return yield* (yield* Webhooks).accept("meta", toBody(...told))
})

const failed = Effect.gen(function* () {
  const page = yield* (yield* Webhooks).listFailed({ limit: 10, after: Option.none() })
  return page.items.map(({ reason }) => reason)
})

const fb = { network: "facebook", externalUserId: Option.some("u1") } as const
const reply = (externalId: string, rootOf: string) => posted({ source: "fb_comment", externalId, rootOf })
const down = new Unavailable({ network: "facebook", networkCode: Option.none(), detail: "", reason: "upstream" })

const threads = (workspaceId: Parameters<typeof scopeOf>[0]) =>
  Effect.map(walk(scopeOf(workspaceId)), (items) =>
    items.map(({ externalId, threadKey }) => `${externalId} in ${threadKey}`).sort()
  )

describe("a stored delivery (design §5)", () => {
  it.effect("becomes items in every workspace that has connected the account", () =>
    Effect.gen(function* () {
      const [here, there, other] = [
        yield* makeWorkspace("basic"),
        yield* makeWorkspace("team"),
        yield* makeWorkspace("team")
      ]
      yield* connectAccount(here.id, { externalUserId: Option.some("u1") })
      yield* connectAccount(there.id)
      yield* connectAccount(other.id, { networkAccountId: "another" })
      yield* accept([posted(), posted({ externalId: "c2" }), posted({ externalId: "c3", account: "nobody's" })])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* listed(scopeOf(here.id, "u1"))).sort(), ["c1", "c2"])
      assert.deepStrictEqual((yield* listed(scopeOf(there.id))).sort(), ["c1", "c2"])
      assert.deepStrictEqual(yield* listed(scopeOf(other.id)), [])
      assert.deepStrictEqual(yield* failed, [])
    }).pipe(Effect.provide(layerWorker))
  )

  it.effect("goes to the account of the user name where none has the id", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id, { network: "threads", networkAccountId: "7", username: Option.some("Page") })
      const named = posted({ source: "threads_reply", externalId: "a" })
      const unknown = { ...named.route, accountId: Option.some("8"), username: Option.some("pAGE") }
      yield* accept([Object.assign(posted({ source: "threads_reply", externalId: "a" }), { route: unknown })])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), ["a"])
    }).pipe(Effect.provide(layerWorker))
  )

  it.effect("with a part that can't be read keeps its neighbours, and is kept as failed until it can", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id)
      const id = yield* accept([posted()], { unreadable: [{ path: "entry[1]", reason: "no id" }] })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), ["c1"])
      assert.deepStrictEqual(yield* failed, ["entry[1]: no id"])
      yield* (yield* Webhooks).replay(id)
      assert.deepStrictEqual(yield* failed, [])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* failed, ["entry[1]: no id"])
      assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), ["c1"])
      assert.strictEqual((yield* Effect.flip((yield* Webhooks).replay("no such")))._tag, "DeliveryNotFound")
    }).pipe(Effect.provide(layerWorker))
  )

  it.effect("settles the thread of a reply by the stored parent, without a call", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id, fb)
      yield* accept([posted({ source: "fb_comment", externalId: "root" })])
      yield* TestClock.adjust("1 second")
      yield* accept([reply("deep", "child"), reply("child", "root")])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* threads(workspace.id), ["child in root", "deep in root", "root in root"])
      assert.deepStrictEqual((yield* FakeNetworks).asked, [])
    }).pipe(Effect.provide(layerWorker))
  )

  it.effect("asks the network for a thread in the account's name, once for a chain", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id, fb)
      const networks = yield* FakeNetworks
      networks.threads.set("child", "root")
      yield* accept([reply("deep", "child"), reply("child", "absent")])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* threads(workspace.id), ["child in root", "deep in root"])
      assert.deepStrictEqual(
        networks.asked.map((asked) => [
          asked.call,
          asked.access.networkAccountId,
          Redacted.value(asked.access.accessToken)
        ]),
        [["findThreadKey", "page", "token"]]
      )
    }).pipe(Effect.provide(layerWorker))
  )

  it.effect("waits for a thread as long as the network is away, holds no neighbour up, and then takes the parent", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id, fb)
      const networks = yield* FakeNetworks
      networks.failure = down
      yield* accept([reply("r1", "p1"), posted({ source: "fb_comment", externalId: "top" })])
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* threads(workspace.id), ["top in top"])
      yield* accept([reply("r2", "p2")])
      yield* TestClock.adjust("330 seconds")
      assert.deepStrictEqual(yield* threads(workspace.id), ["r1 in p1", "top in top"])
      networks.failure = undefined
      networks.threads.set("r2", "root")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* threads(workspace.id), ["r1 in p1", "r2 in root", "top in top"])
    }).pipe(Effect.provide(layerWorker))
  )

  it.effect("takes the parent's id at once where the network will never tell", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id, { network: "x", username: Option.some("page") })
      yield* accept([posted({ source: "x_reply", externalId: "2", rootOf: "1" })])
      yield* TestClock.adjust("1 second")
      const [item] = yield* walk(scopeOf(workspace.id))
      assert.deepStrictEqual([item?.threadKey, item?.linkedPostId], ["1", Option.some("1")])
    }).pipe(Effect.provide(layerWorker))
  )

  it.effect("marks an account for reconnection when the network refuses its token, or takes it back", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const [one, two] = [
        yield* connectAccount(workspace.id, fb),
        yield* connectAccount(workspace.id, { networkAccountId: "page2" })
      ]
      const networks = yield* FakeNetworks
      networks.failure = new AuthExpired({
        network: "facebook",
        networkCode: Option.none(),
        detail: "",
        reason: "token",
        missingScopes: []
      })
      yield* TestClock.adjust("1 second")
      const toldAt = yield* DateTime.now
      yield* accept([reply("r1", "p1"), new AccessRevoked({ route: routeTo("ig_comment", "page2"), toldAt })])
      yield* TestClock.adjust("1 second")
      const administration = yield* AccountAdministration
      for (const { id } of [one, two]) {
        assert.strictEqual((yield* administration.findAccount(workspace.id, id)).status, "reauth_required")
      }
    }).pipe(Effect.provide(layerWorker))
  )

  it.effect("leaves an account alone that was connected again since, when it is replayed", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const { id: accountId } = yield* connectAccount(workspace.id)
      const administration = yield* AccountAdministration
      const status = Effect.map(administration.findAccount(workspace.id, accountId), (account) => account.status)
      yield* TestClock.adjust("1 minute")
      const revoked = new AccessRevoked({ route: routeTo("ig_comment", "page"), toldAt: yield* DateTime.now })
      const id = yield* accept([revoked], { unreadable: [{ path: "entry[1]", reason: "no id" }] })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* status, "reauth_required")
      const { credentials } = accountRequest()
      yield* administration.updateAccount(workspace.id, accountId, { credentials })
      assert.strictEqual(yield* status, "connected")
      yield* (yield* Webhooks).replay(id)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* status, "connected")
    }).pipe(Effect.provide(layerWorker))
  )

  it.effect("is ingested when the store comes back", () => {
    let isAway = true
    const flaky = (store: IngestStore["Service"]) =>
      IngestStore.of({ ...store, ingest: (unit) => (isAway ? Effect.fail(away("unknown")) : store.ingest(unit)) })
    return Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id)
      yield* accept([posted()])
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), [])
      isAway = false
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), ["c1"])
      assert.deepStrictEqual(yield* failed, [])
    }).pipe(Effect.provide(workerWith(flaky)))
  })

  it.effect("stays with a worker that takes its time", () => {
    let calls = 0
    const slow = (store: IngestStore["Service"]) =>
      IngestStore.of({
        ...store,
        ingest: (unit) => {
          calls += 1
          return Effect.delay(store.ingest(unit), "1 minute")
        }
      })
    return Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id)
      yield* accept([posted()])
      yield* TestClock.adjust("61 seconds")
      assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), ["c1"])
      assert.strictEqual(calls, 1)
    }).pipe(Effect.provide(workerWith(slow)))
  })

  it.effect("of a busy account wait for each other and are ingested together, and hold up no other account", () => {
    const gate = Latch.makeUnsafe(false)
    const units: Array<ReadonlyArray<string>> = []
    const isBusy = ({ arrivals }: IngestUnit) => arrivals.some(({ activity }) => activity.externalId.startsWith("b"))
    return Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id)
      yield* connectAccount(workspace.id, { networkAccountId: "quiet" })
      const ids = Array.from({ length: 10 }, (_, n) => `b${n}`)
      for (const externalId of ids) {
        yield* accept([posted({ externalId })])
        yield* TestClock.adjust("1 second")
      }
      yield* accept([posted({ account: "quiet", externalId: "q" })])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), ["q"])
      yield* gate.open
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* listed(scopeOf(workspace.id))).sort(), [...ids, "q"])
      assert.deepStrictEqual(units, [["b0"], ["b1"], ["q"], ids.slice(2)])
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(units.length, 4)
    }).pipe(
      Effect.provide(
        workerWith((store) =>
          IngestStore.of({
            ...store,
            ingest: (unit) => {
              units.push(unit.arrivals.map(({ activity }) => activity.externalId))
              return Effect.andThen(isBusy(unit) ? gate.await : Effect.void, store.ingest(unit))
            }
          })
        )
      )
    )
  })

  it.effect("that are ingested together fail by themselves where one of them is bad", () => {
    const gate = Latch.makeUnsafe(false)
    const has = ({ arrivals }: IngestUnit, id: string) => arrivals.some(({ activity }) => activity.externalId === id)
    return Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id)
      for (const externalId of ["first", "second", "good", "bad", "better"]) {
        yield* accept([posted({ externalId })])
        yield* TestClock.adjust("1 second")
      }
      yield* gate.open
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* listed(scopeOf(workspace.id))).sort(), ["better", "first", "good", "second"])
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* failed, ["internal error"])
    }).pipe(
      Effect.provide(
        workerWith((store) =>
          IngestStore.of({
            ...store,
            ingest: (unit) =>
              Effect.andThen(gate.await, has(unit, "bad") ? Effect.die(new Error("a bug")) : store.ingest(unit))
          })
        )
      )
    )
  })

  it.effect("that a bug stops in one account reaches the others, and is kept as failed in the end", () => {
    const broken = new Set<string>()
    const buggy = (store: IngestStore["Service"]) =>
      IngestStore.of({
        ...store,
        ingest: (unit) => (broken.has(unit.accountId) ? Effect.die(new Error("a bug")) : store.ingest(unit))
      })
    return Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      broken.add((yield* connectAccount(workspace.id, { networkAccountId: "broken" })).id)
      yield* connectAccount(workspace.id)
      yield* accept([posted({ account: "broken" }), posted()])
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), ["c1"])
      assert.deepStrictEqual(yield* failed, ["internal error"])
    }).pipe(Effect.provide(workerWith(buggy)))
  })

  it.effect(
    "whose account only a newer version can read reaches the others, and is left to that one for ten minutes",
    () => {
      const newer = new Set<string>()
      const older = (store: IngestStore["Service"]) =>
        IngestStore.of({
          ...store,
          ingest: (unit) =>
            newer.has(unit.accountId) ? Effect.die(new UnreadableRow({ cause: "a novel status" })) : store.ingest(unit)
        })
      return Effect.gen(function* () {
        const workspace = yield* makeWorkspace("basic")
        const { id } = yield* connectAccount(workspace.id, { networkAccountId: "newer" })
        newer.add(id)
        yield* connectAccount(workspace.id)
        yield* accept([posted({ account: "newer" }), posted()])
        yield* TestClock.adjust("9 minutes")
        assert.deepStrictEqual([yield* listed(scopeOf(workspace.id)), yield* failed], [["c1"], []])
        newer.clear()
        yield* TestClock.adjust("31 seconds")
        assert.deepStrictEqual(yield* listed(scopeOf(workspace.id)), ["c1", "c1"])
        newer.add(id)
        yield* accept([posted({ account: "newer", externalId: "c2" })])
        yield* TestClock.adjust("11 minutes")
        assert.deepStrictEqual(yield* failed, ["internal error"])
      }).pipe(Effect.provide(workerWith(older)))
    }
  )

  it.effect("of a person known by id only gets the name by one call", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      yield* connectAccount(workspace.id)
      const networks = yield* FakeNetworks
      networks.people.set("psid", "ann")
      const author = { id: Option.some("psid"), name: Option.none(), username: Option.none() }
      const message = (externalId: string) => posted({ source: "ig_dm", externalId, threadKey: "psid", author })
      yield* accept([message("m1"), message("m2"), deleted({ source: "ig_dm", externalId: "m0" })])
      yield* TestClock.adjust("3 seconds")
      yield* accept([message("m3")])
      yield* TestClock.adjust("3 seconds")
      const items = yield* walk(scopeOf(workspace.id))
      assert.deepStrictEqual(
        items.map(({ authorName }) => authorName),
        [Option.some("ann"), Option.some("ann"), Option.some("ann")]
      )
      assert.strictEqual(networks.asked.length, 1)
    }).pipe(Effect.provide(layerWorkers))
  )

  it.effect("is answered for before it is worked on, and stored when it arrived", () =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      yield* accept([], { unreadable: [{ path: "", reason: "not JSON" }] })
      yield* TestClock.adjust("1 second")
      const [delivery] = (yield* (yield* Webhooks).listFailed({ limit: 1, after: Option.none() })).items
      assert.deepStrictEqual(delivery?.createdAt, now)
    }).pipe(Effect.provide(layerWorker))
  )
})
