import { assert } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option, Record, Scope } from "effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import type { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { RateLimited, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import { Posted } from "@loopbox/core/networks/InboundActivity"
import { Networks, networkTable } from "@loopbox/core/networks/Networks"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import { PollStore } from "@loopbox/core/sync/PollStore"
import type { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { fakeFeeds, type FakeItem } from "../../../src/fakes/fakeFeeds.ts"
import { posted } from "../../../src/fixtures/activities.ts"
import { connectAccount } from "../../../src/layers/inboxLayers.ts"
import type { Chance } from "../Chance.ts"
import { makeProcesses } from "../processes.ts"
import type { Process } from "../ReplyTown.ts"
import { makeLossy } from "../Weather.ts"

const polled = ["instagram", "x"] as const

/** How often a process looks for accounts that are due. One that is left alone polls each of them less often, too. */
const usual = "11 seconds"

/** The ports as a process has them: now and then they fail, and once it is killed, nothing passes in either direction. */
export const pollPortsOf = Effect.fnUntraced(function* (chance: Chance, weather: { readonly isFair: boolean }) {
  const [polls, items, connectors] = [yield* PollStore, yield* IngestStore, yield* Connectors]
  const lossy = makeLossy(chance, weather, 10)
  return ({ pass }: Process) => {
    const through = <A, E>(call: Effect.Effect<A, E>) => pass(lossy(call))
    const read = (connector: SocialConnector): SocialConnector => ({
      ...connector,
      listFeeds: (...of) => pass(connector.listFeeds(...of)),
      readFeed: (...of) => pass(connector.readFeed(...of)),
      isThere: (...of) => pass(connector.isThere(...of))
    })
    return Layer.mergeAll(
      Layer.succeed(PollStore, {
        ...polls,
        claim: (request) => through(polls.claim(request)),
        read: (claim) => through(polls.read(claim)),
        renew: (...of) => through(polls.renew(...of)),
        release: (claim) => through(polls.release(claim)),
        settle: (...of) => through(polls.settle(...of))
      }),
      Layer.succeed(IngestStore, {
        ...items,
        ingest: (unit) => through(items.ingest(unit)),
        findMissing: (...of) => through(items.findMissing(...of))
      }),
      Layer.succeed(Connectors, { ...connectors, byNetwork: Record.map(connectors.byNetwork, read) })
    )
  }
})

const failed = { networkCode: Option.none(), detail: "" } as const

/** Accounts without webhooks, on networks that page, fail and take long, and the processes that poll them. */
export const makePolling = Effect.fnUntraced(function* (
  chance: Chance,
  weather: { readonly isFair: boolean },
  home: Workspace
) {
  const feeds = yield* fakeFeeds(4)
  const accounts = yield* Effect.forEach(polled, (network) =>
    connectAccount(home.id, { network, networkAccountId: `of ${network}`, username: Option.some(`of_${network}`) })
  )
  feeds.failure = (_request, { networkAccountId }) => {
    const fate = weather.isFair ? 9 : chance.below(60)
    const network = networkAccountId === "of x" ? "x" : "instagram"
    if (fate <= 4) chance.note("a feed is not answered")
    if (fate < 4) return new Unavailable({ ...failed, network, reason: "upstream" })
    // Rare, for a quarter of an hour without polls is longer than what is not fair.
    return fate === 4 ? new RateLimited({ ...failed, network, retryAt: Option.none() }) : undefined
  }
  feeds.before = () => {
    if (weather.isFair) return Effect.void
    if (chance.isOneIn(30)) {
      chance.note("a feed is not answered")
      return Effect.never
    }
    return chance.isOneIn(4) ? Effect.sleep(chance.below(9_000)) : Effect.void
  }
  // An answer is old when it arrives: what people did meanwhile must not be undone by it.
  feeds.after = () => {
    if (weather.isFair || !chance.isOneIn(2)) return Effect.void
    chance.note("a feed's answer comes late")
    return Effect.sleep(chance.below(20_000))
  }

  const ports = yield* pollPortsOf(chance, weather)
  const networks = yield* Networks
  const table = networkTable(polled.flatMap((name) => Option.toArray(networks.describe(name))))
  const context = yield* Effect.context<SocialAccounts | AccountTokens | Workspaces | SecureRandom>()
  const start = Effect.fnUntraced(function* (process: Process, pollEvery: Duration.Input) {
    const worker = SyncWorker.layer({
      every: Option.some(pollEvery === usual ? Duration.minutes(1) : Duration.minutes(3)),
      pollEvery
    }).pipe(Layer.provide(Ingest.layer), Layer.provide(ports(process)), Layer.provide(Layer.succeed(Networks, table)))
    yield* Layer.buildWithScope(worker, yield* Scope.make()).pipe(Effect.provideContext(context))
  })
  const [{ inbox }, polls] = [yield* MemoryState, yield* PollStore]
  let written = 0
  let latest_ms = 0
  /** What the first look at a billed feed may leave out, for it pays for the newest page only. */
  const early = new Set<string>()
  /** People write at the networks, which tell nobody. */
  const write = Effect.gen(function* () {
    const now = yield* DateTime.now
    const items = Array.from({ length: 1 + chance.below(6) }, (): FakeItem => {
      // The fake X goes by times where the real one goes by ids, of which no two are alike.
      latest_ms = Math.max(now.epochMilliseconds, latest_ms + 1)
      const isX = chance.isOneIn(2)
      const externalId = `polled-${++written}`
      const isRead = accounts.some(
        ({ id, network }) => network === "x" && inbox.accounts.get(id)?.poll.feeds.size !== 0
      )
      if (isX && !isRead) early.add(externalId)
      const feed = isX ? "of x" : `post-${chance.below(2)}`
      const told = posted({
        source: isX ? "x_reply" : "ig_comment",
        account: isX ? "of x" : "of instagram",
        externalId,
        threadKey: `${feed}-${written % 4}`,
        body: `text of ${externalId}`,
        receivedAt: DateTime.makeUnsafe(latest_ms)
      })
      const linkedPostId = isX ? Option.none<string>() : Option.some(feed)
      return { account: isX ? "of x" : "of instagram", feed, posted: new Posted({ ...told, linkedPostId }) }
    })
    feeds.items = [...feeds.items, ...items]
  })

  // The first poll finds something, so that people can moderate from the beginning on.
  yield* write
  const { crash, goOnAlone, kill, processes } = yield* makeProcesses(chance, usual, start)
  const sleep = Effect.gen(function* () {
    const asleep = processes[chance.below(processes.length)]
    asleep?.pause()
    chance.note("a machine sleeps")
    const wake = Effect.sync(() => asleep?.resume())
    yield* Effect.forkScoped(Effect.delay(wake, 1_000 + chance.below(60_000)))
  })

  /** A network says that there is something new, mostly amid a poll. */
  const announce = Effect.gen(function* () {
    const now = yield* DateTime.now
    const amid = accounts.filter(({ id }) => inbox.accounts.get(id)?.poll.token !== undefined)
    const account = chance.pick(amid.length > 0 ? amid : accounts)
    if (account !== undefined) yield* polls.hint(home.id, account.id, now)
  })

  const step = Effect.gen(function* () {
    switch (chance.below(7)) {
      case 0:
        return yield* crash
      case 1:
        return yield* sleep
      case 2:
        return yield* announce
      default:
        return yield* write
    }
  })
  const read = new Map<string, Set<string>>()
  /** What must hold at every moment: of a feed that was read it stays known how far. */
  const check = Effect.sync(() => {
    for (const { id } of accounts) {
      const kept = inbox.accounts.get(id)?.poll.feeds ?? new Map<string, never>()
      const known = read.get(id) ?? new Set<string>()
      for (const name of known) assert.isTrue(kept.has(name), `how far ${name} was read is not known any more`)
      read.set(id, new Set([...known, ...kept.keys()]))
    }
  })
  return { early, feeds, step, check, goOnAlone, kill }
})

export type Polling = Effect.Success<ReturnType<typeof makePolling>>
