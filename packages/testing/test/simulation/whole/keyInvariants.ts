import { assert } from "@effect/vitest"
import { Effect, Equal, Option, Result } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import type { KeptPost } from "@loopbox/core/posts/Post"
import { PostStore } from "@loopbox/core/posts/PostStore"

/** Refuses whatever was found, so that nothing is written. */
const refused = Result.fail("looked up only")

/** What a submit finds by its key: it is asked, and refused, so that the run goes on as without it. */
const found = <A>(
  submit: (decide: (existing: Option.Option<A>) => typeof refused) => Effect.Effect<unknown, unknown>
) =>
  Effect.suspend(() => {
    let existing = Option.none<A>()
    const decide = (earlier: Option.Option<A>) => {
      existing = earlier
      return refused
    }
    return Effect.map(Effect.exit(submit(decide)), () => existing)
  })

/** A key names one reply of one item, and one post of one workspace: it is found there, and nowhere else. */
export const checkKeys = Effect.fnUntraced(function* (home: WorkspaceId, other: WorkspaceId) {
  const { inbox } = yield* MemoryState
  const [replies, posts] = [yield* OutboundStore, yield* PostStore]
  for (const { account, items, operations } of inbox.accounts.values()) {
    const keyed = Array.from(operations.values(), ({ operation }) => operation).filter(({ idempotencyKey }) =>
      Option.isSome(idempotencyKey)
    )
    for (const { accountId, id, idempotencyKey, itemId, workspaceId } of keyed.slice(-3)) {
      const name = { workspaceId, accountId, idempotencyKey, privately: Option.none() }
      const own = yield* found<OutboundOperation>((decide) => replies.submit({ ...name, itemId }, decide))
      if (account.status !== "disconnected")
        assert.deepStrictEqual(Option.getOrUndefined(own)?.id, id, "a key does not find its reply")
      const same = keyed.filter((one) => Equal.equals(one.idempotencyKey, idempotencyKey))
      const item = Array.from(items.values()).find(
        (one) => one._tag === "LiveItem" && !same.some((operation) => operation.itemId === one.id)
      )
      if (item?._tag !== "LiveItem") continue
      const elsewhere = yield* found<OutboundOperation>((decide) =>
        replies.submit({ ...name, itemId: item.id }, decide)
      )
      assert.isTrue(Option.isNone(elsewhere), "a key finds the reply of another item")
    }
  }
  const keyed = Array.from(inbox.posts.values(), ({ kept }) => kept.post).filter(
    ({ idempotencyKey, workspaceId }) => workspaceId === home && Option.isSome(idempotencyKey)
  )
  for (const { id, idempotencyKey } of keyed.slice(-3)) {
    const own = yield* found<KeptPost>((decide) => posts.submit({ workspaceId: home, idempotencyKey }, decide))
    assert.deepStrictEqual(Option.getOrUndefined(own)?.post.id, id, "a key does not find its post")
    const elsewhere = yield* found<KeptPost>((decide) => posts.submit({ workspaceId: other, idempotencyKey }, decide))
    assert.isTrue(Option.isNone(elsewhere), "a key finds the post of another workspace")
  }
})
