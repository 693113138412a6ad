import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { MediaContext } from "../networks/MediaContext.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** Identifies a post of one account. */
export interface PostName {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  /** The network's id. */
  readonly postId: string
}

/** A cached media context. */
export interface KeptContext {
  /** `none`: the post was deleted. */
  readonly context: Option.Option<MediaContext>
  readonly fetchedAt: DateTime.Utc
}

/** Port: the cache of media contexts, shared by all processes. `RetentionStore` deletes old ones. */
export class MediaContextStore extends Context.Service<
  MediaContextStore,
  {
    readonly find: (post: PostName) => Effect.Effect<Option.Option<KeptContext>, StoreUnavailable>
    /** Stores the newest context; nothing for a disconnected account. */
    readonly put: (post: PostName, kept: KeptContext) => Effect.Effect<void, StoreUnavailable>
  }
>()("@loopbox/core/inbox/MediaContextStore") {}
