import * as Option from "effect/Option"
import type { PostId } from "../kernel/Ids.ts"
import { type InboxEvent, itemUpdated } from "./InboxEvent.ts"
import type { InboxItem } from "./InboxItem.ts"
import type { StoredItem } from "./StoredItem.ts"

/** Posts of this program on one account, by the ids by which its network names them in comments. */
export type PublishedPosts = ReadonlyMap<string, PostId>

type Linked = Pick<InboxItem, "linkedPostId" | "postId">

const postOf = ({ linkedPostId, postId }: Linked, posts: PublishedPosts): Option.Option<PostId> =>
  Option.orElse(postId, () => Option.flatMap(linkedPostId, (id) => Option.fromUndefinedOr(posts.get(id))))

/** The item with the post on which it hangs, if that is one of these. A post that is known stays. Pure. */
export const withPost = <A extends StoredItem>(item: A, posts: PublishedPosts): A =>
  item._tag === "LiveItem" && Option.isNone(item.postId) ? { ...item, postId: postOf(item, posts) } : item

/** What a store writes when ids of a post become known, in one transaction. */
export interface PostChange {
  readonly items: ReadonlyArray<InboxItem>
  readonly events: ReadonlyArray<InboxEvent>
}

/** Adds posts to items that were there before the posts' ids were known. Pure. */
export const decidePost = (posts: PublishedPosts, items: ReadonlyArray<InboxItem>): PostChange => {
  const linked = items
    .filter(({ postId }) => Option.isNone(postId))
    .map((item) => ({ ...item, postId: postOf(item, posts) }))
    .filter(({ postId }) => Option.isSome(postId))
  return { items: linked, events: linked.map(itemUpdated) }
}
