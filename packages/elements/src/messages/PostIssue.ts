import type { components } from "@loopbox/client"

/** What keeps a post from going out, or what its author should know. */
export type PostIssue = Pick<components["schemas"]["Issue"], "path" | "code" | "message" | "actual" | "limit">

/** What of it a text in another language is made of. */
export type IssueFacts = Pick<PostIssue, "path" | "actual" | "limit">
