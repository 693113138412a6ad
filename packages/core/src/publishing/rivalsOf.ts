import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Equal from "effect/Equal"
import type { PublicationRival } from "../networks/publishing/NetworkPublish.ts"
import type { Post } from "../posts/Post.ts"
import { mediaIdsOf, textOf } from "../posts/PostInput.ts"
import type { PostTarget } from "../posts/PostTarget.ts"
import type { TargetClaim } from "../posts/PostStore.ts"

/** No call takes effect so long after the first attempt: attempts end half an hour after it began. */
const takesEffectWithin = Duration.hours(1)

const whatOf = ({ post, target }: { readonly post: Post; readonly target: PostTarget }) => ({
  text: textOf(post, target),
  media: mediaIdsOf(post, target),
  options: target.options
})

/** The uncertain targets of an account, as its connector has to tell their posts from that of `claim`. Pure. */
export const rivalsOf = (
  claim: Pick<TargetClaim, "post" | "target">,
  uncertain: ReadonlyArray<Pick<TargetClaim, "post" | "target">>
): ReadonlyArray<PublicationRival> =>
  uncertain.flatMap((rival): ReadonlyArray<PublicationRival> => {
    const { state } = rival.target
    if (!("attemptedAt" in state)) return []
    const until = DateTime.addDuration(state.attemptedAt, takesEffectWithin)
    return [
      {
        operationId: rival.target.id,
        text: textOf(rival.post, rival.target),
        isTwin: Equal.equals(whatOf(claim), whatOf(rival)),
        attemptedAt: state.attemptedAt,
        // Of one that was given up it is not kept: it may have been repeated until then.
        lastAttemptAt: state._tag === "NeedsReconciliation" ? state.endedAt : state.lastAttemptAt,
        until
      }
    ]
  })
