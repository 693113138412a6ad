import type { components } from "@loopbox/client"
import type { PostsMessages } from "../../messages/english/posts.ts"

/** What keeps a post from going out, or what its author should know. */
export type PostIssue = Pick<components["schemas"]["Issue"], "path" | "code" | "message" | "actual" | "limit">

/** What of it a text in another language is made of. */
export type IssueFacts = Pick<PostIssue, "path" | "actual" | "limit">

/** In the reader's language; in the host's own words where its code is not known. */
export const issueText = (issue: PostIssue, { issues }: Pick<PostsMessages, "issues">): string =>
  issues[issue.code ?? ""]?.(issue) ?? issue.message
