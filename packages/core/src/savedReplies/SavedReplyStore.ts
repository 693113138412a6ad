import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { InboxScope } from "../access/InboxScope.ts"
import type { SavedReplyId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { SavedReply, SavedReplyContent } from "./SavedReply.ts"

/**
 * Port: saved replies. A managed user's scope has only what was made in it; the workspace's has all.
 *
 * They are erased with their managed user, and with the workspace.
 */
export class SavedReplyStore extends Context.Service<
  SavedReplyStore,
  {
    /** Returns whether it was stored: not, once its managed user or workspace is erased. */
    readonly insert: (reply: SavedReply) => Effect.Effect<boolean, StoreUnavailable>
    /** Newest first. */
    readonly list: (scope: InboxScope, page: PageRequest) => Effect.Effect<Page<SavedReply>, StoreUnavailable>
    readonly find: (scope: InboxScope, id: SavedReplyId) => Effect.Effect<Option.Option<SavedReply>, StoreUnavailable>
    /** Changes what is given. `updatedAt` becomes `at` only where something is different afterwards. */
    readonly update: (
      scope: InboxScope,
      id: SavedReplyId,
      change: Partial<SavedReplyContent>,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<SavedReply>, StoreUnavailable>
    /** Returns whether there was one. */
    readonly remove: (scope: InboxScope, id: SavedReplyId) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@loopbox/core/savedReplies/SavedReplyStore") {}
