import { Erasures } from "@loopbox/core/accounts/Erasures"
import { CanceledTarget } from "@loopbox/core/posts/PostTarget"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { withState } from "@loopbox/core/posts/transitions"
import { connect, inboxEpoch, inboxWorld, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { layerStores } from "../testDatabase.ts"

layer(inboxWorld(layerStores()), { excludeTestServices: true })("Erasing an account of many drafts", (it) => {
  it.effect("takes it out of each without writing their rows, for that took longer than a transaction may (H2)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const posts = yield* PostStore
      const now = yield* inboxEpoch
      const { id } = yield* makeInboxWorkspace(now)
      const [gone, other] = [
        yield* connect(id, { networkAccountId: "a", at: now }),
        yield* connect(id, { networkAccountId: "b", at: now })
      ]
      for (const isDraft of [true, true, false]) {
        const kept = yield* makeKeptPost(id, [gone, other], now, { isDraft })
        yield* posts.submit({ workspaceId: id, idempotencyKey: Option.none() }, () => Result.succeed(kept))
      }
      const places = sql`SELECT ctid::text AS place FROM posts WHERE workspace_id = ${id} ORDER BY id`
      const before = yield* places
      yield* (yield* Erasures).erase({ workspaceId: id, accountId: gone.id }, Option.none())
      assert.deepStrictEqual(yield* places, before)
      const left = yield* sql`SELECT account_id, status FROM post_targets WHERE workspace_id = ${id}`
      assert.deepStrictEqual(
        left,
        [1, 2, 3].map(() => ({ account_id: other.id, status: "pending" }))
      )
    })
  )

  it.effect("ends a post of which nothing but that account was open, with its other targets", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const now = yield* inboxEpoch
      const { id } = yield* makeInboxWorkspace(now)
      const [gone, other] = [
        yield* connect(id, { networkAccountId: "a", at: now }),
        yield* connect(id, { networkAccountId: "b", at: now })
      ]
      const { post, targets } = yield* makeKeptPost(id, [gone, other], now)
      const kept = {
        post,
        targets: targets.map((target) =>
          target.accountId === other.id ? withState(target, new CanceledTarget({ endedAt: now }), now) : target
        )
      }
      yield* (yield* PostStore).submit({ workspaceId: id, idempotencyKey: Option.none() }, () => Result.succeed(kept))
      const ends = sql`SELECT p.status, p.ended_at IS NULL AS is_open, t.ended_at IS NULL AS is_target_open
        FROM posts p JOIN post_targets t ON t.workspace_id = ${id} AND t.post_id = p.id
        WHERE p.workspace_id = ${id} AND t.account_id = ${other.id}`
      assert.deepStrictEqual(yield* ends, [{ status: "publishing", is_open: true, is_target_open: true }])
      yield* (yield* Erasures).erase({ workspaceId: id, accountId: gone.id }, Option.none())
      assert.deepStrictEqual(yield* ends, [{ status: "canceled", is_open: false, is_target_open: false }])
    })
  )
})
