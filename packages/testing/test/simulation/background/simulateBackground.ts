import { assert } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect, Fiber, Layer, Option, Random, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import * as AccountChecks from "@loopbox/core/health/AccountChecks"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import * as ProfileWorker from "@loopbox/core/inbox/ProfileWorker"
import { RateLimited, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import { Networks, networkTable } from "@loopbox/core/networks/Networks"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { Sync } from "@loopbox/core/sync/Sync"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import { FakeNetworks } from "../../../src/fakes/FakeConnector.ts"
import { fakeFeeds } from "../../../src/fakes/fakeFeeds.ts"
import { posted } from "../../../src/fixtures/activities.ts"
import { makeWorkspace } from "../../../src/fixtures/mediaFixtures.ts"
import { connectAccount, enter, layerInboxServices } from "../../../src/layers/inboxLayers.ts"
import { type Chance, makeChance } from "../Chance.ts"
import { simulatedPorts } from "../InboxWorld.ts"
import { checkLaws } from "../laws/checkLaws.ts"
import type { InboxPorts, Plant } from "../planted/PlantedBug.ts"
import { makeProcesses } from "../processes.ts"
import type { Process } from "../ReplyTown.ts"
import { startWebhookWorker } from "../simulateInbox.ts"
import { afresh, makeLossy } from "../Weather.ts"
import { pollPortsOf } from "../whole/Polling.ts"
import { makeBrowsers } from "./Browsers.ts"
import { checkResume } from "./checkResume.ts"
import { fateOf, type LookedUp, makeLookedUp, moods } from "./LookedUp.ts"

interface Sky {
  isFair: boolean
}

const networks = ["instagram", "facebook"] as const

/** A lively account is polled so often; a quiet one a third as often. */
const every = Duration.minutes(1)

/** The workers that look by themselves, in processes that die and sleep, over stores that are away now and then. */
const makeWorkers = Effect.fnUntraced(function* (chance: Chance, weather: Sky) {
  const [profiles, health, table] = [yield* AuthorProfiles, yield* AccountHealthStore, yield* Networks]
  const lossy = makeLossy(chance, weather, 12)
  const pollPorts = yield* pollPortsOf(chance, weather)
  const polled = networkTable(networks.flatMap((name) => Option.toArray(table.describe(name))))
  const context = yield* Effect.context<
    | Layer.Services<ReturnType<typeof ProfileWorker.layer>>
    | Layer.Services<ReturnType<typeof AccountChecks.layer>>
    | Layer.Services<ReturnType<typeof SyncWorker.layer>>
    | Layer.Services<typeof Ingest.layer>
  >()
  const start = Effect.fnUntraced(function* (process: Process, pollEvery: Duration.Input) {
    const through = <A, E>(call: Effect.Effect<A, E>) => process.pass(lossy(call))
    const ports = Layer.mergeAll(
      pollPorts(process),
      Layer.succeed(Networks, polled),
      Layer.succeed(AuthorProfiles, {
        claim: (request) => through(profiles.claim(request)),
        renew: (...of) => through(profiles.renew(...of)),
        release: (...of) => through(profiles.release(...of)),
        settle: (...of) => through(profiles.settle(...of))
      }),
      Layer.succeed(AccountHealthStore, {
        ...health,
        claim: (request) => through(health.claim(request)),
        renew: (...of) => through(health.renew(...of)),
        release: (...of) => through(health.release(...of)),
        settle: (...of) => through(health.settle(...of))
      })
    )
    const workers = Layer.mergeAll(
      SyncWorker.layer({ every: Option.some(every), pollEvery }).pipe(Layer.provide(Ingest.layer)),
      ProfileWorker.layer({ pollEvery, atOnce: 2 }),
      AccountChecks.layer({ pollEvery, every: Duration.minutes(20) })
    )
    yield* Layer.buildWithScope(Layer.provide(workers, ports), yield* Scope.make()).pipe(Effect.provideContext(context))
  })
  return yield* makeProcesses(chance, "20 seconds", start)
})

const makeTown = Effect.fnUntraced(function* (chance: Chance, weather: Sky, looked: LookedUp) {
  const [here, there] = [yield* makeWorkspace("growth"), yield* makeWorkspace("growth")]
  const whole = yield* enter(here.id)
  const feeds = yield* fakeFeeds(4)
  const [webhooks, scripted, sync, polls] = [yield* Webhooks, yield* FakeNetworks, yield* Sync, yield* PollStore]
  const [administration, { inbox }] = [yield* AccountAdministration, yield* MemoryState]
  const accounts = yield* Effect.forEach(networks, (network) =>
    connectAccount(here.id, {
      network,
      networkAccountId: `of ${network}`,
      username: Option.some(`of_${network}`),
      check: "later"
    })
  )
  feeds.failure = (_request, { networkAccountId }) => {
    const fate = weather.isFair ? 99 : chance.below(80)
    const about = { network: networkAccountId.slice(3), networkCode: Option.none(), detail: "" }
    if (fate < 4) return new Unavailable({ ...about, reason: "upstream" })
    return fate === 4 ? new RateLimited({ ...about, retryAt: Option.none() }) : undefined
  }
  feeds.before = () => (!weather.isFair && chance.isOneIn(4) ? Effect.sleep(chance.below(9_000)) : Effect.void)
  let written = 0
  /** Somebody writes; the network lists it, and may tell of it. Some have no name that it tells. */
  const write = Effect.fnUntraced(function* (isTold: boolean, account = chance.pick(networks) ?? "instagram") {
    const at = yield* DateTime.now
    const n = ++written
    const isNamed = n % 3 === 0
    const one = (externalId: string) =>
      posted({
        source: account === "instagram" ? "ig_comment" : "fb_comment",
        account: `of ${account}`,
        externalId,
        threadKey: `thread-${n % 4}`,
        post: `post-${n % 2}`,
        receivedAt: at,
        author: {
          id: Option.some(`person-${n % 13}`),
          ...(isNamed ? {} : { name: Option.none(), username: Option.none() })
        }
      })
    // Who has no name writes twice before it is found.
    const items = [one(`written-${n}`), ...(isNamed ? [] : [one(`written-${n} again`)])]
    const feed = `post-${n % 2}`
    feeds.items = [...feeds.items, ...items.map((item) => ({ account: `of ${account}`, feed, posted: item }))]
    if (isTold) for (let k = 0; k <= chance.below(2); k++) yield* webhooks.accept("meta", scripted.toBody(items))
  })

  // What comes after a page was made is not in it, and the end of that poll must not undo that it came.
  feeds.after = (_request, { networkAccountId }) => {
    const name = networks.find((one) => networkAccountId === `of ${one}`)
    if (weather.isFair || name === undefined || !chance.isOneIn(8)) return Effect.void
    return Effect.andThen(Effect.orDie(write(true, name)), Effect.sleep("9 seconds"))
  }

  /** A process begins something of each kind, and stops at once: it gives back what it has not done. */
  const glance = Effect.gen(function* () {
    const now = yield* DateTime.now
    const leaseUntil = DateTime.add(now, { seconds: 30 })
    const request = { limit: 1, token: `glance ${++written}`, leaseNow: now, leaseUntil }
    const [profiles, health] = [yield* AuthorProfiles, yield* AccountHealthStore]
    for (const claim of yield* profiles.claim(request)) yield* profiles.release(claim, now)
    for (const claim of yield* health.claim({ ...request, now })) yield* health.release(claim)
    const network = chance.pick(networks) ?? "instagram"
    for (const claim of yield* polls.claim({ ...request, now, network, isAutomatic: true })) yield* polls.release(claim)
  })

  /** What a network tells of an account has it polled within the interval, unless it has asked to wait. */
  const tell = Effect.gen(function* () {
    const name = chance.pick(networks) ?? "instagram"
    const entry = Array.from(inbox.accounts.values()).find(({ account }) => account.networkAccountId === `of ${name}`)
    const isAtRest = entry?.poll.life !== undefined && Option.isNone(entry.poll.state.wait)
    const begun = yield* DateTime.now
    yield* write(true, name)
    yield* TestClock.adjust("8 seconds")
    if (entry === undefined || !isAtRest || entry.account.status !== "connected") return
    const { dueAt, life, state } = entry.poll
    // That something came is stored once a minute.
    const isHeard = Option.exists(entry.health.facts.lastWebhookAt, DateTime.isGreaterThanOrEqualTo(begun))
    if (!isHeard || life === undefined || Option.isSome(state.wait)) return
    // The pause of a lively account is the interval plus a tenth at most.
    const latest = DateTime.add(yield* DateTime.now, { seconds: 66 })
    assert.isTrue(
      Option.exists(dueAt, DateTime.isLessThanOrEqualTo(latest)),
      `news of ${name} do not bring its next poll forward`
    )
  })

  /** Two people ask for a poll, one of them amid it; they share it, and hear of the same. */
  const ask = Effect.gen(function* () {
    yield* write(false)
    const both = yield* Effect.forkScoped(
      Effect.all([sync.poll(whole), Effect.delay(sync.poll(whole), chance.below(3_000))], { concurrency: 2 })
    )
    yield* TestClock.adjust("50 seconds")
    yield* Fiber.join(both)
  })
  const announce = Effect.gen(function* () {
    const account = chance.pick(accounts)
    if (account !== undefined) yield* polls.hint(here.id, account.id, yield* DateTime.now)
  })

  /** An account's token dies, or is given anew. */
  const logInOrOut = Effect.gen(function* () {
    const account = chance.pick(accounts)
    if (account === undefined) return
    const { networkAccountId } = account
    if (!looked.dead.has(networkAccountId)) return void looked.dead.add(networkAccountId)
    yield* logIn(account)
  })
  const logIn = Effect.fnUntraced(function* ({ id, networkAccountId, workspaceId }: SocialAccount) {
    looked.dead.delete(networkAccountId)
    const accessToken = Redacted.make(`token ${++written}`)
    const credentials = { accessToken, refreshToken: Option.none(), expiresAt: Option.none() }
    yield* administration.updateAccount(workspaceId, id, { credentials, check: "later" })
  })
  /** All tokens are good again. */
  const logInAll = Effect.suspend(() => Effect.forEach(accounts, logIn, { discard: true }))
  const change = Effect.sync(() => {
    const name = `of ${chance.pick(networks)}`
    looked.mood.set(name, chance.pick(moods) ?? "well")
    if (chance.isOneIn(3)) looked.subscribed.delete(name)
  })

  /** Names that networks told are on everything of their authors; the others were asked for as often as they may be. */
  const checkNames = Effect.sync(() => {
    for (const { account, items, people } of inbox.accounts.values()) {
      for (const [id, { attempts, person }] of people) {
        const name = `the look-up of ${id} for ${account.id}`
        assert.isDefined(person, `${name} has not ended`)
        const isFound = Option.isSome(person?.name ?? Option.none())
        const fate = fateOf(id)
        const mayBeGivenUp = fate === "nobody" || fate === "refused" || attempts >= 8
        assert.isTrue(isFound || mayBeGivenUp, `${name} was given up after ${attempts} of 8 attempts`)
        const asks = looked.asked.get(`${account.networkAccountId} ${id}`) ?? 0
        assert.isAtLeast(asks, 1, `${name} has ended, and nobody was asked`)
        for (const item of items.values()) {
          const isTheirs = item._tag === "LiveItem" && Option.contains(item.authorId, id)
          if (isTheirs && isFound) assert.isTrue(Option.isSome(item.authorName), `${item.externalId} has no name`)
        }
      }
    }
  })

  /** Once all is well, nothing else is said of any account, and that is what was told last. */
  const checkHealth = Effect.sync(() => {
    for (const { account, health } of inbox.accounts.values()) {
      if (account.status !== "connected") continue
      const told = Option.getOrUndefined(health.facts.told)
      const wrong = told?.health.problems.map(({ code }) => code).filter((code) => code !== "webhook_quiet") ?? []
      assert.isEmpty(wrong, `what is said of ${account.id}, which is well: ${wrong.join()}`)
    }
  })
  return {
    announce,
    ask,
    change,
    checkHealth,
    checkNames,
    glance,
    here,
    logInAll,
    logInOrOut,
    tell,
    there,
    whole,
    write
  }
})

/** Plays one seed: accounts that are quiet for long, of which news come; authors without names; health that comes and goes. */
export const simulateBackground = (seed: number, plant: Plant<InboxPorts> = Layer.empty) => {
  const chance = makeChance(seed)
  const weather: Sky = { isFair: false }
  const looked = makeLookedUp(chance, weather)
  return Effect.gen(function* () {
    const town = yield* makeTown(chance, weather, looked)
    const browsers = yield* makeBrowsers(chance, town.here.id, town.there.id)
    yield* startWebhookWorker("3 seconds")
    const { crash, goOnAlone, kill, processes } = yield* makeWorkers(chance, weather)
    const sleep = Effect.gen(function* () {
      const one = chance.pick(processes)
      one?.pause()
      const wake = Effect.sync(() => one?.resume())
      yield* Effect.forkScoped(Effect.delay(wake, 1_000 + chance.below(90_000)))
    })
    const { announce, ask, change, glance, logInOrOut, tell, write } = town
    const parts = [
      ...[announce, ask, ask, change, change, change, crash, glance, glance, logInOrOut, sleep, tell, tell, tell, tell],
      ...[write(false), write(false), write(true), write(true), write(true)],
      ...[browsers.step, browsers.step, browsers.step, browsers.step]
    ]
    const check = Effect.andThen(checkLaws, browsers.check)
    for (let n = 0; n < 40; n++) {
      yield* chance.pick(parts) ?? tell
      // Now and then nothing happens for so long that accounts count as quiet.
      yield* TestClock.adjust(chance.isOneIn(10) ? 900_000 + chance.below(600_000) : chance.below(30_000))
      if (n % 6 === 5) yield* check
    }
    weather.isFair = true
    yield* TestClock.adjust("2 minutes")
    yield* town.logInAll
    yield* goOnAlone("2 minutes")
    yield* TestClock.adjust("100 minutes")
    yield* check
    yield* town.checkNames
    yield* town.checkHealth
    yield* checkResume(town.whole)
    kill()
    const { inbox } = yield* MemoryState
    const told = Array.from(inbox.logs.values(), ({ events }) => events.map(({ event }) => event._tag))
    return { ended_ms: yield* Clock.currentTimeMillis, told }
  }).pipe(
    Effect.scoped,
    Effect.provide(
      layerInboxServices.pipe(Layer.provideMerge(looked.layer), Layer.provideMerge(simulatedPorts(seed, plant)))
    ),
    Effect.provide(TestClock.layer()),
    Random.withSeed(seed),
    afresh
  )
}
