import { UnreadableRow } from "@loopbox/core/kernel/UnreadableRow"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { begin } from "@loopbox/core/posts/transitions"
import { connect, inboxEpoch, inboxWorld, makeInboxWorkspace, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { assert, layer } from "@effect/vitest"
import { Cause, DateTime, Effect, Exit, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { layerStores } from "../../testDatabase.ts"

/** Posts of one account, each with one target, due one second after the other. */
const makePosts = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const posts = yield* PostStore
  const now = yield* inboxEpoch
  const { id: workspaceId } = yield* makeInboxWorkspace(now)
  const account = yield* connect(workspaceId, { at: now })
  const kept = yield* Effect.forEach(Array.from({ length: count }), (_, n) =>
    Effect.flatMap(makeKeptPost(workspaceId, [account], DateTime.add(now, { seconds: n })), (post) =>
      posts.submit({ workspaceId, idempotencyKey: Option.none() }, () => Result.succeed(post))
    )
  )
  const ids = kept.flatMap(({ targets }) => targets.map(({ id }) => id))
  const tag = (id: string, name: string) => sql`UPDATE post_targets
    SET target = jsonb_set(target, '{state,_tag}', ${JSON.stringify(name)}::jsonb) WHERE id = ${id}`
  let claims = 0
  const claim = (seconds: number, limit = 10) => {
    const at = DateTime.add(now, { seconds })
    return posts.claim({
      limit,
      token: `claim ${++claims} of ${workspaceId}`,
      leaseNow: at,
      leaseUntil: DateTime.add(at, { seconds: 15 }),
      networks: ["instagram"],
      now: at
    })
  }
  const settled = (claimed: Effect.Success<ReturnType<typeof claim>>, at: DateTime.Utc) =>
    Effect.forEach(claimed, (one) =>
      posts.settle(one, (target) => ({ target: begin(target, at), leaseUntil: Option.none() }))
    )
  return { posts, now, workspaceId, kept, ids, tag, claim, settled }
})

const idsOf = (claims: ReadonlyArray<{ readonly target: { readonly id: string } }>) =>
  claims.map(({ target }) => target.id)

layer(inboxWorld(layerStores()), { excludeTestServices: true })("a target of a newer version", (it) => {
  it.effect("that begins first keeps none of its account waiting, and goes when it can be read", () =>
    Effect.gen(function* () {
      const { claim, ids, tag } = yield* makePosts(3)
      const [first = "", second = ""] = ids
      yield* tag(first, "Novel")
      // Also where a claim takes one at a time.
      assert.deepStrictEqual(idsOf(yield* claim(30, 1)), [second])
      yield* tag(first, "Waiting")
      assert.deepStrictEqual(yield* claim(31), [], "one at a time per account")
    })
  )

  it.effect("is taken before others of its account once its pause is over", () =>
    Effect.gen(function* () {
      const { claim, ids, tag } = yield* makePosts(2)
      const [first = "", second = ""] = ids
      yield* tag(first, "Novel")
      yield* tag(second, "Novel")
      assert.deepStrictEqual(yield* claim(10), [])
      yield* tag(first, "Waiting")
      yield* tag(second, "Waiting")
      assert.deepStrictEqual(yield* claim(69), [], "both are put back for a minute")
      assert.deepStrictEqual(idsOf(yield* claim(71)), [first])
    })
  )

  it.effect("that is being published keeps others waiting for half an hour, and no longer", () =>
    Effect.gen(function* () {
      const { claim, ids, now, posts, settled, tag } = yield* makePosts(2)
      const [first = "", second = ""] = ids
      assert.strictEqual((yield* settled(yield* claim(1), now))[0]?.state._tag, "Preparing")
      yield* tag(first, "Novel")
      for (const seconds of [2, 63, 600, 1_700]) assert.deepStrictEqual(yield* claim(seconds), [], `${seconds}`)
      assert.deepStrictEqual(idsOf(yield* claim(1_802)), [second])
      // The newer version, which comes back to it, cannot publish beside the other.
      yield* tag(first, "Preparing")
      const back = (yield* claim(1_870)).filter(({ target }) => target.id === first)
      const error = yield* Effect.flip(
        Effect.forEach(back, (one) => posts.settle(one, (target) => ({ target, leaseUntil: Option.none() })))
      )
      assert.strictEqual(error._tag, "LeaseLost")
    })
  )

  it.effect("makes its post one that dies of a row that cannot be read, and changes nothing of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { ids, kept, posts, tag, workspaceId } = yield* makePosts(1)
      const [id = ""] = ids
      const scope = scopeOf(workspaceId).scope
      yield* tag(id, "Novel")
      const postId = kept[0]?.post.id
      if (postId === undefined) return assert.fail("no post")
      const reads = [
        posts.find(scope, postId),
        posts.change(scope, postId, (before) => Result.succeed({ _tag: "Delete", kept: before }))
      ]
      for (const read of reads) {
        const exit = yield* Effect.exit(read)
        const died =
          Exit.isFailure(exit) &&
          exit.cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof UnreadableRow)
        assert.isTrue(died)
      }
      assert.strictEqual((yield* sql`SELECT 1 FROM post_targets WHERE id = ${id}`).length, 1)
    })
  )
})
