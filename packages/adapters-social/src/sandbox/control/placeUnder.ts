import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { World } from "../World.ts"
import type { AccountProfile, Writing } from "../Writing.ts"

/** Where an answer stands: under which post, and which comment. */
export const placeUnder = (
  world: World,
  account: AccountProfile,
  parent: Option.Option<Writing>,
  givenPostId: string | undefined,
  at: DateTime.Utc
): Pick<Writing, "postId" | "parentId"> => {
  const { network } = account
  const asked = Option.filter(parent, (one) => one.kind !== "post")
  const rootId = Option.flatMap(parent, (one) => rootOf(one))
  const given = givenPostId ?? world.ids.standingPost(account)
  // A video of a Page has two ids; what hangs on it hangs on its post.
  const postId = Option.getOrElse(rootId, () => world.findOrMakePost(account, given, at).history[0])
  return {
    postId: Option.some(postId),
    // Instagram has two levels: an answer to an answer stands under the top comment.
    parentId: Option.map(asked, (one) =>
      network === "instagram" ? Option.getOrElse(one.parentId, () => one.id) : one.id
    )
  }
}

/** The id of the post at the root; a mention is its own. */
const rootOf = (writing: Writing): Option.Option<string> =>
  Option.orElse(writing.postId, () => Option.some(writing.history[0]))
