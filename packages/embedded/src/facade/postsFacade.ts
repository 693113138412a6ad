import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import type { PostStatus, PostWarning, ShownPost, TargetOptions } from "@loopbox/core/items/ShownPost"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import { SocialAccountId } from "@loopbox/core/kernel/Ids"
import type { PostChange } from "@loopbox/core/posts/editPost"
import type { PostIssue } from "@loopbox/core/posts/PostErrors"
import type { PostInput, TargetInput } from "@loopbox/core/posts/PostInput"
import type { Posts } from "@loopbox/core/posts/Posts"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { type PlainPage, toPlainPage } from "./plain.ts"
import type { PlainPost } from "./plainInbox.ts"
import type { CallOptions, Run } from "./run.ts"
import { type Plain, toPlain } from "./toPlain.ts"
import { makeWithinScope, type PlainScope } from "./within.ts"
import { toOptionalMoment } from "./toMoment.ts"

/** One account to which a post is to go. */
export interface PostTargetRequest {
  readonly accountId: string
  /** Absent or null: that of the post; an empty one is no text. */
  readonly text?: string | null | undefined
  /** Absent or null: those of the post; an empty list is no file. */
  readonly mediaIds?: ReadonlyArray<string> | null | undefined
  /** Written under the post by the same account. */
  readonly firstComment?: string | null | undefined
  /** By the network's names: `kind`, `link`, `reply_settings`. Those of a target that was read may be given back. */
  readonly options?: Readonly<Record<string, string | boolean>> | TargetOptions | null | undefined
  /** By media id. Absent or null: those of options that were read. */
  readonly altTexts?: Readonly<Record<string, string>> | null | undefined
}

/** What a post consists of. In a change of one, what is absent stays and null clears. */
export interface PostContent {
  readonly text?: string | null | undefined
  readonly mediaIds?: ReadonlyArray<string> | null | undefined
  /** 1 to 50, each account once. */
  readonly targets?: ReadonlyArray<PostTargetRequest> | null | undefined
  /** 60 seconds to 90 days ahead. Absent or null: now. */
  readonly scheduledAt?: Date | null | undefined
}

export interface NewPostRequest extends PostContent {
  /** Kept until it is published, and judged then. */
  readonly isDraft?: boolean | undefined
}

/** How a post would be judged if it were to go out. It can, if there are no issues. */
export interface PlainJudgement {
  readonly issues: ReadonlyArray<Plain<PostIssue>>
  readonly warnings: ReadonlyArray<PostWarning>
}

type OfPost = (scope: PlainScope, id: string, options?: CallOptions) => Promise<PlainPost>
type OfTarget = (scope: PlainScope, id: string, targetId: string, options?: CallOptions) => Promise<PlainPost>

/**
 * Posts on connected accounts (api-2.md §12): of one managed user, or of the whole workspace. Workers of this process,
 * or of another on the same store, publish them, each target at most once.
 *
 * What can't go out rejects with `PostInvalid`, whose `issues` name everything that is wrong at once.
 */
export interface PostsFacade {
  /** The same `idempotencyKey` and request are the same post, as it is then. */
  readonly create: (
    scope: PlainScope,
    request: NewPostRequest & { readonly idempotencyKey?: string | null | undefined },
    options?: CallOptions
  ) => Promise<PlainPost>
  /** Judges a post as if it were to go out now. Stores nothing. */
  readonly validate: (scope: PlainScope, request: NewPostRequest, options?: CallOptions) => Promise<PlainJudgement>
  /** Newest first. */
  readonly list: (
    scope: PlainScope,
    request?: ListRequest & {
      readonly status?: PostStatus | null | undefined
      /** Posts with a target on this account. */
      readonly accountId?: string | null | undefined
    },
    options?: CallOptions
  ) => Promise<PlainPage<PlainPost>>
  readonly find: OfPost
  /** Changes a draft, or the time of a scheduled post. */
  readonly change: (scope: PlainScope, id: string, change: PostContent, options?: CallOptions) => Promise<PlainPost>
  /** Publishes a draft, now or at its time. */
  readonly publish: OfPost
  /** Takes back a draft, a scheduled post, or the targets that have not begun. */
  readonly cancel: OfPost
  /** Begins a failed target again. */
  readonly retryTarget: OfTarget
  /** Deletes a published target on its network. */
  readonly removeTarget: OfTarget
  /** Deletes a draft or an ended post here, and nothing on the networks. */
  readonly remove: (scope: PlainScope, id: string, options?: CallOptions) => Promise<void>
}

