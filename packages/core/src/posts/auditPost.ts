import type { AuditAction } from "../audit/AuditEvent.ts"
import type { KeptPost } from "./Post.ts"
import type { PostDecision } from "./PostStore.ts"
import type { PostTarget } from "./PostTarget.ts"

type State = PostTarget["state"]["_tag"]

/** What a decision does to a post, for the audit: found by comparing, so that whoever decides can't leave it out. Pure. */
export const auditPost = (
  before: KeptPost,
  decision: Exclude<PostDecision, { readonly _tag: "Keep" }>
): AuditAction => {
  if (decision._tag === "Delete") return "post.deleted"
  const { kept } = decision
  if (before.post.isDraft && !kept.post.isDraft) return "post.published"
  const had = new Map(before.targets.map(({ id, state }) => [id, state._tag]))
  const became = (state: State, from?: State) =>
    kept.targets.some((target) => {
      const earlier = had.get(target.id)
      return target.state._tag === state && earlier !== state && (from === undefined || earlier === from)
    })
  if (became("Canceled")) return "post.canceled"
  if (became("Deleted")) return "post.target_deleted"
  if (became("Waiting", "Failed")) return "post.target_retried"
  return "post.updated"
}
