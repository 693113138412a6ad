import type { PostsMessages } from "../../messages/english/posts.ts"
import type { PostIssue } from "../../messages/PostIssue.ts"

/** In the reader's language; in the host's own words where its code is not known. */
export const issueText = (issue: PostIssue, { issues }: Pick<PostsMessages, "issues">): string =>
  issues[issue.code ?? ""]?.(issue) ?? issue.message
