import { assert } from "@effect/vitest"
import { Clock, DateTime, type Duration, Effect, Exit, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Posts } from "@loopbox/core/posts/Posts"
import type { TargetClaim } from "@loopbox/core/posts/PostStore"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { FakeNetworks } from "../../src/fakes/FakeConnector.ts"
import { makeWorkspace } from "../../src/fixtures/mediaFixtures.ts"
import { connectAccount } from "../../src/layers/inboxLayers.ts"
import { type Chance, makeChance } from "./Chance.ts"
import { checkCommentsAtRest, makeHanging } from "./hangingComments.ts"
import { makePostNetwork, type PostNetwork } from "./PostNetwork.ts"
import { checkIdentity, checkPosts, layerLossyPosts, makeStart, SecondThoughts, targetsOf } from "./PostTown.ts"
import { makeProcesses } from "./processes.ts"
import { checkLaws } from "./laws/checkLaws.ts"
import type { InboxPorts, Plant } from "./planted/PlantedBug.ts"
import { eventHash } from "./eventHash.ts"
import { afresh } from "./Weather.ts"
import { checkPostEvents } from "./whole/postReplay.ts"

/** How long a target may be under way: 30 minutes, and what a machine that sleeps and an hour of quota add. */
const longest = { minutes: 30, seconds: 60 + 180 } as const

/** Every target ended in time. */
const checkAtRest = Effect.fnUntraced(function* (network: PostNetwork, workspaceId: WorkspaceId) {
  const targets = yield* targetsOf
  const { events } = yield* (yield* InboxEvents).read(workspaceId, 0, 100_000)
  for (const { id, state } of targets) {
    assert.include(["Published", "Failed", "NeedsReconciliation", "Canceled"], state._tag, id)
    if (state._tag === "Published") checkIdentity(network, id, state.externalId)
    let begun: DateTime.Utc | undefined
    for (const { at, event } of events) {
      if (event._tag !== "PostTargetUpdated") continue
      const shown = event.post.targets.find((target) => target.id === id)
      if (shown?.status === "preparing" && Option.isSome(shown.failure)) begun = undefined
      else if (shown?.status === "preparing") begun ??= at
      else if (shown?.status === "needs_reconciliation" && begun !== undefined) {
        assert.isTrue(DateTime.isLessThan(at, DateTime.add(begun, longest)), `${id} was undecided for too long`)
        // Events of the post's other targets show it again.
        begun = undefined
      }
    }
  }
  return targets.map(({ state }) => state._tag)
})

const atOnce = { startImmediately: true } as const

/** Another workspace, whose keys have the same names. */
interface Neighbour {
  readonly scope: WorkspaceScope
  readonly accountId: string
}

