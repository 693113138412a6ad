import type { PgAdapters } from "@loopbox/adapters-postgres"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { PostStore, type TargetClaim } from "@loopbox/core/posts/PostStore"
import type { PostTarget } from "@loopbox/core/posts/PostTarget"
import { admitted, begin, published, stepped } from "@loopbox/core/posts/transitions"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, inboxEpoch, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { networks } from "@loopbox/testing/fixtures/networks"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { DateTime, Effect, Option, Result } from "effect"
import { copy, numbered, withoutStatistics } from "../copies.ts"
import { beforeStatistics } from "../beforeStatistics.ts"
import { findCostly, oneConnection } from "../rowsRead.ts"

const count = 20_000

/** Whatever reads too much of a workspace with 20,000 posts that have ended, and 20,000 comments on other posts. */
const findCostlyPosts = (target: PgAdapters.Target, plans: string) =>
  Effect.gen(function* () {
    const store = yield* PostStore
    const at = yield* inboxEpoch
    const { id: workspaceId } = yield* makeInboxWorkspace(at)
    const account = yield* connect(workspaceId, { at })
    const other = yield* connect(workspaceId, { at, networkAccountId: "other" })
    const scope = new WorkspaceScope({ workspaceId })
    yield* withoutStatistics("items", "threads", "item_words", "events")
    yield* ingest(account, [posted({ externalId: "e00000", threadKey: "t00000", post: "p00000" })], { now: at })
    const key = { id: numbered("id"), external_id: numbered("external_id"), thread_key: numbered("thread_key") }
    yield* copy("items", count, { ...key, linked_post_id: numbered("linked_post_id") })
    yield* copy("threads", count, { id: key.id, thread_key: key.thread_key, last_item_id: numbered("last_item_id") })
    const submit = (some: typeof account, name: string) =>
      Effect.gen(function* () {
        const kept = yield* makeKeptPost(workspaceId, [some], at, { key: name })
        return yield* store.submit({ workspaceId, idempotencyKey: kept.post.idempotencyKey }, (existing) =>
          Result.succeed(Option.getOrElse(existing, () => kept))
        )
      })
    const first = yield* submit(account, "first")
    const id = numbered("id")
    yield* copy("posts", count, {
      id,
      idempotency_key: "'key ' || n",
      post: `r.post || jsonb_build_object('id', ${id})`,
      status: "'published'",
      ended_at: "r.created_at"
    })
    const postId = numbered("post_id")
    yield* copy("post_targets", count, {
      id,
      post_id: postId,
      account_id: numbered("account_id"),
      target: `r.target || jsonb_build_object('id', ${id}, 'postId', ${postId})`,
      status: "'published'",
      post_ids: "jsonb_build_array('old ' || n)",
      due_at: "NULL",
      is_beginning: "false",
      ended_at: "r.due_at"
    })
    yield* ingest(
      account,
      Array.from({ length: 150 }, (_, n) =>
        posted({ externalId: `on ${n}`, threadKey: `on ${n}`, post: "mine", receivedAt: at })
      ),
      { now: at }
    )
    const lease = { now: at, leaseNow: at, leaseUntil: DateTime.add(at, { minutes: 1 }), limit: 10, networks }
    const [held] = yield* store.claim({ ...lease, token: "a" })
    if (held === undefined) return ["nothing is claimed"]
    const settle = (claim: TargetClaim, next: (target: PostTarget) => PostTarget) =>
      store.settle(claim, (one) => ({ target: next(one), leaseUntil: Option.some(DateTime.add(at, { minutes: 2 })) }))
    return yield* findCostly(["posts", "post_targets", "items", "threads", "item_words"], {
      submit: submit(other, "second"),
      "submit again": submit(other, "second"),
      find: store.find(scope, first.post.id),
      "the first page": store.list(
        scope,
        { status: Option.none(), accountId: Option.none() },
        { limit: 25, after: Option.none() }
      ),
      change: store.change(scope, first.post.id, () => Result.succeed({ _tag: "Keep" })),
      claim: store.claim({ ...lease, token: "b" }),
      renew: store.renew(held, lease.leaseUntil),
      begin: settle(held, (one) =>
        stepped(admitted(begin(one, at), at), { _tag: "Ready", preparation: { id: "c1" } }, at)
      ),
      "publish what 150 items hang on": settle(held, (one) =>
        published(one, { externalId: "mine", url: Option.none(), postIds: [] }, at)
      ),
      "ingest on a post": ingest(account, [posted({ externalId: "new", threadKey: "new", post: "mine" })], { now: at })
    })
  }).pipe(Effect.provide(oneConnection(target, plans)))

beforeStatistics("20,000 posts", {
  "they, and the items that hang on one, are found by their ids": findCostlyPosts
})
