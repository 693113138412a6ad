import { EntitledCaller, ScopedCaller } from "@loopbox/core/access/EntitledCaller"
import { inboxPlans } from "@loopbox/core/access/InboxPlans"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { Connectors, connectorTo } from "@loopbox/core/networks/Connectors"
import type { FeedPage } from "@loopbox/core/networks/Feed"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import { type Network, networks } from "../../src/names.ts"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { Sync } from "@loopbox/core/sync/Sync"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { noon } from "@loopbox/testing/fixtures/activities"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { makeInboxWorkspace, newAccount, scopeOf, walk } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { isVisible } from "../../src/sandbox/World.ts"
import type { Writing } from "../../src/sandbox/Writing.ts"
import { accounts, sandboxed } from "./sandboxed.ts"

/** Numbers from a seed: the same seed replays the same world. */
const makeChance = (seed: number) => {
  let state = seed * 2_654_435_761 + 12_345
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    below: (count: number) => Math.floor(next() * count),
    is: (percent: number) => next() * 100 < percent,
    pick: <A>(all: ReadonlyArray<A>) => all[Math.floor(next() * all.length)]
  }
}

type World = Effect.Success<ReturnType<typeof sandboxed>>
type Chance = ReturnType<typeof makeChance>

/** Lets promises of real sockets come to their ends, and a little time pass. */
const tick = Effect.gen(function* () {
  for (let turn = 0; turn < 4; turn++) yield* Effect.promise(() => new Promise<void>((done) => setImmediate(done)))
  yield* TestClock.adjust("100 millis")
})

const connectAll = Effect.fnUntraced(function* () {
  const workspace = yield* makeInboxWorkspace()
  const vault = yield* CredentialVault
  const connected = yield* SocialAccounts
  for (const { accessToken, accountId: networkAccountId, network, username } of accounts) {
    const account = yield* newAccount(workspace.id, { network, networkAccountId, username, at: yield* DateTime.now })
    const owner = { workspaceId: workspace.id, accountId: account.id }
    const credentials = { accessToken, refreshToken: Option.none(), expiresAt: Option.none() }
    yield* connected.connect(
      account,
      () => vault.seal(owner, credentials),
      DateTime.subtract(account.createdAt, { days: 7 })
    )
  }
  return workspace
})

/** Syncs the workspace until the run is completed. */
const sync = Effect.fnUntraced(function* (workspace: Effect.Success<ReturnType<typeof makeInboxWorkspace>>) {
  const caller = Result.getOrThrow(
    EntitledCaller.judge(ScopedCaller.embedded(workspace, Option.none()), yield* inboxPlans)
  )
  const service = yield* Sync
  const fiber = yield* Effect.forkChild(service.poll(caller))
  for (let ticks = 0; fiber.pollUnsafe() === undefined && ticks < 1_000; ticks++) yield* tick
  let run = yield* Fiber.join(fiber)
  for (let ticks = 0; !run.isCompleted && ticks < 3_000; ticks++) {
    yield* tick
    run = yield* service.find(caller, run.id)
  }
  assert.isTrue(run.isCompleted)
  return run
})

/** The connectors, and whatever their lists have ever shown. */
const remembering = ({ connectors }: World) => {
  const shown = new Set<string>()
  const remember = ({ seen }: FeedPage) => Effect.sync(() => seen.forEach((id) => shown.add(id)))
  const remembered = (connector: SocialConnector): SocialConnector => ({
    ...connector,
    readFeed: (...asked) => Effect.tap(connector.readFeed(...asked), remember),
    listFeeds: (...asked) =>
      Effect.tap(connector.listFeeds(...asked), (feeds) =>
        Effect.forEach(
          feeds.flatMap(({ firstPage }) => Option.toArray(firstPage)),
          remember
        )
      )
  })
  const facebook = connectorTo(connectors, "facebook")
  const instagram = connectorTo(connectors, "instagram")
  const threads = connectorTo(connectors, "threads")
  const x = connectorTo(connectors, "x")
  const byNetwork = {
    instagram: remembered(instagram),
    facebook: remembered(facebook),
    threads: remembered(threads),
    x: remembered(x)
  }
  return { shown, connectors: Connectors.of({ ...connectors, byNetwork }) }
}

/** What somebody does on a network; X shows to a poll no edit or deletion of what is older than the checkpoint. */
const act = Effect.fnUntraced(function* (
  { sandbox }: World,
  chance: Chance,
  network: Network,
  nth: number,
  shown: ReadonlySet<string>
) {
  const faults = chance.is(15) ? { times: 0 } : chance.is(20) ? { times: 2 } : {}
  const known = sandbox.world
    .ofAccount({ ...(accounts.find((one) => one.network === network) ?? assert.fail()) })
    .filter(({ isDeleted, kind }) => !isDeleted && kind !== "post")
  const from = chance.pick(["Ada", "Bo", "Cy"])
  const text = `words ${nth}`
  const one = chance.pick(known)
  const done = (() => {
    const what = chance.below(10)
    if (one === undefined || what < 5 || network === "x") {
      if ((network === "instagram" || network === "facebook") && chance.is(40)) {
        return sandbox.message({ network, from, text }, faults)
      }
      return sandbox.comment({ network, from, text }, faults)
    }
    const { id } = one
    if (what < 7) return sandbox.edit({ network, id, text: `${text}, edited` }, faults)
    // What answers a deleted comment is on no page, and nobody can tell what becomes of it.
    const isAnswered = known.some((other) => Option.contains(other.parentId, id))
    // The list of conversations would be empty at once, which a poll takes for a lost permission and not for a deletion.
    const isLastMessage = one.kind === "message" && known.filter(({ kind }) => kind === "message").length === 1
    if (what < 8 && !isAnswered && !isLastMessage) {
      // What no list had before is deleted by its webhook alone; Instagram sends none of a comment's end.
      if (shown.has(id)) return sandbox.remove({ network, id }, faults)
      return network === "instagram" && one.kind === "comment" ? Effect.void : sandbox.remove({ network, id })
    }
    if (what < 9) return sandbox.hide({ network, id, isHidden: chance.is(50) }, faults)
    return one.kind === "comment"
      ? sandbox.comment({ network, from, text, parentId: id }, faults)
      : sandbox.message({ network, from, text }, faults)
  })()
  yield* Effect.ignore(done)
})

