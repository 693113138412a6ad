import { assert } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { MediaLinks } from "@loopbox/core/media/MediaLinks"
import { Connectors } from "@loopbox/core/networks/Connectors"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import { Posts } from "@loopbox/core/posts/Posts"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { isBusy } from "@loopbox/core/posts/transitions"
import * as PublishWorker from "@loopbox/core/publishing/PublishWorker"
import { FakeNetworks } from "../../src/fakes/FakeConnector.ts"
import { away, makeWorkspace } from "../../src/fixtures/mediaFixtures.ts"
import { connectAccount, layerInboxPorts, layerInboxServices } from "../../src/layers/inboxLayers.ts"
import { type Chance, makeChance } from "./Chance.ts"
import { makePostNetwork, type PostNetwork } from "./PostNetwork.ts"
import { makeProcess, type Process } from "./ReplyTown.ts"

/** How long a target may be under way: 30 minutes, and what a machine that sleeps and an hour of quota add. */
const longest = { minutes: 30, seconds: 60 + 180 } as const

/** A store that fails now and then: before a commit, or after it, as where the answer is lost. */
const layerLossy = (chance: Chance, weather: { isFair: boolean }) => {
  const stormy = () => !weather.isFair && chance.isOneIn(14)
  const lossy = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      if (stormy()) return Effect.fail(away("no"))
      return stormy() ? Effect.andThen(effect, Effect.fail(away("unknown"))) : effect
    })
  return layerInboxServices.pipe(
    Layer.updateService(PostStore, (store) =>
      PostStore.of({
        ...store,
        claim: (request) => lossy(store.claim(request)),
        renew: (...of) => lossy(store.renew(...of)),
        settle: (...of) => lossy(store.settle(...of))
      })
    ),
    Layer.provideMerge(layerInboxPorts)
  )
}

/** The ports as a process has them: once it is killed, nothing passes in either direction. */
const portsOf = ({ pass }: Process, store: PostStore["Service"], connectors: Connectors["Service"]) => {
  const through = (connector: SocialConnector): SocialConnector => {
    const { publish } = connector
    if (publish === undefined) return connector
    return {
      ...connector,
      publish: {
        ...publish,
        quota: (...of) => pass(publish.quota(...of)),
        prepare: (...of) => pass(publish.prepare(...of)),
        publish: (...of) => pass(publish.publish(...of)),
        find: (...of) => pass(publish.find(...of))
      }
    }
  }
  const instagram = connectors.byNetwork["facebook"] ?? assert.fail("no such network")
  return Layer.mergeAll(
    Layer.succeed(PostStore, {
      ...store,
      claim: (request) => pass(store.claim(request)),
      renew: (...of) => pass(store.renew(...of)),
      settle: (...of) => pass(store.settle(...of)),
      findRivals: (of) => pass(store.findRivals(of))
    }),
    Layer.succeed(Connectors, { ...connectors, byNetwork: { ...connectors.byNetwork, facebook: through(instagram) } })
  )
}

const targetsOf = Effect.map(MemoryState, ({ inbox }) =>
  Array.from(inbox.posts.values()).flatMap(({ kept }) => kept.targets)
)

/** What must hold at every moment. */
const check = Effect.fnUntraced(function* (network: PostNetwork, retried: ReadonlySet<string>) {
  const made = network.effects.map(({ targetId }) => targetId)
  assert.strictEqual(new Set(made).size, made.length, "a target is on the network twice")
  const targets = yield* targetsOf
  const busy = targets.filter(isBusy).map(({ accountId }) => accountId)
  assert.strictEqual(new Set(busy).size, busy.length, "an account has two that are being published")
  const ids = targets.flatMap(({ state }) => (state._tag === "Published" ? [state.externalId] : []))
  assert.strictEqual(new Set(ids).size, ids.length, "one post of two targets")
  for (const { id, state } of targets) {
    if (state._tag === "Failed") assert.notInclude(made, id, `${id} failed, and is live (${retried.has(id)})`)
    if (state._tag === "Canceled") assert.notInclude(made, id, `${id} was taken back, and is live`)
  }
})

