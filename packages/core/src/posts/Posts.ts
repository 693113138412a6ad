import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Digest } from "effect/crypto/Digest"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { inTraceOf } from "../kernel/recordTrace.ts"
import type { InboxScope } from "../access/InboxScope.ts"
import type { AccountTokens } from "../accounts/AccountTokens.ts"
import type { SocialAccounts } from "../accounts/SocialAccounts.ts"
import type { ShownPost } from "../items/ShownPost.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import { PostId } from "../kernel/Ids.ts"
import type { PublicUrlRequired } from "../media/MediaErrors.ts"
import type { PageKey, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { MediaLibrary } from "../media/MediaLibrary.ts"
import type { MediaLinks } from "../media/MediaLinks.ts"
import type { WorkspaceErased } from "../media/MediaErrors.ts"
import type { WriteFailed } from "../networks/ConnectorErrors.ts"
import type { Connectors } from "../networks/Connectors.ts"
import { cancel, decideSubmit, remove, retry } from "./decidePost.ts"
import { makeEditPost, type PostChange } from "./editPost.ts"
import type { Judgement } from "./judging/judgePost.ts"
import { makeAcceptPost, untilUnchanged } from "./accepting/acceptPost.ts"
import {
  type PostAlreadyPublishing,
  type PostInvalid,
  type PostKeyConflict,
  PostFactsChanged,
  type PostNotEditable,
  PostNotFound,
  type PostOwnerGone,
  TargetNotFound,
  type TargetNotRemovable,
  type TargetNotRetryable
} from "./PostErrors.ts"
import type { PostInput } from "./PostInput.ts"
import { DeletedTarget } from "./PostTarget.ts"
import { type PostDecision, type PostFilter, PostStore } from "./PostStore.ts"
import { makeRemoveTarget } from "./removeTarget.ts"
import { showPost } from "./showPost.ts"
import { withState } from "./transitions.ts"
import type { KeptPost } from "./Post.ts"

/** A post that was accepted, now or by an earlier request with the same key. */
export interface AcceptedPost {
  readonly post: ShownPost
  /** It was accepted as a draft or for later, and not to go out at once. */
  readonly isDeferred: boolean
}

/** A page of posts; `next` is the key of the last one. */
export interface ShownPostPage {
  readonly items: ReadonlyArray<ShownPost>
  readonly next: Option.Option<PageKey>
}

/** Why a post can't go out. */
export type PostRefused = PostInvalid | PublicUrlRequired

/**
 * Driving service: posts and their targets (api-2.md §12). It does not authorise: the scope is what the caller may see
 * and use. A malformed id counts as not found.
 */
export class Posts extends Context.Service<
  Posts,
  {
    /** Judges a post as if it were to go out. Stores nothing. */
    readonly validate: (scope: InboxScope, input: PostInput) => Effect.Effect<Judgement, StoreUnavailable>
    /**
     * Accepts a post, durably; workers publish it. A draft is judged when it is published. The same key with the same
     * request is the same post; a refused request stores nothing.
     */
    readonly submit: (
      scope: InboxScope,
      input: PostInput,
      idempotencyKey: Option.Option<IdempotencyKey>
    ) => Effect.Effect<AcceptedPost, PostRefused | PostKeyConflict | PostOwnerGone | WorkspaceErased | StoreUnavailable>
    /** Newest first. */
    readonly list: (
      scope: InboxScope,
      filter: PostFilter,
      page: PageRequest
    ) => Effect.Effect<ShownPostPage, StoreUnavailable>
    readonly find: (scope: InboxScope, id: string) => Effect.Effect<ShownPost, PostNotFound | StoreUnavailable>
    /** Changes a draft, or the time of a scheduled post. Absent members stay unchanged. */
    readonly edit: (
      scope: InboxScope,
      id: string,
      change: PostChange
    ) => Effect.Effect<ShownPost, PostRefused | PostNotEditable | PostNotFound | StoreUnavailable>
    /** Publishes a draft, now or at its time. */
    readonly publish: (
      scope: InboxScope,
      id: string
    ) => Effect.Effect<ShownPost, PostRefused | PostNotEditable | PostNotFound | StoreUnavailable>
    /** Takes back a draft, a scheduled post, or the targets that have not begun. */
    readonly cancel: (
      scope: InboxScope,
      id: string
    ) => Effect.Effect<ShownPost, PostAlreadyPublishing | PostNotFound | StoreUnavailable>
    /** Begins a failed target again. */
    readonly retryTarget: (
      scope: InboxScope,
      id: string,
      targetId: string
    ) => Effect.Effect<ShownPost, TargetNotFound | TargetNotRetryable | PostNotFound | StoreUnavailable>
    /** Deletes a published target at its network. Deleting it again does nothing. */
    readonly removeTarget: (
      scope: InboxScope,
      id: string,
      targetId: string
    ) => Effect.Effect<ShownPost, TargetNotFound | TargetNotRemovable | PostNotFound | WriteFailed | StoreUnavailable>
    /** Deletes a draft or an ended post here, and nothing on the networks. */
    readonly remove: (
      scope: InboxScope,
      id: string
    ) => Effect.Effect<void, PostNotEditable | PostNotFound | StoreUnavailable>
  }
>()("@loopbox/core/posts/Posts") {
  static readonly layer: Layer.Layer<
    Posts,
    never,
    PostStore | SocialAccounts | AccountTokens | MediaLibrary | MediaLinks | Connectors | Digest | SecureRandom
  > = Layer.effect(
    Posts,
    Effect.suspend(() => make)
  )
}

const isPostId = Schema.is(PostId)

const make = Effect.gen(function* () {
  const store = yield* PostStore
  const accept = yield* makeAcceptPost
  const edit = yield* makeEditPost(accept)
  const removeAtNetwork = yield* makeRemoveTarget

  const findKept = Effect.fnUntraced(function* (scope: InboxScope, id: string) {
    const kept = isPostId(id) ? yield* store.find(scope, id) : Option.none<KeptPost>()
    return Option.isSome(kept) ? kept.value : yield* new PostNotFound({ postId: id })
  })

  /** Changes a post; what it consists of was judged when it was accepted. */
  const change = Effect.fnUntraced(function* <E>(
    scope: InboxScope,
    id: string,
    decide: (kept: KeptPost, now: DateTime.Utc) => Result.Result<PostDecision, E>
  ) {
    const now = yield* DateTime.now
    const kept = isPostId(id)
      ? yield* untilUnchanged(store.change(scope, id, (one) => decide(one, now)))
      : Option.none<KeptPost>()
    return Option.isSome(kept) ? showPost(kept.value) : yield* new PostNotFound({ postId: id })
  })

  const removeTarget = Effect.fn("Posts.removeTarget")(function* (scope: InboxScope, id: string, targetId: string) {
    const kept = yield* findKept(scope, id)
    const target = kept.targets.find((one) => one.id === targetId)
    if (target === undefined) return yield* new TargetNotFound({ targetId })
    if (target.state._tag === "Deleted") return showPost(kept)
    yield* removeAtNetwork(scope, target)
    return yield* change(scope, id, (current, now) =>
      Result.succeed({
        _tag: "Change",
        kept: {
          ...current,
          targets: current.targets.map((one) => {
            if (one.id !== targetId || one.state._tag !== "Published") return one
            const { endedAt: publishedAt, externalId, postIds } = one.state
            return withState(one, new DeletedTarget({ endedAt: now, publishedAt, externalId, postIds }), now)
          })
        }
      })
    )
  })

  return Posts.of({
    validate: Effect.fn("Posts.validate")(function* (scope, input) {
      const { judgement } = yield* accept.judge(scope, input)
      return judgement
    }),
    submit: Effect.fn("Posts.submit")(function* (scope, input, idempotencyKey) {
      const { workspaceId } = scope
      const submitted = yield* untilUnchanged(
        Effect.flatMap(accept.make(scope, input, idempotencyKey), (made) =>
          store
            .submit({ workspaceId, idempotencyKey }, (existing) => decideSubmit(existing, made))
            .pipe(
              // Of workspace scope the owner was found by the accounts, and is another when they are read anew.
              Effect.catchTag("PostOwnerGone", (gone) =>
                Effect.fail(scope._tag === "ManagedUserScope" ? gone : new PostFactsChanged())
              )
            )
        )
      )
      yield* inTraceOf(submitted.post.id, "post.accepted")(Effect.void)
      return { post: showPost(submitted), isDeferred: submitted.post.isDeferred }
    }),
    list: Effect.fn("Posts.list")(function* (scope, filter, page) {
      const { items, next } = yield* store.list(scope, filter, page)
      return { items: items.map(showPost), next }
    }),
    find: Effect.fn("Posts.find")((scope, id) => Effect.map(findKept(scope, id), showPost)),
    edit: Effect.fn("Posts.edit")((scope, id, given) =>
      untilUnchanged(Effect.flatMap(findKept(scope, id), (read) => edit.edit(scope, read, given)))
    ),
    publish: Effect.fn("Posts.publish")((scope, id) =>
      untilUnchanged(Effect.flatMap(findKept(scope, id), (read) => edit.publish(scope, read)))
    ),
    cancel: Effect.fn("Posts.cancel")((scope, id) => change(scope, id, cancel)),
    retryTarget: Effect.fn("Posts.retryTarget")((scope, id, targetId) =>
      change(scope, id, (kept, now) => retry(kept, targetId, now))
    ),
    removeTarget,
    remove: Effect.fn("Posts.remove")((scope, id) => Effect.asVoid(change(scope, id, remove)))
  })
})
