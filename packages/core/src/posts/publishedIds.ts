import type { PublishedPosts } from "../items/ownPost.ts"
import type { PostTarget } from "./PostTarget.ts"

/** All ids by which the network names what a target published, also after it was deleted there. Pure. */
export const publishedIds = ({ state }: Pick<PostTarget, "state">): ReadonlyArray<string> =>
  "externalId" in state ? [state.externalId, ...state.postIds] : []

/** The ids that became known with a change of a target: comments that arrived before hang on its post, too. Pure. */
export const gainedIds = (before: PostTarget, after: PostTarget): PublishedPosts => {
  const known = new Set(publishedIds(before))
  return new Map(
    publishedIds(after)
      .filter((id) => !known.has(id))
      .map((id) => [id, after.postId])
  )
}