/** Ingests what has arrived since, in an order of chance, as far as it is not kept for later. */
const ingestArrived = Effect.fnUntraced(function* (world: World, chance: Chance, seen: Set<unknown>, isAll: boolean) {
  yield* world.sandbox.settled
  const ingest = yield* Ingest
  const due = world.arrived.filter((one) => !seen.has(one) && (isAll || chance.is(70)))
  for (const one of due.toSorted(() => (chance.is(50) ? 1 : -1))) {
    seen.add(one)
    yield* ingest.ingest({ activities: world.read(one).activities, deliveryIds: [], isLastTry: true })
  }
})

const shownOf = ({ history, isHidden, text }: Writing) => ({ externalId: history[0], isHidden, text })

/** What the networks show of every account, and what the inbox has. */
const compare = Effect.fnUntraced(function* (world: World, workspaceId: Parameters<typeof scopeOf>[0], seed: number) {
  const now = yield* DateTime.now
  const items = yield* walk(scopeOf(workspaceId), { limit: 500 })
  for (const account of accounts) {
    const expected = world.sandbox.world
      .ofAccount(account)
      .filter((writing) => writing.kind !== "post" && isVisible(writing, now))
      .map(shownOf)
      .toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1))
    const actual = items
      .filter((item) => item.account.network === account.network)
      .map(({ body, externalId, isHidden }) => ({ externalId, isHidden, text: body.replace(/^(@\w+ )+/, "") }))
      .toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1))
    assert.deepStrictEqual(actual, expected, `seed ${seed}, ${account.network}`)
  }
})

/** A world of a seed, whose inbox is at its end what the networks show. */
export const hostile = Effect.fnUntraced(function* (seed: number) {
  // Before anything runs: the networks tell seconds from milliseconds by their size.
  yield* TestClock.setTime(DateTime.toEpochMillis(noon))
  const chance = makeChance(seed)
  const world = yield* sandboxed({ seed })
  const { connectors, shown } = remembering(world)
  const play = Effect.gen(function* () {
    const workspace = yield* connectAll()
    const seen = new Set<unknown>()
    let nth = 0
    // On X the past before the first poll is for a backfill.
    yield* sync(workspace)
    for (let round = 0; round < 3; round++) {
      const doing = 4 + chance.below(20)
      for (let i = 0; i < doing; i++) {
        yield* act(world, chance, chance.pick(networks) ?? "x", nth++, shown)
        yield* TestClock.adjust(`${1 + chance.below(90)} seconds`)
      }
      yield* ingestArrived(world, chance, seen, false)
      if (chance.is(30)) {
        const network = chance.pick(networks) ?? "x"
        world.sandbox.api.faults.set({
          network,
          kind: chance.pick(["rate_limit", "server_error", "html"]) ?? "html",
          times: 2,
          retry_after_s: chance.pick([0, 5, 900]) ?? 0
        })
      }
      yield* sync(workspace)
      // What is late comes after the poll that has seen it.
      yield* ingestArrived(world, chance, seen, true)
      yield* TestClock.adjust("1 hour")
    }
    world.sandbox.api.faults.clear({})
    const dead = chance.is(25) ? chance.pick(networks) : undefined
    yield* sync(workspace)
    yield* TestClock.adjust("1 hour")
    if (dead !== undefined) {
      const { accountId } = accounts.find(({ network }) => network === dead) ?? assert.fail()
      world.sandbox.api.tokens.change(dead, { account_id: accountId, state: "expired" }, yield* DateTime.now)
    }
    const { accounts: last } = yield* sync(workspace)
    // Each account has a state with a cause.
    assert.deepStrictEqual(
      last.flatMap(({ errors, network }) => errors.map(({ code }) => `${network} ${code}`)),
      dead === undefined ? [] : [`${dead} RECONNECT_REQUIRED`],
      `seed ${seed}`
    )
    yield* compare(world, workspace.id, seed)
  })
  yield* play.pipe(
    Effect.provide(
      SyncWorker.layer({ every: Option.none(), pollEvery: "1 day" }).pipe(
        Layer.provideMerge(Layer.mergeAll(Ingest.layer, Sync.layer())),
        Layer.provideMerge(AccountTokens.layer),
        Layer.provideMerge(MemoryAdapters.layer),
        Layer.provideMerge(Layer.succeed(Connectors, connectors)),
        Layer.provideMerge(layerNetworks)
      )
    )
  )
})
