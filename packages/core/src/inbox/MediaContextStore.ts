import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { MediaContext } from "../connectors/MediaContext.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** A post of one account. */
export interface PostName {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  /** The network's id. */
  readonly postId: string
}

/** What a network said of a post, and when. */
export interface KeptContext {
  /** None: the post is gone. */
  readonly context: Option.Option<MediaContext>
  readonly fetchedAt: DateTime.Utc
}

/** Port: what networks said of the posts that items hang on, shared by all processes. `RetentionStore` forgets it. */
export class MediaContextStore extends Context.Service<
  MediaContextStore,
  {
    readonly find: (post: PostName) => Effect.Effect<Option.Option<KeptContext>, StoreUnavailable>
    /** Keeps the newest; nothing for an account that is disconnected. */
    readonly put: (post: PostName, kept: KeptContext) => Effect.Effect<void, StoreUnavailable>
  }
>()("@loopbox/core/inbox/MediaContextStore") {}
