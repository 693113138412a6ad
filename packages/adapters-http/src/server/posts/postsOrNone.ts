import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { PostNotFound } from "@loopbox/core/posts/PostErrors"
import { Posts } from "@loopbox/core/posts/Posts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const absent = () =>
  Effect.fail(new StoreUnavailable({ operation: "Posts", committed: "no", cause: "this host gives no Posts" }))

const noPost = (_scope: InboxScope, postId: string) => Effect.fail(new PostNotFound({ postId }))

const noPosts = Posts.of({
  validate: absent,
  submit: absent,
  list: absent,
  find: noPost,
  edit: noPost,
  publish: noPost,
  cancel: noPost,
  retryTarget: noPost,
  removeTarget: noPost,
  remove: noPost
})

/** A host may do without posts, as it may without connecting: then there are none. */
export const postsOrNone: Effect.Effect<Posts["Service"]> = Effect.map(
  Effect.serviceOption(Posts),
  Option.getOrElse(() => noPosts)
)