/** What happens where posts are published: submits, second thoughts, crashes, machines that sleep. */
export const makePublishing = Effect.fnUntraced(function* (
  chance: Chance,
  workspace: Workspace,
  network: PostNetwork,
  pollEvery: Duration.Input = "6 seconds",
  neighbour?: Neighbour
) {
  const scope = new WorkspaceScope({ workspaceId: workspace.id })
  const accounts = yield* Effect.forEach([1, 2, 3], (n) =>
    connectAccount(workspace.id, { network: "facebook", networkAccountId: `page${n}` })
  )
  const posts = yield* Posts
  const { inbox } = yield* MemoryState
  const hanging = yield* makeHanging(chance, network, workspace.id)
  const { comments } = network
  const closing = yield* Effect.scope
  /** A person has second thoughts between the claim of a target and its beginning. */
  const meanwhile = Effect.fnUntraced(function* (claims: ReadonlyArray<TargetClaim>) {
    for (const { post, target } of claims) {
      if (target.state._tag !== "Waiting" || Option.isNone(post.scheduledAt) || !chance.isOneIn(3)) continue
      const later = DateTime.add(yield* DateTime.now, { seconds: 90 })
      // Judged before it begins, and written when it has begun.
      const isSlow = neighbour !== undefined && network.effects.length % 2 === 0
      if (chance.isOneIn(3)) yield* Effect.ignore(posts.cancel(scope, post.id))
      else if (isSlow)
        yield* Effect.forkIn(Effect.provideService(putOff(post.id, later), SecondThoughts, 700), closing, atOnce)
      else yield* putOff(post.id, later)
    }
  })
  const putOff = Effect.fnUntraced(function* (id: string, later: DateTime.Utc) {
    const moved = yield* Effect.option(posts.edit(scope, id, { scheduledAt: Option.some(later) }))
    if (Option.isSome(moved)) for (const target of moved.value.targets) network.notBefore.set(target.id, later)
  })
  const start = yield* makeStart(undefined, { comments: comments.calls, meanwhile })
  const violations: Array<string> = []
  // Nothing goes out late by surprise: between what was stored and the call a machine may have slept.
  network.hooks.judgeCall = Effect.fnUntraced(function* (targetId) {
    const now = yield* DateTime.now
    const target = Array.from(inbox.posts.values())
      .flatMap(({ kept }) => kept.targets)
      .find(({ id }) => id === targetId)
    const stored = target !== undefined && "lastAttemptAt" in target.state ? target.state.lastAttemptAt : undefined
    const isFresh = stored !== undefined && DateTime.isLessThan(now, DateTime.add(stored, { seconds: 31 }))
    if (!isFresh) violations.push(`${targetId} is published by a call that nobody stored, or long ago`)
  })
  const { crash, goOnAlone, kill, processes } = yield* makeProcesses(chance, pollEvery, start)
  // A machine that sleeps goes on later as if nothing had been.
  const sleep = Effect.gen(function* () {
    const asleep = processes[chance.below(processes.length)]
    chance.note("a machine sleeps")
    const lasts_ms = (20 + chance.below(160)) * 1_000
    if (chance.isOneIn(2)) {
      // In the middle of something, if it does anything soon.
      asleep?.arrangeDoze(lasts_ms)
      return yield* Effect.forkScoped(
        Effect.delay(
          Effect.sync(() => asleep?.arrangeDoze(undefined)),
          "40 seconds"
        )
      )
    }
    asleep?.pause()
    const wake = Effect.sync(() => asleep?.resume())
    yield* Effect.forkScoped(Effect.delay(wake, lasts_ms))
  })
  const made: Array<string> = []
  const asked = new Map<string, Parameters<typeof posts.submit>[1]>()
  const keyOf = (n: number) => Option.some(IdempotencyKey.make(`post-${n}`))
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
        firstComment: chance.isOneIn(2) ? Option.some(`First below ${made.length}`) : Option.none(),
        options: { values: {}, altTexts: {} }
      })),
      scheduledAt: chance.isOneIn(3)
        ? Option.some(DateTime.add(now, { seconds: 60 + chance.below(300) }))
        : Option.none(),
      isDraft: false
    }
    const key = keyOf(made.length)
    const { id, targets } = (yield* posts.submit(scope, input, key)).post
    const again = yield* posts.submit(scope, input, key)
    assert.strictEqual(again.post.id, id, "a key made two posts")
    const other = yield* Effect.result(posts.submit(scope, { ...input, text: Option.some("Another text") }, key))
    const isConflict = Result.isFailure(other) && other.failure._tag === "PostKeyConflict"
    assert.isTrue(isConflict, "a key names two texts")
    made.push(id)
    asked.set(id, input)
    for (const target of targets)
      if (Option.isSome(input.scheduledAt)) network.notBefore.set(target.id, input.scheduledAt.value)
  })
  /** A client that heard no answer asks again, and a neighbour has keys of the same names. */
  const submitAgain = Effect.gen(function* () {
    const n = chance.below(Math.max(1, made.length))
    const [id, input] = [made[n], asked.get(made[n] ?? "")]
    if (id === undefined || input === undefined) return
    // Also where its time is over, and a new one would be refused.
    const again = yield* Effect.result(posts.submit(scope, input, keyOf(n)))
    const answered = Result.isSuccess(again) ? again.success.post.id : again.failure._tag
    assert.strictEqual(answered, id, "a key made two posts, or answered another")
    if (neighbour === undefined) return
    const targets = input.targets.slice(0, 1).map((target) => ({ ...target, accountId: neighbour.accountId }))
    const draft = { ...input, targets, scheduledAt: Option.none(), isDraft: true }
    const other = yield* Effect.result(posts.submit(neighbour.scope, draft, keyOf(n)))
    const isRefused = Result.isFailure(other) && other.failure._tag === "PostKeyConflict"
    assert.isFalse(isRefused, "refused by another workspace's key")
    if (Result.isSuccess(other))
      assert.strictEqual(
        other.success.post.workspaceId,
        neighbour.scope.workspaceId,
        "answered another workspace's post"
      )
  })
  const touch = Effect.gen(function* () {
    const id = chance.pick(made)
    if (id === undefined) return
    const { scheduledAt, status: whole, targets } = yield* posts.find(scope, id)
    if (whole === "scheduled" && Option.isSome(scheduledAt) && made.indexOf(id) % 2 === 0) {
      const later = DateTime.add(scheduledAt.value, { seconds: 90 })
      const left_ms = Math.max(0, DateTime.toEpochMillis(scheduledAt.value) - (yield* Clock.currentTimeMillis))
      if (left_ms > 45_000) return yield* putOff(id, later)
      // It is asked for before its time, and comes about when it begins.
      const slow = Effect.provideService(putOff(id, later), SecondThoughts, left_ms + chance.below(3_000))
      return yield* Effect.forkScoped(slow)
    }
    const failed = targets.find(
      ({ failure, status }) => status === "failed" && Option.exists(failure, (one) => one.retryable)
    )
    if (failed === undefined) return yield* Effect.ignore(posts.cancel(scope, id))
    retried.add(failed.id)
    yield* Effect.ignore(posts.retryTarget(scope, id, failed.id))
  })
  const step = Effect.gen(function* () {
    const choice = chance.below(8)
    if (choice < 3) yield* submit
    if (choice === 3 || choice === 4) yield* crash
    if (choice === 5) yield* chance.isOneIn(3) ? touch : hanging.step
    if (neighbour !== undefined && choice === 6) yield* submitAgain
    if (choice === 7 && chance.isOneIn(2)) yield* sleep
    if (choice === 6 && chance.isOneIn(4)) {
      chance.note("the clock jumps")
      yield* TestClock.adjust(`${chance.below(6)} minutes`)
    }
    yield* TestClock.adjust(`${chance.below(12_000)} millis`)
  })
  /** What has not failed, or failed for good, is not tried again, whoever asks. */
  const checkRefused = Effect.gen(function* () {
    for (const id of made.slice(-8)) {
      const found = yield* Effect.option(posts.find(scope, id))
      for (const { failure, id: targetId, status } of Option.isSome(found) ? found.value.targets : []) {
        if (status === "failed" && Option.exists(failure, ({ retryable }) => retryable)) continue
        const again = yield* Effect.exit(posts.retryTarget(scope, id, targetId))
        assert.isTrue(Exit.isFailure(again), `${targetId} is ${status}, and is tried again`)
      }
    }
  })
  /** Nobody looks after anything for longer than a post may be late. */
  const night = Effect.gen(function* () {
    const asleep = [...processes]
    for (const process of asleep) process.pause()
    yield* TestClock.adjust("20 minutes")
    for (const process of asleep) process.resume()
  })
  const checkCalls = Effect.sync(() => {
    const all = [...violations, ...comments.violations]
    assert.isEmpty(all, all.slice(0, 5).join("; "))
  })
  const checks = [checkLaws, checkPosts(network, retried), checkRefused, checkCalls, hanging.check]
  const check = Effect.all(checks, { discard: true })
  const checkAllAtRest = Effect.andThen(checkCommentsAtRest(network), checkAtRest(network, workspace.id))
  return { step, made, check, night, checkAtRest: checkAllAtRest, goOnAlone, kill }
})

