import { assert } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Option, Scope, Stream } from "effect"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { ToldActivity } from "@loopbox/core/items/mergeActivity"
import { EventFeed } from "@loopbox/core/feed/EventFeed"
import { defaultFeedMemory, FeedMemory } from "@loopbox/core/feed/FeedMemory"
import type { FeedMessage } from "@loopbox/core/feed/FeedMessage"
import type { DeliveredEvent } from "@loopbox/core/items/InboxEvent"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { FakeNetworks } from "../../src/fakes/FakeConnector.ts"
import { Posted } from "@loopbox/core/networks/InboundActivity"
import { deleted, edited, hidden, posted } from "../../src/fixtures/activities.ts"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { layerSeededRandom, memoryWith } from "../../src/layers/testLayers.ts"
import { connectAccount, enter, inboxPortsOver, layerInboxServices } from "../../src/layers/inboxLayers.ts"
import type { Chance } from "./Chance.ts"
import { watchAccounts } from "./laws/watchAccounts.ts"
import { watchBackground } from "./laws/background/watchBackground.ts"
import { AuditLaw, watchAudit } from "./laws/watchAudit.ts"
import { OrderLaw, watchOrder } from "./laws/watchOrder.ts"
import { LeaseLaw } from "./laws/LeaseLaw.ts"
import { watchFacts } from "./laws/watchFacts.ts"
import { watchInbox } from "./laws/watchInbox.ts"
import { watchJobs } from "./laws/watchJobs.ts"
import { watchRetention } from "./laws/watchRetention.ts"
import { StateLaw, watchStates } from "./laws/watchStates.ts"
import { ErasingLaw, watchErasing } from "./laws/watchErasing.ts"
import { SnoozeLaw, watchThreads } from "./laws/watchThreads.ts"
import type { InboxPorts, Plant } from "./planted/PlantedBug.ts"
import { type Lossy, makeLossy } from "./Weather.ts"

/** The pages of the town, as their network names them. */
export const townAccounts = ["p1", "p2", "p3"] as const

export const users = ["u1", "u2"] as const

/** Whose inbox a follower reads; `undefined` is the workspace's. */
export type Viewer = (typeof users)[number] | undefined

/** Someone who follows a scope, is cut off now and then, and comes back with the last number that was heard. */
export interface Listener {
  readonly viewer: Viewer
  /** Pulls, or is handed what comes and takes as much as it likes. */
  readonly way: "pulls" | "is handed"
  readonly caller: EntitledCaller
  readonly heard: Array<DeliveredEvent>
  scope: Scope.Closeable
}

export interface InboxTown {
  readonly accounts: ReadonlyArray<SocialAccount>
  readonly callers: ReadonlyMap<Viewer, EntitledCaller>
  readonly listeners: ReadonlyArray<Listener>
  /** What was delivered of each account, by the network's id. */
  readonly told: Map<string, Array<ToldActivity>>
  /** How many comments each account may have. */
  readonly names: number
  /** Where it is fair, listeners need no moment for what they are handed. */
  readonly weather: Fair
}

interface Fair {
  readonly isFair: boolean
}

/**
 * Services over an inbox whose store fails now and then, also after a commit, as where the answer is lost with the
 * process that waited for it. Deliveries are settled as unreliably.
 */
export const withLossyInbox =
  (chance: Chance, lossy: Lossy) =>
  <A, E, R>(services: Layer.Layer<A, E, R>) =>
    services.pipe(
      Layer.updateService(IngestStore, (store) =>
        IngestStore.of({ ...store, ingest: (unit) => lossy(store.ingest(unit)) })
      ),
      Layer.updateService(InboxStore, (store) =>
        InboxStore.of({
          ...store,
          // Something comes in between the click and the marks.
          markBatch: (scope, batch) =>
            Effect.sleep(chance.below(3) * 700).pipe(
              Effect.andThen(Effect.yieldNow),
              Effect.andThen(store.markBatch(scope, batch))
            )
        })
      ),
      Layer.updateService(WebhookDeliveries, (deliveries) =>
        WebhookDeliveries.of({
          ...deliveries,
          settle: (...of) => lossy(deliveries.settle(...of)),
          complete: (...of) => lossy(deliveries.complete(...of))
        })
      )
    )

