import { Record } from "effect"
import { DateTime, Effect, Latch, Layer, Option } from "effect"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { Connectors } from "@loopbox/core/networks/Connectors"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import { networkOf } from "../../src/fixtures/networks.ts"
import type { Source } from "@loopbox/core/networks/Source"
import type { InboxItemId } from "@loopbox/core/kernel/Ids"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { posted } from "../../src/fixtures/activities.ts"
import { idOf, ingest, scopeOf } from "../../src/fixtures/inboxFixtures.ts"
import { connectAccount, layerInboxServices } from "../../src/layers/inboxLayers.ts"
import type { Chance } from "./Chance.ts"
import { simulatedPorts } from "./InboxWorld.ts"
import type { InboxPorts, Plant } from "./planted/PlantedBug.ts"
import { type Lossy, makeLossy } from "./Weather.ts"

const sources: ReadonlyArray<Source> = ["ig_comment", "fb_dm", "threads_reply", "x_reply"]

/** An item that clients answer. */
export interface AnsweredPlace {
  readonly source: Source
  readonly account: SocialAccount
  readonly itemId: InboxItemId
}

export interface ReplyTown {
  readonly caller: EntitledCaller
  readonly places: ReadonlyArray<AnsweredPlace>
}

/** An account of each network with two items, in a workspace. */
export const makeReplyTown = Effect.fnUntraced(function* (workspace: Workspace) {
  const caller = yield* (yield* InboxAccess).enterEmbedded(workspace.id, Option.none())
  const now = yield* DateTime.now
  const places = yield* Effect.forEach(sources, (source) =>
    Effect.gen(function* () {
      const account = yield* connectAccount(workspace.id, {
        network: networkOf(source),
        username: Option.some("page")
      })
      return yield* Effect.forEach([`of-${source}`, `also-of-${source}`], (externalId) =>
        Effect.gen(function* () {
          yield* ingest(account, [posted({ source, externalId, threadKey: externalId, receivedAt: now })], { now })
          const place: AnsweredPlace = { source, account, itemId: yield* idOf(scopeOf(workspace.id), externalId) }
          return place
        })
      )
    })
  )
  const town: ReplyTown = { caller, places: places.flat() }
  return town
})

/** Services over a store of replies that fails now and then: before a commit, or after it, as where the answer is lost. */
export const withLossyReplies =
  (lossy: Lossy) =>
  <A, E, R>(services: Layer.Layer<A, E, R>) =>
    services.pipe(
      Layer.updateService(OutboundStore, (store) =>
        OutboundStore.of({
          ...store,
          submit: (name, decide) => lossy(store.submit(name, decide)),
          claim: (request) => lossy(store.claim(request)),
          renew: (...of) => lossy(store.renew(...of)),
          change: (...of) => lossy(store.change(...of)),
          reconcile: (...of) => lossy(store.reconcile(...of)),
          find: (...of) => lossy(store.find(...of))
        })
      )
    )

export const layerLossy = (chance: Chance, weather: { isFair: boolean }, plant: Plant<InboxPorts> = Layer.empty) =>
  layerInboxServices.pipe(
    withLossyReplies(makeLossy(chance, weather, 14)),
    Layer.provideMerge(simulatedPorts(chance.seed, plant))
  )

/**
 * What stands between a worker's process and everything else. Once it is killed, nothing passes in either direction;
 * while it is paused, as on a machine that sleeps, nothing comes back to it.
 */
export const makeProcess = () => {
  let isDead = false
  let dozes_ms: number | undefined
  const awake = Latch.makeUnsafe(true)
  /** Falls asleep where that was arranged; it wakes by itself. */
  const doze = Effect.suspend(() => {
    const lasts_ms = dozes_ms
    dozes_ms = undefined
    if (lasts_ms === undefined) return Effect.void
    awake.closeUnsafe()
    return Effect.andThen(Effect.sleep(lasts_ms), awake.open)
  })
  const pass = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => (isDead ? Effect.never : Effect.exit(effect))).pipe(
      Effect.tap(() => awake.await),
      Effect.flatMap((exit) => (isDead ? Effect.never : exit))
    )
  return {
    pass,
    /** The same, behind which a machine may fall asleep: between what was written and what is done then. */
    passDozing: <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => pass(Effect.onExit(effect, () => doze)),
    /** Behind the next call that lets it: until then, or until it is arranged otherwise. */
    arrangeDoze: (lasts_ms: number | undefined) => void (dozes_ms = lasts_ms),
    kill: () => void (isDead = true),
    pause: () => void awake.closeUnsafe(),
    resume: () => void awake.openUnsafe()
  }
}

export type Process = ReturnType<typeof makeProcess>

/** The ports as a process has them. */
export const portsOf = (
  { pass, passDozing }: Process,
  store: OutboundStore["Service"],
  items: IngestStore["Service"],
  connectors: Connectors["Service"]
) => {
  const through = (connector: SocialConnector): SocialConnector => ({
    ...connector,
    prepareReply: (...of) => pass(connector.prepareReply(...of)),
    sendReply: (...of) => pass(connector.sendReply(...of)),
    findReply: (...of) => pass(connector.findReply(...of))
  })
  return Layer.mergeAll(
    Layer.succeed(OutboundStore, {
      ...store,
      claim: (request) => pass(store.claim(request)),
      renew: (...of) => pass(store.renew(...of)),
      change: (...of) => passDozing(store.change(...of)),
      reconcile: (...of) => pass(store.reconcile(...of)),
      hasten: (account) => pass(store.hasten(account))
    }),
    Layer.succeed(IngestStore, { ...items, findItemId: (...of) => pass(items.findItemId(...of)) }),
    Layer.succeed(Connectors, {
      ...connectors,
      byNetwork: Record.map(connectors.byNetwork, through)
    })
  )
}