/** Plays one seed: posts, crashes and faults for a while, then calm until every deadline has passed. */
export const simulatePosts = (seed: number, plant: Plant<InboxPorts> = Layer.empty) => {
  const chance = makeChance(seed)
  const weather = { isFair: false }
  return Effect.gen(function* () {
    const workspace = yield* makeWorkspace("growth")
    const network = makePostNetwork(chance, weather, seed % 2 === 0)
    ;(yield* FakeNetworks).publish = network.script
    if (seed % 4 === 1) network.hooks.exhausted = "page3"
    const other = yield* makeWorkspace("growth")
    const theirs = yield* connectAccount(other.id, { network: "facebook", networkAccountId: "theirs" })
    const neighbour = { scope: new WorkspaceScope({ workspaceId: other.id }), accountId: theirs.id }
    const publishing = yield* makePublishing(chance, workspace, network, "6 seconds", neighbour)
    for (let n = 0; n < 40; n++) {
      yield* publishing.step
      if (n === 20 && seed % 3 === 0) yield* publishing.night
      if (n % 5 === 0) yield* publishing.check
    }
    weather.isFair = true
    for (let n = 0; n < (seed % 4 === 1 ? 7 : 5); n++) {
      yield* TestClock.adjust("14 minutes")
      yield* publishing.check
    }
    yield* checkPostEvents(workspace.id)
    const ends = yield* publishing.checkAtRest
    publishing.kill()
    return { ends, hash: yield* eventHash }
  }).pipe(
    Effect.scoped,
    Effect.provide(layerLossyPosts(chance, weather, plant)),
    Effect.provide(TestClock.layer()),
    afresh
  )
}
