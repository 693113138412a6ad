import type { PartMessages } from "../../messages/english/parts.ts"
import type { PostsMessages } from "../../messages/english/posts.ts"
import type { PostDraft } from "./PostDraft.ts"
import type { Post, PostsStore, PostTarget } from "./PostsStore.ts"

/** What the parts of the page Posts are drawn from. */
export interface PostsState {
  readonly store: PostsStore
  readonly draft: PostDraft
  readonly texts: PostsMessages
  readonly partMessages: PartMessages
  readonly language: string
  /** Words that an account's name has, where there are many. */
  readonly search: string
  /** The scheduled post that gets another time, and that time. */
  readonly moving: { readonly id: string; readonly at: string } | undefined
  readonly write: (draft: PostDraft) => void
  readonly find: (search: string) => void
  readonly send: () => void
  readonly upload: (file: File) => void
  /** Writes on in a kept draft. */
  readonly edit: (post: Post) => void
  /** Forgets what is written; a kept draft stays as it was. */
  readonly dismiss: () => void
  readonly setMoving: (moving: PostsState["moving"]) => void
  readonly move: (post: Post, at: string) => void
  readonly askRemoval: (post: Post, target: PostTarget) => void
  readonly openThread: (event: MouseEvent, threadId: string) => void
}
