import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** Port: the index of words, where items and notes are stored that it does not have, as by an older version that serves beside. */
export class SearchWords extends Context.Service<
  SearchWords,
  {
    /** Makes the words of at most `limit` items or notes. Returns of how many; fewer when none are left. */
    readonly fill: (limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@loopbox/core/inbox/SearchWords") {}