/** So few events are in memory that those who come back often need one from just behind its edge. */
const layerShortMemory = Layer.succeed(FeedMemory, { ...defaultFeedMemory, maxEvents: 5 })

/** The ports of a world, each seed's with ids of its own, and with what is planted in place of the right ones. */
export const simulatedPorts = (seed: number, plant: Plant<InboxPorts>) =>
  watchOrder.pipe(
    Layer.provideMerge(watchAudit),
    Layer.provideMerge(watchStates),
    Layer.provideMerge(Layer.mergeAll(watchInbox, watchJobs, watchThreads, watchAccounts, watchRetention)),
    Layer.provideMerge(Layer.mergeAll(watchErasing, watchFacts)),
    Layer.provideMerge(watchBackground),
    Layer.provideMerge(
      Layer.mergeAll(LeaseLaw.layer, AuditLaw.layer, OrderLaw.layer, SnoozeLaw.layer, StateLaw.layer, ErasingLaw.layer)
    ),
    Layer.provideMerge(plant),
    Layer.provideMerge(inboxPortsOver(memoryWith(layerSeededRandom(seed))))
  )

export const layerUnreliable = (chance: Chance, weather: Fair, plant: Plant<InboxPorts> = Layer.empty) =>
  layerInboxServices.pipe(
    withLossyInbox(chance, makeLossy(chance, weather, 6)),
    Layer.provide(layerShortMemory),
    Layer.provideMerge(simulatedPorts(chance.seed, plant))
  )

const lastHeard = ({ heard }: Listener) => Option.some(heard[heard.length - 1]?.seq ?? 0)

const hear = ({ heard }: Listener, message: FeedMessage) => {
  if (message._tag === "Delivered") heard.push(message.event)
  assert.notStrictEqual(message._tag, "ResyncRequired")
}

const pulling = Effect.fnUntraced(function* (listener: Listener) {
  const stream = yield* (yield* EventFeed).subscribe(listener.caller, lastHeard(listener))
  return Stream.runForEach(stream, (message) => Effect.sync(() => hear(listener, message)))
})

/** Takes nothing, some or all of what it is handed, and then needs a moment; in fair weather it takes all at once. */
const handed = Effect.fnUntraced(function* (listener: Listener, chance: Chance, weather: Fair) {
  const followWith = yield* (yield* EventFeed).follow(listener.caller, lastHeard(listener))
  return followWith({
    take: (messages) => {
      const isSlow = !weather.isFair && chance.isOneIn(3)
      const taken = messages.slice(0, isSlow ? chance.below(messages.length + 1) : messages.length)
      for (const message of taken) hear(listener, message)
      return taken.length
    },
    ready: Effect.suspend(() =>
      weather.isFair || chance.isOneIn(2) ? Effect.void : Effect.sleep(`${chance.below(2_000)} millis`)
    ),
    failed: Effect.die
  })
})

/** Begins, or begins again behind what was heard. */
export const listen = Effect.fnUntraced(function* (listener: Listener, chance: Chance, weather: Fair) {
  yield* Scope.close(listener.scope, Exit.void)
  listener.scope = yield* Scope.make()
  const listening = yield* (listener.way === "pulls" ? pulling(listener) : handed(listener, chance, weather)).pipe(
    Scope.provide(listener.scope)
  )
  yield* Effect.forkIn(listening, listener.scope)
})

/** How the network names the users of the town's pages; `p1` and others may have them in other workspaces, too. */
export const usernames: Readonly<Record<string, string>> = { p1: "First.Page", p2: "Second.Page", p3: "Third.Page" }

