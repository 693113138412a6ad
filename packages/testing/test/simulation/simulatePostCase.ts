import { assert } from "@effect/vitest"
import { DateTime, Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { Posts } from "@loopbox/core/posts/Posts"
import type { PostTarget } from "@loopbox/core/posts/PostTarget"
import { FakeNetworks } from "../../src/fakes/FakeConnector.ts"
import { makeWorkspace } from "../../src/fixtures/mediaFixtures.ts"
import { connectAccount, layerInbox } from "../../src/layers/inboxLayers.ts"
import { type Chance, makeChance } from "./Chance.ts"
import { type CallFate, makePostNetwork, type PostNetwork } from "./PostNetwork.ts"
import { checkIdentity, checkPosts, makeStart, targetsOf } from "./PostTown.ts"
import { makeProcess } from "./ReplyTown.ts"
import { afresh } from "./Weather.ts"

/** Within which a target that began is decided (design §6). */
const decidedWithin = Duration.minutes(30)

const fates: ReadonlyArray<CallFate> = [
  "request lost",
  "silent",
  "answer lost",
  "silent after",
  "dies after",
  "not found yet",
  "late",
  "done"
]

/** How many calls of ports one post makes at most, in most worlds: a kill happens before or after one of these. */
const steps = 14

/** A process that is killed at one of its steps: before it, or when it has happened and nothing of it came back. */
const makeMortal = (chance: Chance) => {
  const process = makeProcess()
  const [last, isBefore] = [chance.isOneIn(3) ? Infinity : chance.below(steps), chance.isOneIn(2)]
  let done = 0
  let isDead = false
  const die = () => {
    isDead = true
    process.kill()
  }
  const pass = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const isLast = done++ === last
      if (isLast && isBefore) die()
      return process.pass(isLast && !isBefore ? Effect.onExit(effect, () => Effect.sync(die)) : effect)
    })
  return { pass, passDozing: pass, kill: process.kill, isDead: () => isDead }
}

/** Ended, in time, and resolved where the network shows what it takes. */
const checkEnds = (
  network: PostNetwork,
  targets: ReadonlyArray<PostTarget>,
  begun: ReadonlyMap<string, DateTime.Utc>,
  isProvable: boolean
) => {
  const live = new Set(network.effects.map(({ targetId }) => targetId))
  const undecided = targets.filter(({ state }) => state._tag === "NeedsReconciliation")
  for (const { id, state } of targets) {
    if (!("endedAt" in state)) return assert.fail(`${id} is ${state._tag}`)
    // One that was never seen under way took seconds.
    const start = begun.get(id) ?? state.endedAt
    const lasted = DateTime.distance(start, state.endedAt)
    assert.isTrue(Duration.isLessThanOrEqualTo(lasted, decidedWithin), `${id} was undecided for ${String(lasted)}`)
    if (state._tag === "Published") checkIdentity(network, id, state.externalId)
  }
  assert.isTrue(!isProvable || undecided.length === 0, "a container tells what became of it")
  // As many posts as were sent: each is somebody's.
  const isAllLive = undecided.every(({ id }) => live.has(id))
  assert.isTrue(undecided.length === 0 || !isAllLive, "all are live, and none was found")
  return targets.map(({ state }) => state._tag)
}

/**
 * Plays one seed: one to three posts of an account, some with equal words, whose publishing calls go wrong in the ways
 * that networks are known for, while the process is killed at any of its steps.
 */
export const simulatePostCase = (seed: number) => {
  const chance = makeChance(seed)
  const isProvable = seed % 2 === 0
  return Effect.gen(function* () {
    const workspace = yield* makeWorkspace("growth")
    const scope = new WorkspaceScope({ workspaceId: workspace.id })
    const account = yield* connectAccount(workspace.id, { network: "facebook" })
    const weather = {
      isFair: true,
      fates: Array.from({ length: 1 + chance.below(3) }, () => chance.pick(fates) ?? "done")
    }
    const network = makePostNetwork(chance, weather, isProvable)
    ;(yield* FakeNetworks).publish = network.script
    const start = yield* makeStart()
    const posts = yield* Posts
    const count = 1 + chance.below(3)
    const begun = new Map<string, DateTime.Utc>()
    let process = makeMortal(chance)
    yield* start(process)
    const target = { accountId: account.id, text: Option.none(), mediaIds: Option.none(), firstComment: Option.none() }
    for (let n = 0; n < count; n++) {
      const input = {
        text: Option.some(`Post ${chance.below(2)}`),
        mediaIds: [],
        targets: [{ ...target, options: { values: {}, altTexts: {} } }],
        scheduledAt: Option.none(),
        isDraft: false
      }
      yield* posts.submit(scope, input, Option.none())
      yield* TestClock.adjust(`${chance.below(90)} seconds`)
    }
    for (let n = 0; n < 80; n++) {
      yield* TestClock.adjust("30 seconds")
      if (process.isDead()) {
        process = makeMortal(chance)
        yield* start(process)
      }
      for (const { id, state } of yield* targetsOf) if ("begunAt" in state) begun.set(id, state.begunAt)
      if ((yield* targetsOf).every(({ state }) => "endedAt" in state)) break
    }
    // What would come late comes now.
    yield* TestClock.adjust("2 minutes")
    yield* checkPosts(network, new Set())
    process.kill()
    return checkEnds(network, yield* targetsOf, begun, isProvable)
  }).pipe(Effect.scoped, Effect.provide(layerInbox), afresh)
}
