import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { InboxScope } from "../access/InboxScope.ts"
import type { AcceptPost, JudgedPost } from "./accepting/acceptPost.ts"
import { reschedule, toInput } from "./decidePost.ts"
import { knownMediaIds, makeTargets, ownerOf, startOf } from "./accepting/makePost.ts"
import { type KeptPost, Post } from "./Post.ts"
import { PostFactsChanged, PostInvalid, PostNotEditable } from "./PostErrors.ts"
import type { PostInput, TargetInput } from "./PostInput.ts"
import { PostStore } from "./PostStore.ts"
import { showPost, statusOfPost } from "./showPost.ts"
import { judgeSchedule } from "./judging/judgePost.ts"

/** A change to a draft, or to the time of a scheduled post; absent members stay unchanged. */
export interface PostChange {
  readonly text?: Option.Option<string> | undefined
  readonly mediaIds?: ReadonlyArray<string> | undefined
  readonly targets?: ReadonlyArray<TargetInput> | undefined
  /** `none`: a draft that goes out when it is published. */
  readonly scheduledAt?: Option.Option<DateTime.Utc> | undefined
}

const contents = ["text", "mediaIds", "targets"] as const

/** Whether the rest stays as it is: left out, or given back as it was read. */
const isTimeOnly = (read: KeptPost, change: PostChange): boolean => {
  const before = toInput(read)
  return contents.every((name) => change[name] === undefined || Equal.equals(change[name], before[name]))
}

const noTime = {
  path: "scheduled_at",
  code: "missing_required",
  message: "A scheduled post has a time. Cancel it to take it back.",
  actual: Option.none(),
  limit: Option.none()
}

/** Makes what changes drafts and scheduled posts. The post is given as it was read; if it changed since, nothing is written. */
export const makeEditPost = Effect.fnUntraced(function* (accept: AcceptPost) {
  const store = yield* PostStore

  /** Writes another form of a post that nobody changed since it was read. */
  const replace = Effect.fnUntraced(function* (scope: InboxScope, read: KeptPost, next: KeptPost) {
    const replaced = yield* store.change(scope, read.post.id, (current) =>
      statusOfPost(current) === statusOfPost(read) && current.post.version === read.post.version
        ? Result.succeed({ _tag: "Change", kept: next })
        : Result.fail(new PostFactsChanged())
    )
    return Option.isSome(replaced) ? showPost(replaced.value) : yield* new PostFactsChanged()
  })

  const rebuilt = Effect.fnUntraced(function* (
    scope: InboxScope,
    { post }: KeptPost,
    input: PostInput,
    { facts, judgement, now }: JudgedPost
  ) {
    const of = { postId: post.id, workspaceId: post.workspaceId, startAt: startOf(input, now), now }
    const next: KeptPost = {
      post: new Post({
        ...post,
        externalUserId: ownerOf(scope, facts, input),
        text: input.text,
        mediaIds: knownMediaIds(input.mediaIds),
        scheduledAt: input.scheduledAt,
        isDraft: input.isDraft,
        warnings: judgement.warnings,
        version: post.version + 1,
        updatedAt: now
      }),
      targets: yield* makeTargets(accept.random, of, facts, input)
    }
    return next
  })

  const editScheduled = Effect.fnUntraced(function* (scope: InboxScope, read: KeptPost, change: PostChange) {
    const { scheduledAt } = change
    if (!isTimeOnly(read, change)) return yield* new PostNotEditable({ postId: read.post.id })
    if (scheduledAt === undefined) return showPost(read)
    if (Option.isNone(scheduledAt)) return yield* new PostInvalid({ issues: [noTime], warnings: [] })
    const { now } = yield* accept.judge(scope, { ...toInput(read), targets: [] })
    const issues = judgeSchedule(scheduledAt, now)
    if (issues.length > 0) return yield* new PostInvalid({ issues, warnings: [] })
    const moved = yield* store.change(scope, read.post.id, (current) => reschedule(current, scheduledAt.value, now))
    return Option.isSome(moved) ? showPost(moved.value) : yield* new PostFactsChanged()
  })

  const edit = Effect.fnUntraced(function* (scope: InboxScope, read: KeptPost, change: PostChange) {
    const status = statusOfPost(read)
    if (status === "scheduled") return yield* editScheduled(scope, read, change)
    if (status !== "draft") return yield* new PostNotEditable({ postId: read.post.id })
    const before = toInput(read)
    const input: PostInput = {
      text: change.text ?? before.text,
      mediaIds: change.mediaIds ?? before.mediaIds,
      targets: change.targets ?? before.targets,
      scheduledAt: change.scheduledAt ?? before.scheduledAt,
      isDraft: true
    }
    const { judged, refusal } = yield* accept.judgeRequest(scope, input)
    if (Option.isSome(refusal)) return yield* refusal.value
    return yield* replace(scope, read, yield* rebuilt(scope, read, input, judged))
  })

  const publish = Effect.fnUntraced(function* (scope: InboxScope, read: KeptPost) {
    if (statusOfPost(read) !== "draft") return yield* new PostNotEditable({ postId: read.post.id })
    const input: PostInput = { ...toInput(read), isDraft: false }
    const { judged, refusal } = yield* accept.judgeRequest(scope, input)
    if (Option.isSome(refusal)) return yield* refusal.value
    return yield* replace(scope, read, yield* rebuilt(scope, read, input, judged))
  })

  return { edit, publish }
})
