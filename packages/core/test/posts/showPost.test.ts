import { assert, describe, it } from "@effect/vitest"
import { layerTest } from "@loopbox/testing/layers/testLayers"
import { noon } from "@loopbox/testing/fixtures/activities"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { DateTime, Effect, Option, Result } from "effect"
import { SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { cancel, reschedule, retry } from "../../src/posts/decidePost.ts"
import type { KeptPost } from "../../src/posts/Post.ts"
import type { PostDecision } from "../../src/posts/PostStore.ts"
import { replaceTarget, showPost } from "../../src/posts/showPost.ts"
import { begin } from "../../src/posts/transitions.ts"

const body = "0".repeat(25)
const later = (minutes: number) => DateTime.add(noon, { minutes })
const account = (n: number) => ({ id: SocialAccountId.make(`acc_${body}${n}`), network: "instagram" as const })

/** A post to some accounts whose time is in an hour. */
const scheduled = (accounts: number) =>
  makeKeptPost(
    WorkspaceId.make(`ws_${body}1`),
    Array.from({ length: accounts }, (_, n) => account(n)),
    noon,
    { startAt: later(60) }
  )

const after = (decision: Result.Result<PostDecision, unknown>): KeptPost => {
  const decided = Result.getOrThrow(decision)
  return decided._tag === "Change" ? decided.kept : assert.fail(decided._tag)
}

/** Each target that waits is begun too late. */
const tooLate = (kept: KeptPost): KeptPost =>
  kept.targets.reduce(
    (one, target) => (target.state._tag === "Waiting" ? replaceTarget(one, begin(target, later(90))) : one),
    kept
  )

const idOf = (kept: KeptPost, n = 0) => kept.targets[n]?.id ?? assert.fail("no such target")
const shown = (kept: KeptPost) => {
  const { status, targets } = showPost(kept)
  return [status, ...targets.map((target) => target.status)]
}

describe("the status of a scheduled post (api-2-decided A11)", () => {
  it.effect("whose only target failed and is retried is publishing: it goes out now", () =>
    Effect.gen(function* () {
      const kept = yield* scheduled(1)
      assert.deepStrictEqual(shown(kept), ["scheduled", "pending"])
      const failed = tooLate(kept)
      assert.deepStrictEqual(shown(failed), ["failed", "failed"])
      const retried = after(retry(failed, idOf(failed), later(91)))
      assert.deepStrictEqual(shown(retried), ["publishing", "pending"])
      // Its time is over: it can be taken back, not moved.
      assert.isTrue(Result.isFailure(reschedule(retried, later(180), later(92))))
      assert.deepStrictEqual(shown(after(cancel(retried, later(92)))), ["canceled", "canceled"])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is publishing with one retried target beside failed ones, and beside others that are retried", () =>
    Effect.gen(function* () {
      const failed = tooLate(yield* scheduled(2))
      const one = after(retry(failed, idOf(failed), later(91)))
      assert.deepStrictEqual(shown(one), ["publishing", "pending", "failed"])
      const both = after(retry(one, idOf(one, 1), later(92)))
      assert.deepStrictEqual(shown(both), ["publishing", "pending", "pending"])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is scheduled after it was moved", () =>
    Effect.gen(function* () {
      const moved = after(reschedule(yield* scheduled(2), later(120), noon))
      assert.deepStrictEqual(shown(moved), ["scheduled", "pending", "pending"])
      assert.deepStrictEqual(showPost(moved).scheduledAt, Option.some(later(120)))
    }).pipe(Effect.provide(layerTest))
  )
})