const areRead = (options: NonNullable<PostTargetRequest["options"]>): options is TargetOptions =>
  Predicate.isObject(options["values"])

const toOptions = ({ altTexts, options }: PostTargetRequest): TargetOptions => {
  const given = options ?? {}
  const read = areRead(given) ? given : { values: given, altTexts: {} }
  return { values: read.values, altTexts: altTexts ?? read.altTexts }
}

const toTarget = (given: PostTargetRequest): TargetInput => ({
  accountId: given.accountId,
  text: Option.fromNullishOr(given.text),
  mediaIds: Option.fromNullishOr(given.mediaIds),
  firstComment: Option.fromNullishOr(given.firstComment),
  options: toOptions(given)
})

const toInput = (given: NewPostRequest): Effect.Effect<PostInput> =>
  Effect.map(toOptionalMoment("scheduledAt", given.scheduledAt), (scheduledAt) => ({
    text: Option.fromNullishOr(given.text),
    mediaIds: given.mediaIds ?? [],
    targets: (given.targets ?? []).map(toTarget),
    scheduledAt,
    isDraft: given.isDraft === true
  }))

const toChange = ({ mediaIds, scheduledAt, targets, text }: PostContent): Effect.Effect<PostChange> =>
  Effect.map(toOptionalMoment("scheduledAt", scheduledAt), (moment) => ({
    text: text === undefined ? undefined : Option.fromNullOr(text),
    mediaIds: mediaIds === undefined ? undefined : (mediaIds ?? []),
    targets: targets === undefined ? undefined : (targets ?? []).map(toTarget),
    scheduledAt: scheduledAt === undefined ? undefined : moment
  }))

const isAccountId = Schema.is(SocialAccountId)
const decodeKey = Schema.decodeUnknownEffect(Schema.Struct({ idempotencyKey: Schema.NullOr(IdempotencyKey) }))

export const makePostsFacade = (access: InboxAccess["Service"], posts: Posts["Service"], run: Run): PostsFacade => {
  const within = makeWithinScope(access)
  const call = <A, E>(
    scope: PlainScope,
    options: CallOptions | undefined,
    use: (scope: InboxScope) => Effect.Effect<A, E>
  ) =>
    run(
      within(scope, (caller) => use(caller.scope)),
      options
    )
  const ofPost =
    <E>(act: (scope: InboxScope, id: string) => Effect.Effect<ShownPost, E>): OfPost =>
    (scope, id, options) =>
      call(scope, options, (within) => Effect.map(act(within, id), toPlain))
  const ofTarget =
    <E>(act: (scope: InboxScope, id: string, targetId: string) => Effect.Effect<ShownPost, E>): OfTarget =>
    (scope, id, targetId, options) =>
      call(scope, options, (within) => Effect.map(act(within, id, targetId), toPlain))
  return {
    create: (scope, { idempotencyKey, ...request }, options) =>
      call(
        scope,
        options,
        Effect.fnUntraced(function* (within) {
          const key = yield* decodeKey({ idempotencyKey: idempotencyKey ?? null })
          const { post } = yield* posts.submit(within, yield* toInput(request), Option.fromNullOr(key.idempotencyKey))
          return toPlain(post)
        })
      ),
    validate: (scope, request, options) =>
      call(scope, options, (within) =>
        toInput(request).pipe(
          Effect.flatMap((input) => posts.validate(within, input)),
          Effect.map(({ issues, warnings }) => toPlain({ issues, warnings }))
        )
      ),
    list: (scope, { accountId, status, ...page } = {}, options) =>
      call(
        scope,
        options,
        Effect.fnUntraced(function* (within) {
          const asked = yield* toPageRequest(page)
          const account = Option.fromNullishOr(accountId)
          if (Option.isSome(account) && !isAccountId(account.value)) return { items: [], next: null }
          const filter = { status: Option.fromNullishOr(status), accountId: Option.filter(account, isAccountId) }
          return toPlainPage(yield* posts.list(within, filter, asked), (post): PlainPost => toPlain(post))
        })
      ),
    find: ofPost(posts.find),
    change: (scope, id, change, options) =>
      call(scope, options, (within) =>
        toChange(change).pipe(
          Effect.flatMap((changed) => posts.edit(within, id, changed)),
          Effect.map(toPlain)
        )
      ),
    publish: ofPost(posts.publish),
    cancel: ofPost(posts.cancel),
    retryTarget: ofTarget(posts.retryTarget),
    removeTarget: ofTarget(posts.removeTarget),
    remove: (scope, id, options) => call(scope, options, (within) => posts.remove(within, id))
  }
}
