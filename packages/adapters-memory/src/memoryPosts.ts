import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { PostId, PostTargetId, SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { PublishedPosts } from "@loopbox/core/items/ownPost"
import type { KeptPost } from "@loopbox/core/posts/Post"
import { publishedIds } from "@loopbox/core/posts/publishedIds"

/** The lease of a claimed target. */
export interface TargetLease {
  readonly token: string
  /** On the lease clock. */
  readonly until: DateTime.Utc
}

/** A post with its targets, and the leases of those that are claimed. */
export interface PostEntry {
  readonly kept: KeptPost
  readonly leases: ReadonlyMap<PostTargetId, TargetLease>
}

export type PostEntries = Map<PostId, PostEntry>

/** Erases the targets of an account; a post without targets is gone. */
export const erasePosts = (entries: PostEntries, accountId: SocialAccountId): void => {
  for (const [id, entry] of entries) {
    const targets = entry.kept.targets.filter((target) => target.accountId !== accountId)
    if (targets.length === entry.kept.targets.length) continue
    if (targets.length === 0) entries.delete(id)
    else entries.set(id, { ...entry, kept: { ...entry.kept, targets } })
  }
}

/** Erases the posts and drafts of a managed user, also those to accounts that are others' by now. */
export const erasePostsOf = (entries: PostEntries, workspaceId: WorkspaceId, user: string): void => {
  for (const [id, { kept }] of entries) {
    const { externalUserId, workspaceId: place } = kept.post
    if (place === workspaceId && Option.contains(externalUserId, user)) entries.delete(id)
  }
}

/** What was published on an account, by the ids of its network. */
export const postsOn = (entries: PostEntries, accountId: SocialAccountId): PublishedPosts =>
  new Map(
    Array.from(entries.values()).flatMap(({ kept }) =>
      kept.targets
        .filter((target) => target.accountId === accountId)
        .flatMap((target) => publishedIds(target).map((id) => [id, target.postId] as const))
    )
  )
