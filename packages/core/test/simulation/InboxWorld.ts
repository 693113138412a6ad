import { assert } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Option, Scope, Stream } from "effect"
import { AccountAdministration } from "../../src/access/AccountAdministration.ts"
import type { EntitledCaller } from "../../src/access/EntitledCaller.ts"
import type { SocialAccount } from "../../src/accounts/SocialAccount.ts"
import type { ItemActivity } from "../../src/inbox/mergeActivity.ts"
import { EventFeed } from "../../src/inbox/EventFeed.ts"
import type { DeliveredEvent } from "../../src/inbox/InboxEvent.ts"
import { InboxStore } from "../../src/inbox/InboxStore.ts"
import { WebhookDeliveries } from "../../src/inbox/WebhookDeliveries.ts"
import { deleted, edited, hidden, posted } from "../../src/testing/activities.ts"
import { makeWorkspace, away } from "../support/fixtures.ts"
import { connectAccount, enter, layerInboxPorts, layerInboxServices } from "../support/inboxLayers.ts"
import type { Chance } from "./Chance.ts"

export const users = ["u1", "u2"] as const

/** Whose inbox a follower reads; `undefined` is the workspace's. */
export type Viewer = (typeof users)[number] | undefined

/** Someone who follows a scope, is cut off now and then, and comes back with the last number that was heard. */
export interface Follower {
  readonly viewer: Viewer
  readonly caller: EntitledCaller
  readonly heard: Array<DeliveredEvent>
  scope: Scope.Closeable
}

export interface InboxTown {
  readonly accounts: ReadonlyArray<SocialAccount>
  readonly callers: ReadonlyMap<Viewer, EntitledCaller>
  readonly followers: ReadonlyArray<Follower>
  /** What was delivered of each account, by the network's id. */
  readonly told: Map<string, Array<ItemActivity>>
}

/**
 * The inbox over a store that fails now and then: before a commit, or after it, as where the answer is lost with the
 * process that waited for it. Deliveries are settled as unreliably.
 */
export const layerUnreliable = (chance: Chance, weather: { isFair: boolean }) => {
  const stormy = () => !weather.isFair && chance.isOneIn(6)
  const lossy = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      if (stormy()) return Effect.fail(away("no"))
      return stormy() ? Effect.andThen(effect, Effect.fail(away("unknown"))) : effect
    })
  return layerInboxServices.pipe(
    Layer.updateService(InboxStore, (store) =>
      InboxStore.of({
        ...store,
        ingest: (unit) => lossy(store.ingest(unit)),
        markBatch: (scope, batch) => Effect.andThen(Effect.yieldNow, store.markBatch(scope, batch))
      })
    ),
    Layer.updateService(WebhookDeliveries, (deliveries) =>
      WebhookDeliveries.of({ ...deliveries, settle: (...of) => lossy(deliveries.settle(...of)) })
    ),
    Layer.provideMerge(layerInboxPorts)
  )
}

const lastHeard = ({ heard }: Follower) => Option.some(heard[heard.length - 1]?.seq ?? 0)

/** Begins, or begins again behind what was heard. */
export const listen = Effect.fnUntraced(function* (follower: Follower) {
  yield* Scope.close(follower.scope, Exit.void)
  follower.scope = yield* Scope.make()
  const stream = yield* (yield* EventFeed)
    .subscribe(follower.caller, lastHeard(follower))
    .pipe(Scope.provide(follower.scope))
  yield* stream.pipe(
    Stream.runForEach((message) =>
      Effect.sync(() => {
        if (message._tag === "Delivered") follower.heard.push(message.event)
        assert.notStrictEqual(message._tag, "ResyncRequired")
      })
    ),
    Effect.forkIn(follower.scope)
  )
})

/** A workspace with three accounts, and followers of every scope from the first event on. */
export const makeTown = Effect.gen(function* () {
  const workspace = yield* makeWorkspace("growth")
  const accounts = yield* Effect.forEach(["p1", "p2", "p3"], (networkAccountId) =>
    connectAccount(workspace.id, { networkAccountId, network: "facebook" })
  )
  const administration = yield* AccountAdministration
  for (const user of users) yield* administration.putManagedUser(workspace.id, user)
  const callers = new Map<Viewer, EntitledCaller>([[undefined, yield* enter(workspace.id)]])
  for (const user of users) callers.set(user, yield* enter(workspace.id, user))
  const followers: Array<Follower> = []
  for (const [viewer, caller] of callers) {
    const follower: Follower = { viewer, caller, heard: [], scope: yield* Scope.make() }
    followers.push(follower)
    yield* listen(follower)
  }
  const town: InboxTown = { accounts, callers, followers, told: new Map() }
  return town
})

const source = "fb_comment" as const

/** Something about one of a few comments of an account; threads are known, or found by their parents. */
export const makeActivity = (chance: Chance, account: string): ItemActivity => {
  const name = chance.below(12)
  const externalId = `${account}-${name}`
  const of = { source, account, externalId }
  const version = 1 + chance.below(3)
  const text = (of: number) => `${externalId}, version ${of}`
  const root = `${account}-${name % 3}`
  const original = (of: number) =>
    posted({
      source,
      account,
      externalId,
      version: of,
      body: text(of),
      receivedAt: DateTime.makeUnsafe(1_000 * name),
      ...(name < 3 ? { threadKey: externalId } : { rootOf: root })
    })
  switch (chance.below(10)) {
    case 0:
      return deleted(of)
    case 1:
      return hidden(version, version % 2 === 1, of)
    case 2:
    case 3:
      return edited(version, text(version), of)
    case 4:
      return edited(version, text(version), { ...of, whole: original(version) })
    default:
      return original(0)
  }
}
