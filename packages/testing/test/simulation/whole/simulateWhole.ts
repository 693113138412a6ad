import { assert } from "@effect/vitest"
import { createHash } from "node:crypto"
import { Clock, DateTime, Effect, Exit, type Fiber, Layer, Option, Random, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { CurrentActor } from "@loopbox/core/audit/Actor"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { UsageStore } from "@loopbox/core/usage/UsageStore"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { noFault } from "../../../src/fakes/faults.ts"
import { FakeNetworks } from "../../../src/fakes/FakeConnector.ts"
import { animatedGif } from "../../../src/fakes/gifSamples.ts"
import { makeWorkspace } from "../../../src/fixtures/mediaFixtures.ts"
import { enter, layerInboxServices } from "../../../src/layers/inboxLayers.ts"
import { type Chance, makeChance } from "../Chance.ts"
import { addWorkspace, clientCall } from "../clients.ts"
import { checkAlways, checkAtRest } from "../inboxInvariants.ts"
import { simulateBackground } from "../background/simulateBackground.ts"
import { makeTown, simulatedPorts, withLossyInbox } from "../InboxWorld.ts"
import { checkInvariants } from "../invariants.ts"
import { checkFences } from "../laws/checkFences.ts"
import { checkLaws } from "../laws/checkLaws.ts"
import type { InboxPorts, Plant } from "../planted/PlantedBug.ts"
import { makePostNetwork } from "../PostNetwork.ts"
import { targetsOf, withLossyPosts } from "../PostTown.ts"
import { checkRepliesAtRest, checkRepliesOver } from "../replyInvariants.ts"
import { makeReplyNetwork } from "../ReplyNetwork.ts"
import { makeReplyTown, withLossyReplies } from "../ReplyTown.ts"
import { simulateUpkeep } from "../upkeep/simulateUpkeep.ts"
import { probeQuota } from "../quotaProbe.ts"
import { settleDown, workerEvent } from "../simulate.ts"
import { inboxStep, startWebhookWorker } from "../simulateInbox.ts"
import { makePublishing } from "../simulatePosts.ts"
import { simulateTokens } from "../simulateTokens.ts"
import { makeReplying } from "../simulateReplies.ts"
import { afresh, makeLossy } from "../Weather.ts"
import { makeWorld } from "../World.ts"
import { makeCauses } from "./Causes.ts"
import { makeErasing } from "./Erasing.ts"
import { checkEdits } from "./editInvariants.ts"
import { checkErasing, checkErasingAtRest } from "./erasingInvariants.ts"
import { checkAllEnded, checkReceived, checkReceivers } from "./receiverInvariants.ts"
import { growOld } from "./growOld.ts"
import { checkKeys } from "./keyInvariants.ts"
import { makeModerating } from "./Moderating.ts"
import { makePolling } from "./Polling.ts"
import { checkJobEnds, checkPostEvents } from "./postReplay.ts"
import { makeReceivers, userOfEndpoint } from "./Receivers.ts"
import { makeSending } from "./sendingProcess.ts"
import { checkItems } from "./itemReplay.ts"
import { makeListLaw } from "./listInvariants.ts"
import { checkStrangers } from "./strangerInvariants.ts"
import { checkThreads } from "./threadInvariants.ts"
import { makeThreadWork, withLossyThreads } from "./ThreadWork.ts"
import { makeTwin } from "./Twin.ts"

interface Sky {
  isFair: boolean
}

/** What most steps are about; all else happens too, but less often. `long` is `all` with more steps. */
type Mostly = "all" | "long" | "threads" | "polls"

/** Every part of the system on one set of ports, in one workspace, beside another one that has jobs only. */
const makeWhole = Effect.fnUntraced(function* (chance: Chance, weather: Sky, mostly: Mostly) {
  const home = yield* makeWorkspace("growth")
  const town = yield* makeTown(chance, home, weather, 60)
  // From the beginning on somebody has an account that others may get: until one is given, nothing could be told to who had it.
  for (const { id } of town.accounts.slice(0, 1))
    yield* (yield* AccountAdministration).updateAccount(home.id, id, { externalUserId: Option.some(userOfEndpoint) })
  const causes = makeCauses()
  const receivers = yield* makeReceivers(chance, weather, causes, yield* enter(home.id))
  const sending = yield* makeSending(chance, weather, causes, receivers)
  const callers = Array.from(town.callers.values())
  const work = yield* makeThreadWork(chance, callers)
  const webhooks = yield* startWebhookWorker("5 seconds")
  const networks = yield* FakeNetworks
  const replyTown = yield* makeReplyTown(home)
  const replyNetwork = makeReplyNetwork(chance, weather)
  networks.script = replyNetwork.script
  const replying = yield* makeReplying(chance, replyTown, replyNetwork, "8 seconds")
  const postNetwork = makePostNetwork(chance, weather, chance.seed % 2 === 0)
  networks.publish = postNetwork.script
  const publishing = yield* makePublishing(chance, home, postNetwork, "12 seconds")
  const caller = yield* enter(home.id)
  const polling = yield* makePolling(chance, weather, home)
  const moderating = yield* makeModerating(chance, weather, caller, polling)
  const erasing = yield* makeErasing(chance, yield* makeWorkspace("growth"), causes, replying.ask)
  const twin = yield* makeTwin
  const jobs = yield* makeWorld(chance, new Set([home.id, erasing.workspace.id, twin.workspace.id]))
  yield* addWorkspace(jobs)
  yield* jobs.addWorker
  const stops: Array<Fiber.Fiber<void>> = []

  const jobStep = Effect.gen(function* () {
    const calls = Array.from({ length: 1 + chance.below(3) }, () => clientCall(jobs))
    yield* Effect.all(calls, { concurrency: "unbounded" })
    if (chance.isOneIn(2)) yield* workerEvent(jobs, stops)
    if (chance.isOneIn(6)) yield* jobs.sweepOnce(jobs.weather.fault)
  })
  const inbox = inboxStep(chance, town, webhooks.restart)
  const main = {
    all: [],
    long: [],
    // Messages that come in, and work on their threads: 26 of 41 steps.
    threads: [inbox, work.step],
    // Accounts that are polled, and what is done with their items: 24 of 41 steps.
    polls: [polling.step, moderating.step]
  }[mostly]
  const parts = [
    ...Array.from({ length: 10 }, () => main).flat(),
    inbox,
    inbox,
    inbox,
    work.step,
    work.step,
    work.step,
    replying.step,
    replying.step,
    publishing.step,
    publishing.step,
    jobStep,
    jobStep,
    receivers.act,
    receivers.act,
    sending.step,
    erasing.step,
    erasing.step,
    polling.step,
    polling.step,
    moderating.step,
    moderating.step
  ]
  const step = Effect.gen(function* () {
    yield* chance.pick(parts) ?? inbox
    // Whose changes the audit tells, also of what such a step begins; all else is done by processes of ours.
  }).pipe(
    Effect.provideService(CurrentActor, { type: "member", id: Option.some("ann"), requestId: Option.some("req_ann") })
  )
  const checkFiltered = makeListLaw()
  const check = Effect.gen(function* () {
    yield* checkLaws
    yield* checkInvariants(jobs.ledger)
    yield* checkAlways(town)
    yield* checkThreads(work.ledger, callers)
    yield* checkItems(yield* enter(home.id))
    for (const n of [1, 2]) yield* checkEdits(home.id, chance.seed + n)
    yield* checkFiltered(chance.pick(callers) ?? caller)
    yield* replying.check
    yield* publishing.check
    yield* checkReceivers(receivers, home.id)
    yield* checkErasing(erasing)
    yield* moderating.check
    yield* polling.check
    yield* checkStrangers(callers, erasing.whole)
    yield* checkFences
    yield* checkKeys(home.id, erasing.workspace.id)
    yield* checkPostEvents(home.id)
    yield* checkJobEnds(home.id)
  })
  return {
    ...{ check, home, jobs, networks, publishing, receivers, replying, replyNetwork, replyTown, sending, step, stops },
    ...{ erasing, moderating, polling, town, twin, webhooks }
  }
})

type Whole = Effect.Success<ReturnType<typeof makeWhole>>

/** What the workspace is told that it uses is what it has used. */
const checkUsage = Effect.fnUntraced(function* ({ jobs, publishing }: Whole, workspace: Workspace) {
  const { id } = workspace
  // What was deleted counts no more.
  const [declaredType, filename] = [Option.none(), Option.none()]
  const file = Stream.make(animatedGif([10, 10], { width: 2, height: 2 }))
  const deleted = yield* jobs.library.upload({ workspace, declaredType, filename, bytes: file })
  yield* jobs.library.remove(id, deleted.id)
  const used = Option.getOrThrow(yield* (yield* UsageStore).read(id, yield* DateTime.now))
  const { events } = yield* (yield* InboxEvents).read(id, 0, 100_000)
  const came = events.filter(({ event }) => event._tag === "NewItem").length
  const made = Array.from(jobs.ledger.jobs.values()).filter(({ workspaceId }) => workspaceId === id).length
  assert.deepStrictEqual([used.items, used.posts], [came, publishing.made.length], "items and posts that were counted")
  const { activeJobs, conversions } = used.admission
  assert.deepStrictEqual([activeJobs, conversions], [0, made], "jobs that were counted")
  const bytes = Array.from((yield* MemoryState).media.values()).reduce(
    (sum, { deletedAt, media }) =>
      media._tag === "ReadyMedia" && media.workspaceId === id && deletedAt === undefined ? sum + media.sizeBytes : sum,
    0
  )
  assert.strictEqual(used.storageBytes, bytes, "bytes that were counted")
})

/** Deliveries that came in are all done, once. */
const checkArrived = Effect.map(MemoryState, ({ inbox }) => {
  for (const { delivery, reason, state } of inbox.deliveries.values())
    assert.strictEqual(state, "done", `what came in as ${delivery.id}: ${reason}`)
})

/** How often a process looks for work where only deadlines pass. */
const seldom = "150 seconds"

/** A hash of all that was told and sent: the same seed has to give the same. */
const hashOf = ({ receivers }: Whole) =>
  Effect.map(MemoryState, ({ inbox, jobs }) =>
    createHash("sha256")
      .update(JSON.stringify(Array.from(inbox.logs.values(), ({ events }) => events)))
      .update(JSON.stringify([Array.from(inbox.outgoing.deliveries.values()), receivers.receipts]))
      .update(JSON.stringify(Array.from(jobs.values(), ({ job }) => job)))
      .digest("hex")
  )

/** The weather is fair, and each part comes to its end; the slowest are those whose deadlines are long. */
const comeToRest = Effect.fnUntraced(function* (whole: Whole, weather: Sky) {
  const { check, home, jobs, networks, publishing, receivers, replying, replyNetwork, replyTown, sending, town } = whole
  weather.isFair = true
  networks.failure = undefined
  yield* TestClock.adjust("75 seconds")
  yield* replying.echoLate
  yield* settleDown(jobs, whole.stops, "20 seconds")
  yield* check
  yield* checkAtRest(town)
  yield* checkErasingAtRest(whole.erasing)
  yield* whole.twin.checkAtRest(town, whole.erasing)
  yield* checkArrived
  yield* whole.webhooks.stop
  for (const { scope } of town.listeners) yield* Scope.close(scope, Exit.void)
  // Only deadlines and attempts that were put off are left. Two processes that look as often as before would take a third of
  // the whole run for looks that find nothing.
  for (const part of [replying, publishing, sending, whole.polling]) yield* part.goOnAlone(seldom)
  for (let n = 0; n < 4; n++) {
    yield* TestClock.adjust("11 minutes")
    yield* replying.check
    yield* publishing.check
    // A network that asked to wait is asked again after a quarter of an hour, and then has told all.
    if (n !== 1) continue
    yield* whole.moderating.checkAtRest
    whole.polling.kill()
  }
  yield* checkRepliesAtRest(replyTown, replyNetwork)
  yield* publishing.checkAtRest
  yield* checkUsage(whole, home)
  publishing.kill()
  yield* check
  yield* checkReceived(receivers, home.id)
  const calm_ms = yield* Clock.currentTimeMillis
  // Days in which nothing happens but attempts that were put off.
  yield* sending.goOnAlone("4 hours")
  yield* replying.goOnAlone("5 hours")
  yield* TestClock.adjust("4 days")
  yield* checkAllEnded(receivers, home.id)
  yield* checkRepliesOver
  sending.kill()
  replying.kill()
  return { calm_ms, hash: yield* hashOf(whole) }
})

/** Of the whole, many short seeds show more than few long ones; what is rare in its parts needs a longer one. */
const steps = { all: 24, long: 120, threads: 120, polls: 120 }

/** The longest pause after a step: accounts are polled each minute, and a seed has to show several polls. */
const pause_ms = { all: 4_000, long: 4_000, threads: 4_000, polls: 16_000 }

/** One in so many seeds goes on for a year, which shows the same things each time. */
const ageing = 8

/** In one of so many seeds the limit of conversions is looked at from both sides. */
const probing = 8

/** In one of so many seeds customers come and go as well, on ports of their own: it takes half as long as the rest. */
const tended = 16

/** In one of so many seeds tokens expire as well, on ports of their own. */
const expiring = 16

/** In one of so many seeds hours pass as well in which little happens, on ports of their own: it takes four times as long as the rest. */
const background = 40

/**
 * Plays one seed: clients, workers, networks and receivers of a workspace, with stores that fail, processes that die and
 * machines that sleep; then calm until all that was accepted has ended.
 */
export const simulateWhole = (seed: number, plant: Plant<InboxPorts> = Layer.empty, mostly: Mostly = "all") => {
  const chance = makeChance(seed)
  const weather: Sky = { isFair: false }
  const services = layerInboxServices.pipe(
    withLossyInbox(chance, makeLossy(chance, weather, 6)),
    withLossyReplies(makeLossy(chance, weather, 14)),
    withLossyPosts(makeLossy(chance, weather, 14)),
    withLossyThreads(makeLossy(chance, weather, 6)),
    Layer.provideMerge(simulatedPorts(seed, plant))
  )
  return Effect.gen(function* () {
    const whole = yield* makeWhole(chance, weather, mostly)
    for (let n = 0; n < steps[mostly]; n++) {
      yield* whole.step
      if (chance.isOneIn(3)) yield* TestClock.adjust(`${chance.below(pause_ms[mostly])} millis`)
      // The next poll mends what one has undone, so it shows for seconds only.
      if (n % 4 === 3) yield* whole.moderating.check
      if (n % 20 === 19) yield* whole.check
    }
    const { calm_ms, hash } = yield* comeToRest(whole, weather)
    const { jobs } = whole
    const [limited] = Array.from(jobs.state.workspaces.values()).filter(({ id }) => !jobs.spared.has(id))
    if (seed % probing === 2 && limited !== undefined) yield* probeQuota(jobs, limited.id)
    if (seed % ageing === 1) {
      const administration = yield* AccountAdministration
      // Something is told and audited last, so that it is young when the rest is swept.
      const moves = Effect.forEach([userOfEndpoint, "u2"], (user) =>
        Effect.forEach(whole.town.accounts.slice(0, 1), ({ id, workspaceId }) =>
          administration.updateAccount(workspaceId, id, { externalUserId: Option.some(user) })
        )
      )
      yield* growOld(whole.jobs.sweepOnce(noFault), Effect.asVoid(moves))
    }
    const { inbox } = yield* MemoryState
    return {
      hash,
      /** Without the days at the end that pass at once. */
      calm_ms,
      simulated_ms: yield* Clock.currentTimeMillis,
      mishaps: chance.mishaps,
      receipts: whole.receivers.receipts.length,
      items: inbox.index.size,
      targets: (yield* targetsOf).length
    }
  }).pipe(
    Effect.scoped,
    Effect.provide(services),
    Effect.provide(TestClock.layer()),
    Random.withSeed(seed),
    afresh,
    Effect.tap(() => (mostly === "all" && seed % tended === 3 ? simulateUpkeep(seed, plant) : Effect.void)),
    Effect.tap(() => (mostly === "all" && seed % expiring === 7 ? simulateTokens(seed, plant) : Effect.void)),
    Effect.tap(() => (mostly === "all" && seed % background === 11 ? simulateBackground(seed, plant) : Effect.void))
  )
}
