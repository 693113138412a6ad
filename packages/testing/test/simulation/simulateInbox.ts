import { type Duration, Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import * as WebhookWorker from "@loopbox/core/webhooks/WebhookWorker"
import type { ToldActivity } from "@loopbox/core/items/mergeActivity"
import type { ThreadStatus } from "@loopbox/core/items/Thread"
import { FakeNetworks } from "../../src/fakes/FakeConnector.ts"
import { walk } from "../../src/fixtures/inboxFixtures.ts"
import { makeWorkspace } from "../../src/fixtures/mediaFixtures.ts"
import { type Chance, makeChance } from "./Chance.ts"
import { checkAlways, checkAtRest } from "./inboxInvariants.ts"
import { type InboxTown, layerUnreliable, listen, makeActivity, makeTown, townAccounts, users } from "./InboxWorld.ts"
import { checkLaws } from "./laws/checkLaws.ts"
import type { InboxPorts, Plant } from "./planted/PlantedBug.ts"
import { eventHash } from "./eventHash.ts"
import { afresh } from "./Weather.ts"

const down = new Unavailable({ network: "facebook", networkCode: Option.none(), detail: "", reason: "upstream" })
const statuses: ReadonlyArray<ThreadStatus> = ["open", "assigned", "resolved"]

const nameOf = ({ externalId }: ToldActivity) => Number.parseInt(externalId.split("-")[1] ?? "0", 10)

/** The networks deliver some activities, new ones and ones that came before, over several accounts. */
const deliver = Effect.fnUntraced(function* (chance: Chance, town: InboxTown) {
  const networks = yield* FakeNetworks
  const activities = Array.from({ length: 1 + chance.below(6) }, () => {
    const account = chance.pick(townAccounts) ?? "p1"
    const told = town.told.get(account) ?? []
    town.told.set(account, told)
    const again = chance.isOneIn(3) ? chance.pick(told) : undefined
    // Much is about what is there already: edits, hidings and deletions of it.
    const known = chance.isOneIn(2) ? chance.pick(told) : undefined
    const activity = again ?? makeActivity(chance, account, town.names, known && nameOf(known))
    told.push(activity)
    return activity
  })
  yield* (yield* Webhooks).accept("meta", networks.toBody(activities))
})

const disturbItem = Effect.fnUntraced(function* (chance: Chance, town: InboxTown) {
  const inbox = yield* Inbox
  const caller = chance.pick(Array.from(town.callers.values()))
  if (caller === undefined) return
  const item = chance.pick(yield* walk(caller))
  if (item === undefined) return
  const move = { status: chance.pick(statuses) ?? "open", assignedTo: undefined }
  // What was read is made unread again, but for some that are marked once more.
  const isTakenBack = item.isRead && !item.isOwn && Number(item.externalId.split("-")[1]) % 3 !== 0
  const mark = isTakenBack ? inbox.markUnread(caller, item.id) : inbox.markRead(caller, item.id)
  const act = chance.isOneIn(2) ? mark : inbox.setThreadState(caller, item.id, move)
  // It may be deleted or moved away between the look and the act.
  yield* Effect.ignore(act)
})

const moveAccount = Effect.fnUntraced(function* (chance: Chance, town: InboxTown) {
  const account = chance.pick(town.accounts)
  if (account === undefined) return
  const externalUserId = Option.fromUndefinedOr(chance.pick([...users, undefined]))
  chance.note("an account becomes another's")
  yield* (yield* AccountAdministration).updateAccount(account.workspaceId, account.id, { externalUserId })
})

/** Something happens to the inbox: a delivery, a click, a cut. */
export const inboxStep = Effect.fnUntraced(function* (chance: Chance, town: InboxTown, restart: Effect.Effect<void>) {
  const networks = yield* FakeNetworks
  switch (chance.below(9)) {
    case 0:
    case 1:
    case 2:
      return yield* deliver(chance, town)
    case 3:
      return yield* disturbItem(chance, town)
    case 4:
      return yield* moveAccount(chance, town)
    case 5: {
      const caller = chance.pick(Array.from(town.callers.values()))
      const inbox = yield* Inbox
      // Beside what else goes on.
      if (caller !== undefined) yield* Effect.forkScoped(inbox.markAllRead(caller))
      return
    }
    case 6:
      networks.failure = chance.isOneIn(2) ? down : undefined
      if (networks.failure !== undefined) chance.note("a network is down")
      return
    case 7: {
      const listener = chance.pick(town.listeners)
      if (listener !== undefined) yield* listen(listener, chance, town.weather)
      return
    }
    default:
      if (chance.isOneIn(3)) yield* restart
  }
})

/** A worker of deliveries that come in. It is started again as after an update, on what it left. */
export const startWebhookWorker = Effect.fnUntraced(function* (pollEvery: Duration.Input = "1 second") {
  const context = yield* Effect.context<Layer.Services<ReturnType<typeof WebhookWorker.layer>>>()
  let worker = yield* Scope.make()
  const start = Effect.suspend(() => Layer.buildWithScope(WebhookWorker.layer({ pollEvery }), worker)).pipe(
    Effect.provideContext(context),
    Effect.asVoid
  )
  const stop = Effect.suspend(() => Scope.close(worker, Exit.void))
  const restart = Effect.gen(function* () {
    yield* stop
    worker = yield* Scope.make()
    yield* start
  })
  yield* start
  return { restart, stop }
})

/** Plays one seed: a busy town, then calm until everything is done. */
export const simulateInbox = (seed: number, plant: Plant<InboxPorts> = Layer.empty) => {
  const chance = makeChance(seed)
  const weather = { isFair: false }
  return Effect.gen(function* () {
    const town = yield* makeTown(chance, yield* makeWorkspace("growth"), weather)
    const { restart, stop } = yield* startWebhookWorker()
    for (let n = 0; n < 60; n++) {
      yield* inboxStep(chance, town, restart)
      if (chance.isOneIn(2)) yield* TestClock.adjust(`${chance.below(5_000)} millis`)
      if (n % 10 === 0) yield* checkAlways(town)
      if (n % 10 === 0) yield* checkLaws
    }
    weather.isFair = true
    ;(yield* FakeNetworks).failure = undefined
    yield* TestClock.adjust("5 minutes")
    yield* checkAlways(town)
    yield* checkAtRest(town)
    yield* checkLaws
    yield* stop
    for (const { scope } of town.listeners) yield* Scope.close(scope, Exit.void)
    return { heard: town.listeners.map(({ heard }) => heard.length), hash: yield* eventHash }
  }).pipe(
    Effect.scoped,
    Effect.provide(layerUnreliable(chance, weather, plant)),
    Effect.provide(TestClock.layer()),
    afresh
  )
}
