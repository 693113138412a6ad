import { assert } from "@effect/vitest"
import { Context, DateTime, type Duration, Effect, Layer, Option, Scope } from "effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import type { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import type { MediaLinks } from "@loopbox/core/media/MediaLinks"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { Networks, networkTable } from "@loopbox/core/networks/Networks"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import { PostStore, type TargetClaim } from "@loopbox/core/posts/PostStore"
import { isBusy } from "@loopbox/core/posts/transitions"
import * as PublishWorker from "@loopbox/core/publishing/PublishWorker"
import { layerInboxServices } from "../../src/layers/inboxLayers.ts"
import type { Chance } from "./Chance.ts"
import type { FirstComments } from "./FirstComments.ts"
import { simulatedPorts } from "./InboxWorld.ts"
import type { InboxPorts, Plant } from "./planted/PlantedBug.ts"
import type { PostNetwork } from "./PostNetwork.ts"
import type { Process } from "./ReplyTown.ts"
import { type Lossy, makeLossy } from "./Weather.ts"

/** The network of these worlds, which takes first comments here. */
const commented = ({ byNetwork }: Connectors["Service"]): SocialConnector => {
  const facebook = byNetwork["facebook"] ?? assert.fail("no such network")
  const { publish } = facebook
  if (publish === undefined) return facebook
  const text = { ...publish.text, firstComment: 100 }
  return { ...facebook, publish: { ...publish, text, commentSource: Option.some("fb_comment") } }
}

/** What a world of posts does beside its worker. */
interface Besides {
  readonly comments?: FirstComments["calls"]
  /** Happens between the claim of targets and whatever their worker does next. */
  readonly meanwhile?: (claims: ReadonlyArray<TargetClaim>) => Effect.Effect<void>
}

/** How long a person's change of a post takes from what it was judged by to its transaction, in milliseconds. */
export const SecondThoughts = Context.Reference<number>("SecondThoughts", { defaultValue: () => 0 })
const thinking = Effect.flatMap(SecondThoughts, (for_ms) => (for_ms === 0 ? Effect.void : Effect.sleep(for_ms)))

/** Services over a store of posts that fails now and then: before a commit, or after it, as where the answer is lost. */
export const withLossyPosts =
  (lossy: Lossy) =>
  <A, E, R>(services: Layer.Layer<A, E, R>) =>
    services.pipe(
      Layer.updateService(Connectors, (connectors) =>
        Connectors.of({ ...connectors, byNetwork: { ...connectors.byNetwork, facebook: commented(connectors) } })
      ),
      Layer.updateService(PostStore, (store) =>
        PostStore.of({
          ...store,
          change: (...of) => Effect.andThen(thinking, store.change(...of)),
          claim: (request) => lossy(store.claim(request)),
          renew: (...of) => lossy(store.renew(...of)),
          settle: (...of) => lossy(store.settle(...of))
        })
      )
    )

export const layerLossyPosts = (chance: Chance, weather: { isFair: boolean }, plant: Plant<InboxPorts> = Layer.empty) =>
  layerInboxServices.pipe(
    withLossyPosts(makeLossy(chance, weather, 14)),
    Layer.provideMerge(simulatedPorts(chance.seed, plant))
  )

/** The ports as a process has them: once it is killed, nothing passes in either direction. */
const postPortsOf = (
  { pass, passDozing }: Pick<Process, "pass" | "passDozing">,
  store: PostStore["Service"],
  connectors: Connectors["Service"],
  { comments, meanwhile = () => Effect.void }: Besides
) => {
  const through = (connector: SocialConnector): SocialConnector => {
    const { publish } = connector
    if (publish === undefined) return connector
    const { findReply, prepareReply, sendReply } = comments ?? connector
    return {
      ...connector,
      prepareReply: (...of) => pass(prepareReply(...of)),
      sendReply: (...of) => pass(sendReply(...of)),
      findReply: (...of) => pass(findReply(...of)),
      publish: {
        ...publish,
        quota: (...of) => pass(publish.quota(...of)),
        prepare: (...of) => pass(publish.prepare(...of)),
        publish: (...of) => pass(publish.publish(...of)),
        find: (...of) => pass(publish.find(...of)),
        details: (...of) => pass(publish.details(...of))
      }
    }
  }
  const facebook = comments === undefined ? connectors.byNetwork["facebook"] : commented(connectors)
  if (facebook === undefined) return assert.fail("no such network")
  return Layer.mergeAll(
    Layer.succeed(PostStore, {
      ...store,
      claim: (request) => pass(Effect.tap(store.claim(request), meanwhile)),
      renew: (...of) => pass(store.renew(...of)),
      settle: (...of) => passDozing(store.settle(...of)),
      findRivals: (of) => pass(store.findRivals(of))
    }),
    Layer.succeed(Connectors, { ...connectors, byNetwork: { ...connectors.byNetwork, facebook: through(facebook) } })
  )
}

export const targetsOf = Effect.map(MemoryState, ({ inbox }) =>
  Array.from(inbox.posts.values()).flatMap(({ kept: { post, targets } }) => (post.isDraft ? [] : targets))
)

/** Starts the worker of a process, which serves the one network of these worlds. */
export const makeStart = Effect.fnUntraced(function* (usual: Duration.Input = "6 seconds", besides: Besides = {}) {
  const [store, connectors] = [yield* PostStore, yield* Connectors]
  const facebook = Option.toArray((yield* Networks).describe("facebook"))
  const context = yield* Effect.context<AccountTokens | MediaLibrary | MediaLinks | SecureRandom>()
  return Effect.fnUntraced(function* (process: Pick<Process, "pass" | "passDozing">, pollEvery = usual) {
    const worker = PublishWorker.layer({ pollEvery }).pipe(
      Layer.provide(postPortsOf(process, store, connectors, besides)),
      Layer.provide(Layer.succeed(Networks, networkTable(facebook)))
    )
    yield* Layer.buildWithScope(worker, yield* Scope.make()).pipe(Effect.provideContext(context))
  })
})

/** What must hold at every moment. */
export const checkPosts = Effect.fnUntraced(function* (network: PostNetwork, retried: ReadonlySet<string>) {
  const made = network.effects.map(({ targetId }) => targetId)
  assert.strictEqual(new Set(made).size, made.length, "a target is on the network twice")
  for (const { at, targetId } of network.effects) {
    const start = Option.fromUndefinedOr(network.notBefore.get(targetId))
    assert.isFalse(
      Option.exists(start, (time) => DateTime.isLessThan(at, time)),
      `${targetId} went out before its time`
    )
  }
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

/** A published target's post is its own, or that of a twin: of two equal ones it does not matter which is whose. */
export const checkIdentity = ({ effects }: PostNetwork, targetId: string, externalId: string) => {
  const own = effects.find((one) => one.targetId === targetId)
  const given = effects.find((one) => one.externalId === externalId)
  assert.isDefined(own, targetId)
  assert.deepStrictEqual([own?.account, own?.text], [given?.account, given?.text], targetId)
}
