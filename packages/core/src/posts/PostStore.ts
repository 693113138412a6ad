import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type { InboxScope } from "../access/InboxScope.ts"
import type { PostStatus } from "../items/ShownPost.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import type { PostId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { LeaseRequest } from "../kernel/lease/claimLoop.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { PageKey, PageRequest } from "../kernel/Page.ts"
import type { QueueDepth } from "../kernel/QueueDepth.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { WorkspaceErased } from "../media/MediaErrors.ts"
import type { Network } from "../networks/Source.ts"
import type { KeptPost, Post } from "./Post.ts"
import type { PostFactsChanged, PostOwnerGone } from "./PostErrors.ts"
import type { openStatuses, PostTarget } from "./PostTarget.ts"

/** Filters of a list; `none` matches everything. */
export interface PostFilter {
  readonly status: Option.Option<PostStatus>
  /** Posts with a target on this account. */
  readonly accountId: Option.Option<SocialAccountId>
}

export interface PostPage {
  readonly items: ReadonlyArray<KeptPost>
  /** Absent on the last page. */
  readonly next: Option.Option<PageKey>
}

/** A target leased to one worker, with its post. */
export interface TargetClaim {
  readonly post: Post
  readonly target: PostTarget
  /** Fencing token: only the holder of the current lease can change the target. */
  readonly token: string
}

/** The result of a change to a claimed target. */
export interface TargetChange {
  readonly target: PostTarget
  /** The new end of the lease, on the lease clock; `none` releases the claim. */
  readonly leaseUntil: Option.Option<DateTime.Utc>
}

/** What the other targets of an account may have on the network. */
export interface Rivals {
  /** Ids of their posts. */
  readonly knownIds: ReadonlySet<string>
  /** Those of which it is not known whether they are published: being published, looked for, or given up. */
  readonly uncertain: ReadonlyArray<Pick<TargetClaim, "post" | "target">>
}

/** What becomes of a post: nothing, another form, or its end. */
export type PostDecision =
  | { readonly _tag: "Keep" }
  | { readonly _tag: "Change"; readonly kept: KeptPost }
  | { readonly _tag: "Delete" }

/**
 * Port: posts and their targets.
 *
 * Every visible change of a target writes its events in the same transaction, and the post's status follows from its
 * targets there. When a target's ids at its network become known, items of its account that hang on them get its post
 * in the same transaction, with their events; what is ingested later gets it there. A post that is no draft is stored only while its accounts and files exist (`PostFactsChanged`), and each post only while its managed user
 * exists (`PostOwnerGone`; `PostFactsChanged` where a change would make it theirs). Posts of a
 * scope are those of its managed user, or all of the workspace; they are erased with their managed user, whoever has
 * their accounts then, and a claim of one that is gone is lost. Files of posts that have not ended are in use (`MediaStore.remove`, `RetentionStore.expire`).
 */
export class PostStore extends Context.Service<
  PostStore,
  {
    /**
     * One transaction per key and workspace at a time: finds the earlier post of the key, calls `decide`, and stores the
     * result. Without a key there is no earlier post.
     */
    readonly submit: <E>(
      name: { readonly workspaceId: WorkspaceId; readonly idempotencyKey: Option.Option<IdempotencyKey> },
      decide: (existing: Option.Option<KeptPost>) => Result.Result<KeptPost, E>
    ) => Effect.Effect<KeptPost, E | PostFactsChanged | PostOwnerGone | WorkspaceErased | StoreUnavailable>
    readonly find: (scope: InboxScope, id: PostId) => Effect.Effect<Option.Option<KeptPost>, StoreUnavailable>
    /** Newest first. */
    readonly list: (
      scope: InboxScope,
      filter: PostFilter,
      page: PageRequest
    ) => Effect.Effect<PostPage, StoreUnavailable>
    /**
     * Changes a post of the scope with its targets under their locks, leased or not, and returns it as it is then.
     * `none`: there is no such post.
     */
    readonly change: <E>(
      scope: InboxScope,
      id: PostId,
      decide: (kept: KeptPost) => Result.Result<PostDecision, E>
    ) => Effect.Effect<Option.Option<KeptPost>, E | PostFactsChanged | StoreUnavailable>
    /**
     * Claims at most `limit` due targets of these networks, the longest due first. Only the lease changes.
     *
     * A target that has not begun, or waits for a quota, is claimed only if no other target of its account is being
     * prepared or published, and none that begins before it is due: one at a time per account, in the order of their
     * times.
     */
    readonly claim: (
      request: LeaseRequest & { readonly networks: ReadonlyArray<Network>; readonly now: DateTime.Utc }
    ) => Effect.Effect<ReadonlyArray<TargetClaim>, StoreUnavailable>
    readonly renew: (claim: TargetClaim, leaseUntil: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /**
     * Changes a target under its lock, if the lease is not lost. Also refused as lost: to be prepared or published while
     * another of its account is; it is claimed again when the lease ends.
     */
    readonly settle: (
      claim: TargetClaim,
      decide: (target: PostTarget) => TargetChange
    ) => Effect.Effect<PostTarget, LeaseLost | StoreUnavailable>
    /** What the account's other targets published, or may have published. */
    readonly findRivals: (
      target: Pick<PostTarget, "workspaceId" | "accountId" | "id">
    ) => Effect.Effect<Rivals, StoreUnavailable>
    /** Targets without a final state, but for drafts; `oldestAt` is when the first of those that have not begun is due. */
    readonly depth: Effect.Effect<QueueDepth<(typeof openStatuses)[number]>, StoreUnavailable>
    /** Lossy wake-up hints; workers also poll. */
    readonly wakeUps: Stream.Stream<void>
  }
>()("@loopbox/core/posts/PostStore") {}