/** Three accounts of a workspace, and listeners of every scope from the first event on. */
export const makeTown = Effect.fnUntraced(function* (chance: Chance, workspace: Workspace, weather: Fair, names = 12) {
  const accounts = yield* Effect.forEach(townAccounts, (networkAccountId) =>
    connectAccount(workspace.id, {
      networkAccountId,
      network: "facebook",
      username: Option.fromUndefinedOr(usernames[networkAccountId])
    })
  )
  const administration = yield* AccountAdministration
  for (const user of users) yield* administration.putManagedUser(workspace.id, user)
  const callers = new Map<Viewer, EntitledCaller>([[undefined, yield* enter(workspace.id)]])
  for (const user of users) callers.set(user, yield* enter(workspace.id, user))
  const listeners: Array<Listener> = []
  for (const [viewer, caller] of callers) {
    for (const way of ["pulls", "is handed"] as const) {
      const listener: Listener = { viewer, caller, way, heard: [], scope: yield* Scope.make() }
      listeners.push(listener)
      yield* listen(listener, chance, weather)
    }
  }
  const networks = yield* FakeNetworks
  for (const account of townAccounts) {
    for (let name = 3; name < names; name++) networks.threads.set(`${account}-${name}`, `${account}-${name % 3}`)
  }
  const town: InboxTown = { accounts, callers, listeners, told: new Map(), names, weather }
  return town
})

const source = "fb_comment" as const

/** Something about one of a few comments of an account; threads are known, or found by their parents. */
export const makeActivity = (
  chance: Chance,
  account: string,
  names: number,
  name = chance.below(names)
): ToldActivity => {
  const externalId = `${account}-${name}`
  const of = { source, account, externalId }
  const version = 1 + chance.below(3)
  const text = (of: number) => `${externalId}, version ${of}`
  const root = `${account}-${name % 3}`
  // Its edits have ids of their own, by which it is deleted, too.
  const hasAliases = name % 4 === 1
  /** Whose it is, as its network says it: by an id, whatever user name stands beside it, or by a user name alone. */
  const route = {
    network: "facebook",
    accountId: name % 5 === 3 ? Option.none<string>() : Option.some(account),
    username: Option.fromUndefinedOr(
      [undefined, usernames[account], usernames["p2"], usernames[account]?.toUpperCase(), usernames["p3"]][name % 5]
    )
  }
  const whole = (of: number) =>
    posted({
      source,
      account,
      externalId,
      version: of,
      body: text(of),
      // Several in each second, so that pages end between items of one time.
      receivedAt: DateTime.makeUnsafe(1_000 * (name - (name % 3))),
      // What the page itself has written, in another program; of some the network says so only later.
      isOwn: name % 10 === 4 || (name % 10 === 9 && of > 0),
      author: { id: Option.some(`author-${name % 7}`), name: Option.some(`Author ${name % 7}`) },
      ...(hasAliases && of > 0 ? { replyTargetId: `${externalId}e${of}` } : {}),
      ...(name < 3 ? { threadKey: externalId } : { rootOf: root })
    })
  /** Some have files and an address; what comes again may say less. */
  const original = (of: number, saysLess = false) => {
    const given = whole(of)
    if (saysLess)
      return new Posted({
        ...given,
        route,
        parentExternalId: Option.none(),
        author: { ...given.author, name: Option.none() }
      })
    return new Posted({
      ...given,
      route,
      linkedPostId: Option.some(`post of ${root}`),
      permalink: Option.some(`https://n.example/${externalId}`),
      attachments: name % 3 === 2 ? [{ type: "image", url: `https://n.example/${externalId}.jpg` }] : []
    })
  }
  switch (chance.below(10)) {
    case 0:
      return deleted(hasAliases && version < 3 ? { ...of, externalId: `${externalId}e${version}` } : of)
    case 1:
      return hidden(version, version % 2 === 1, of)
    case 2:
    case 3:
      return edited(version, text(version), of)
    case 4:
      return edited(version, text(version), { ...of, whole: original(version) })
    default:
      return original(0, version === 3)
  }
}
