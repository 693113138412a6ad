import { Effect, Option } from "effect"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { PostTarget, PublishedTarget } from "@loopbox/core/posts/PostTarget"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

type Settle = PostStore["Service"]["settle"]
type Decide = Parameters<Settle>[1]

const withComment = (target: PostTarget, change: Partial<PublishedTarget>): PostTarget =>
  target.state._tag === "Published"
    ? new PostTarget({ ...target, state: new PublishedTarget({ ...target.state, ...change }) })
    : target

/** A store that settles something else than was decided, or than there is. */
const deciding = (make: (decide: Decide, claimed: PostTarget) => Decide) =>
  wrong(PostStore, (right) =>
    PostStore.of({ ...right, settle: (claim, decide) => right.settle(claim, make(decide, claim.target)) })
  )

/** What goes wrong with comments on posts, and between the claim of a post and what is done with it. */
export const commentBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "comments that came before their post was known to be published never name it",
    breaks: /the post of hanging-/,
    plant: wrong(PostStore, (right, { inbox }) =>
      PostStore.of({
        ...right,
        settle: (claim, decide) =>
          Effect.suspend(() => {
            const entry = inbox.accounts.get(claim.target.accountId)
            const before = new Map(entry?.items)
            return Effect.tap(right.settle(claim, decide), () =>
              Effect.sync(() => before.forEach((item, key) => entry?.items.set(key, item)))
            )
          })
      })
    )
  },
  {
    name: "another id of a published post is forgotten",
    breaks: /the ids of what ptg_/,
    plant: deciding((decide) => (target) => {
      const change = decide(target)
      const { state } = change.target
      if (state._tag !== "Published" || state.detailsAsked === 0) return change
      return { ...change, target: withComment(change.target, { postIds: [state.externalId] }) }
    })
  },
  {
    name: "a first comment that may be there is written again",
    breaks: /has two first comments/,
    plant: deciding((decide) => (target) => {
      const change = decide(target)
      const isUnknown = change.target.state._tag === "Published" && change.target.state.comment === "unknown"
      return isUnknown ? { ...change, target: withComment(change.target, { comment: "waiting" }) } : change
    })
  },
  {
    name: "a first comment that was refused is told as written",
    breaks: /the first comment of ptg_/,
    plant: deciding((decide) => (target) => {
      const change = decide(target)
      const isFailed = change.target.state._tag === "Published" && change.target.state.comment === "failed"
      return isFailed ? { ...change, target: withComment(change.target, { comment: "done" }) } : change
    })
  },
  {
    name: "a post that is put off after its claim is begun as it was claimed",
    breaks: /was begun before or long after its time|went out before its time|is Preparing after Canceled/,
    plant: deciding(
      (decide, claimed) => (target) => decide(claimed.state._tag === "Waiting" && isLeft(target) ? claimed : target)
    )
  }
]

const isLeft = ({ state }: PostTarget): boolean => state._tag === "Waiting" && Option.isSome(state.startAt)
