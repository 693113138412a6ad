import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Result } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { noon } from "@loopbox/testing/fixtures/activities"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"
import { auditPost } from "../../src/posts/auditPost.ts"
import { cancel, reschedule, retry } from "../../src/posts/decidePost.ts"
import { type KeptPost, Post } from "../../src/posts/Post.ts"
import type { PostDecision } from "../../src/posts/PostStore.ts"
import { failureOf } from "../../src/posts/targetFailure.ts"
import { DeletedTarget, PublishedTarget } from "../../src/posts/PostTarget.ts"
import { fail, withState } from "../../src/posts/transitions.ts"

const id = WorkspaceId.make("ws_01k9j8m2x4v6q8s0t2w4y6z8ab")
const account = { id: SocialAccountId.make("acc_01k9j8m2x4v6q8s0t2w4y6z8ab"), network: "instagram" }
const later = DateTime.add(noon, { hours: 2 })

const make = (options: Parameters<typeof makeKeptPost>[3] = {}) => makeKeptPost(id, [account], noon, options)

const actionOf = (before: KeptPost, decided: Result.Result<PostDecision, unknown>) => {
  const decision = Result.getOrThrow(decided)
  return decision._tag === "Keep" ? assert.fail("nothing changed") : auditPost(before, decision)
}

const to = (kept: KeptPost): Result.Result<PostDecision, unknown> => Result.succeed({ _tag: "Change", kept })

describe("what a change of a post is audited as", () => {
  it.effect("is found by comparing", () =>
    Effect.gen(function* () {
      const [draft, scheduled] = [yield* make({ isDraft: true }), yield* make({ startAt: later })]
      const published = { ...draft, post: new Post({ ...draft.post, isDraft: false }) }
      assert.strictEqual(actionOf(draft, to(published)), "post.published")
      assert.strictEqual(actionOf(draft, to(draft)), "post.updated")
      assert.strictEqual(actionOf(draft, cancel(draft, later)), "post.canceled")
      assert.strictEqual(actionOf(scheduled, reschedule(scheduled, later, noon)), "post.updated")
      assert.strictEqual(actionOf(draft, Result.succeed({ _tag: "Delete" })), "post.deleted")
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )

  it.effect("tells a target that begins again, and one that was deleted on its network", () =>
    Effect.gen(function* () {
      const kept = yield* make()
      const [target = assert.fail("no target")] = kept.targets
      const failed = { ...kept, targets: [fail(target, failureOf("network_unavailable"), noon)] }
      assert.strictEqual(actionOf(failed, retry(failed, target.id, later)), "post.target_retried")
      const state = new PublishedTarget({
        endedAt: noon,
        externalId: "1",
        postIds: [],
        url: Option.none(),
        comment: "none",
        commentPreparation: Option.none(),
        commentedAt: Option.none(),
        commentLookedAt: Option.none(),
        detailsAt: Option.none(),
        detailsAsked: 0
      })
      const published = { ...kept, targets: [withState(target, state, noon)] }
      const gone = new DeletedTarget({ endedAt: later, publishedAt: noon, externalId: "1", postIds: [] })
      const deleted = { ...kept, targets: [withState(target, gone, later)] }
      assert.strictEqual(actionOf(published, to(deleted)), "post.target_deleted")
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )
})