/** Every target ended in time. */
const checkAtRest = Effect.fnUntraced(function* (network: PostNetwork, workspaceId: WorkspaceId) {
  const targets = yield* targetsOf
  const { events } = yield* (yield* InboxEvents).read(workspaceId, 0, 100_000)
  for (const { id, state } of targets) {
    assert.include(["Published", "Failed", "NeedsReconciliation", "Canceled"], state._tag, id)
    const own = network.effects.find(({ targetId }) => targetId === id)
    if (state._tag === "Published") assert.strictEqual(own?.externalId, state.externalId, id)
    let begun: DateTime.Utc | undefined
    for (const { at, event } of events) {
      if (event._tag !== "PostTargetUpdated") continue
      const shown = event.post.targets.find((target) => target.id === id)
      if (shown?.status === "preparing" && Option.isSome(shown.failure)) begun = undefined
      else if (shown?.status === "preparing") begun ??= at
      else if (shown?.status === "needs_reconciliation" && begun !== undefined) {
        assert.isTrue(DateTime.isLessThan(at, DateTime.add(begun, longest)), `${id} was undecided for too long`)
      }
    }
  }
  return targets.map(({ state }) => state._tag)
})

/** Plays one seed: posts, crashes and faults for a while, then calm until every deadline has passed. */
export const simulatePosts = (seed: number) => {
  const chance = makeChance(seed)
  const weather = { isFair: false }
  return Effect.gen(function* () {
    const workspace = yield* makeWorkspace("growth")
    const scope = new WorkspaceScope({ workspaceId: workspace.id })
    const accounts = yield* Effect.forEach([1, 2, 3], (n) =>
      connectAccount(workspace.id, { network: "facebook", networkAccountId: `page${n}` })
    )
    const network = makePostNetwork(chance, weather, seed % 2 === 0)
    ;(yield* FakeNetworks).publish = network.script
    const [posts, store, connectors] = [yield* Posts, yield* PostStore, yield* Connectors]
    const context = yield* Effect.context<AccountTokens | MediaLibrary | MediaLinks | SecureRandom>()
    const start = Effect.fnUntraced(function* (process: Process) {
      const worker = PublishWorker.layer({ pollEvery: "6 seconds" }).pipe(
        Layer.provide(portsOf(process, store, connectors))
      )
      yield* Layer.buildWithScope(worker, yield* Scope.make()).pipe(Effect.provideContext(context))
    })
    const processes: Array<Process> = [makeProcess(), makeProcess()]
    yield* Effect.forEach(processes, start)
    const crash = Effect.gen(function* () {
      const place = chance.below(processes.length)
      processes[place]?.kill()
      const next = makeProcess()
      processes[place] = next
      yield* start(next)
    })
    const made: Array<string> = []
    const retried = new Set<string>()
    const submit = Effect.gen(function* () {
      const chosen = accounts.filter(() => chance.isOneIn(2))
      const now = yield* DateTime.now
      const input = {
        text: Option.some(`Post ${chance.below(5)}`),
        mediaIds: [],
        targets: (chosen.length === 0 ? accounts.slice(0, 1) : chosen).map(({ id }) => ({
          accountId: id,
          text: Option.none(),
          mediaIds: Option.none(),
          firstComment: Option.none(),
          options: { values: {}, altTexts: {} }
        })),
        scheduledAt: chance.isOneIn(3)
          ? Option.some(DateTime.add(now, { seconds: 60 + chance.below(300) }))
          : Option.none(),
        isDraft: false
      }
      made.push((yield* posts.submit(scope, input, Option.none())).post.id)
    })
    const touch = Effect.gen(function* () {
      const id = chance.pick(made)
      if (id === undefined) return
      const { targets } = yield* posts.find(scope, id)
      const failed = targets.find(
        ({ failure, status }) => status === "failed" && Option.exists(failure, (one) => one.retryable)
      )
      if (failed === undefined) return yield* Effect.ignore(posts.cancel(scope, id))
      retried.add(failed.id)
      yield* Effect.ignore(posts.retryTarget(scope, id, failed.id))
    })
    for (let n = 0; n < 40; n++) {
      const choice = chance.below(8)
      if (choice < 3) yield* submit
      if (choice === 3 || choice === 4) yield* crash
      if (choice === 5 && chance.isOneIn(3)) yield* touch
      if (choice === 6 && chance.isOneIn(4)) yield* TestClock.adjust(`${chance.below(6)} minutes`)
      yield* TestClock.adjust(`${chance.below(12_000)} millis`)
      if (n % 5 === 0) yield* check(network, retried)
    }
    weather.isFair = true
    for (let n = 0; n < 5; n++) {
      yield* TestClock.adjust("14 minutes")
      yield* check(network, retried)
    }
    const ends = yield* checkAtRest(network, workspace.id)
    for (const process of processes) process.kill()
    return ends
  }).pipe(Effect.scoped, Effect.provide(layerLossy(chance, weather)))
}
