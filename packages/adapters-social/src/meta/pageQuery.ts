import type { FeedRequest } from "@loopbox/core/networks/Feed"
import * as Option from "effect/Option"

/** The paging of a request: as many elements as are wanted and the network gives, after the cursor. */
export const pageQuery = (most: number, { cursor, limit }: Pick<FeedRequest, "cursor" | "limit">) => ({
  limit: String(
    Math.min(
      Option.getOrElse(limit, () => most),
      most
    )
  ),
  ...Option.match(cursor, { onNone: () => ({}), onSome: (after) => ({ after }) })
})
