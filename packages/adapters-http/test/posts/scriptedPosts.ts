import type { ShownPost, ShownTarget } from "@loopbox/core/items/ShownPost"
import { MediaId, PostId, PostTargetId, SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Posts } from "@loopbox/core/posts/Posts"
import { Context, DateTime, Effect, Layer, Option } from "effect"

/** What posts answer; what is not scripted must not be called. */
export class PostsScript extends Context.Service<PostsScript, { posts: Partial<Posts["Service"]> }>()(
  "test/PostsScript"
) {
  static readonly layer = Layer.sync(PostsScript, () => PostsScript.of({ posts: {} }))
}

const unscripted = Effect.die("not scripted")

/** Posts as the script has them, so that every answer can be looked at over HTTP. */
export const layer = Layer.effect(
  Posts,
  Effect.map(PostsScript, (script) =>
    Posts.of({
      validate: (...given) => Effect.suspend(() => script.posts.validate?.(...given) ?? unscripted),
      submit: (...given) => Effect.suspend(() => script.posts.submit?.(...given) ?? unscripted),
      list: (...given) => Effect.suspend(() => script.posts.list?.(...given) ?? unscripted),
      find: (...given) => Effect.suspend(() => script.posts.find?.(...given) ?? unscripted),
      edit: (...given) => Effect.suspend(() => script.posts.edit?.(...given) ?? unscripted),
      publish: (...given) => Effect.suspend(() => script.posts.publish?.(...given) ?? unscripted),
      cancel: (...given) => Effect.suspend(() => script.posts.cancel?.(...given) ?? unscripted),
      retryTarget: (...given) => Effect.suspend(() => script.posts.retryTarget?.(...given) ?? unscripted),
      removeTarget: (...given) => Effect.suspend(() => script.posts.removeTarget?.(...given) ?? unscripted),
      remove: (...given) => Effect.suspend(() => script.posts.remove?.(...given) ?? unscripted)
    })
  )
).pipe(Layer.provideMerge(PostsScript.layer))

export const postId = PostId.make("pst_01k9j8m2x4v6q8s0t2w4y6z8ab")
export const targetId = PostTargetId.make("ptg_01k9j8m2x4v6q8s0t2w4y6z8ab")
export const accountId = SocialAccountId.make("acc_01k9j8m2x4v6q8s0t2w4y6z8ab")
export const mediaId = MediaId.make("med_01k9j8m2x4v6q8s0t2w4y6z8ab")
const createdAt = DateTime.makeUnsafe("2026-11-21T07:00:00.000Z")

export const shownTarget = (change: Partial<ShownTarget> = {}): ShownTarget => ({
  id: targetId,
  accountId,
  network: Option.some("instagram"),
  status: "pending",
  text: Option.none(),
  mediaIds: Option.none(),
  firstComment: Option.none(),
  options: { values: { kind: "reel" }, altTexts: { [mediaId]: "A cat" } },
  externalId: Option.none(),
  url: Option.none(),
  attempts: 0,
  failure: Option.none(),
  publishedAt: Option.none(),
  ...change
})

export const shownPost = (change: Partial<ShownPost> = {}): ShownPost => ({
  id: postId,
  workspaceId: WorkspaceId.make("ws_01k9j8m2x4v6q8s0t2w4y6z8ab"),
  status: "publishing",
  text: Option.some("Our cat"),
  mediaIds: [mediaId],
  scheduledAt: Option.none(),
  publishedAt: Option.none(),
  warnings: [],
  targets: [shownTarget()],
  createdAt,
  updatedAt: createdAt,
  ...change
})
