import type { InboxScope } from "@loopbox/core/access/InboxScope"
import type { PostIssue } from "@loopbox/core/posts/PostErrors"
import type { Posts } from "@loopbox/core/posts/Posts"
import { judgeSchedule, judgeTargetAccounts } from "@loopbox/core/posts/judging/judgePost"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { parseTime } from "../../api/inbox/InboxQuery.ts"
import type { GivenBody } from "../edge/readJson.ts"
import { NewPostBody, toPostInput } from "../../api/posts/PostInputBody.ts"
import { toIssueBody } from "./postsRefusals.ts"

const accountOf = (target: unknown): string | undefined =>
  Predicate.hasProperty(target, "social_account_id") && Predicate.isString(target.social_account_id)
    ? target.social_account_id
    : undefined

/** Targets that are not named at all: an error in a new post, and in a change that they stay as they are. */
const judgeTargets = (given: unknown, isChange: boolean): ReadonlyArray<PostIssue> => {
  if (given === undefined && isChange) return []
  const targets = given ?? []
  return Array.isArray(targets) ? judgeTargetAccounts(targets.map(accountOf)) : []
}

/**
 * What core says of a post's targets and time whoever its accounts are. Where the form of the body is right core says it
 * itself, with all that it knows; beside a fault of the form it is told with that, for all faults are told at once.
 */
const rules =
  (isChange: boolean) =>
  ({ faults, given }: GivenBody) =>
    Effect.gen(function* () {
      if (faults.length === 0) return []
      const { scheduled_at: time, targets } = given
      const schedule = Predicate.isString(time) ? judgeSchedule(parseTime(time), yield* DateTime.now) : []
      return [...judgeTargets(targets, isChange), ...schedule].map(toIssueBody)
    })

const readNewPost = Schema.decodeUnknownOption(NewPostBody)

/**
 * The same of a new post, and what its networks say of it where it can be read although something is wrong: a key that is
 * no key, or a member that is not known. Should the store be away, the request is refused for what is known.
 */
export const newPostRules = (validate: Posts["Service"]["validate"], scope: InboxScope) => (body: GivenBody) =>
  Effect.gen(function* () {
    const known = yield* rules(false)(body)
    const post = body.faults.length > 0 ? readNewPost(body.given) : Option.none()
    if (Option.isNone(post) || post.value.status === "draft") return known
    const judged = validate(scope, toPostInput(post.value)).pipe(
      Effect.map(({ issues }) => issues.map(toIssueBody)),
      Effect.catchTag("StoreUnavailable", () => Effect.succeed([]))
    )
    return [...known, ...(yield* judged).filter(({ path }) => !known.some((issue) => issue.path === path))]
  })

export const postChangeRules = rules(true)
