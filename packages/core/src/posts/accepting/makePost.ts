import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Digest, sha256 } from "effect/crypto/Digest"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { InboxScope } from "../../access/InboxScope.ts"
import type { PostWarning } from "../../items/ShownPost.ts"
import type { IdempotencyKey } from "../../kernel/IdempotencyKey.ts"
import {
  MediaId,
  nextPostId,
  nextPostTargetId,
  type PostId,
  SocialAccountId,
  type WorkspaceId
} from "../../kernel/Ids.ts"
import type { GatheredFacts } from "./gatherFacts.ts"
import { type KeptPost, Post } from "../Post.ts"
import type { PostInput } from "../PostInput.ts"
import { PostTarget, Waiting } from "../PostTarget.ts"

const encoder = new TextEncoder()

/** The members of a record in one order. */
const sorted = (record: Readonly<Record<string, string | boolean>>) =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))

/** The request with its defaults and in one order of members, so that equal requests have equal digests. */
const normalised = ({ isDraft, mediaIds, scheduledAt, targets, text }: PostInput): string =>
  JSON.stringify([
    Option.getOrNull(text),
    mediaIds,
    Option.getOrNull(Option.map(scheduledAt, ({ epochMilliseconds }) => epochMilliseconds)),
    isDraft,
    targets.map((target) => [
      target.accountId,
      Option.getOrNull(target.text),
      Option.getOrNull(target.mediaIds),
      Option.getOrNull(target.firstComment),
      sorted(target.options.values),
      sorted(target.options.altTexts)
    ])
  ])

export const digestOf = (digest: Digest["Service"], input: PostInput): Effect.Effect<string> =>
  digest.digestHex(sha256, encoder.encode(normalised(input)))

/** The managed user whose post it is: who asks, or who owns all of its accounts. */
export const ownerOf = (scope: InboxScope, { known }: GatheredFacts, input: Pick<PostInput, "targets">) => {
  if (scope._tag === "ManagedUserScope") return Option.some(scope.externalUserId)
  const owners = new Set(
    input.targets.map(({ accountId }) =>
      Option.getOrUndefined(Option.flatMap(Option.fromUndefinedOr(known.get(accountId)), (one) => one.externalUserId))
    )
  )
  const [owner] = owners
  return owners.size === 1 ? Option.fromUndefinedOr(owner) : Option.none()
}

const isAccountId = Schema.is(SocialAccountId)
const isMediaId = Schema.is(MediaId)

export const knownMediaIds = (ids: ReadonlyArray<string>): ReadonlyArray<MediaId> => ids.filter((id) => isMediaId(id))

/** The targets of a post; ids that are none are left out, for they were judged before. */
export const makeTargets = Effect.fnUntraced(function* (
  random: SecureRandom["Service"],
  of: {
    readonly postId: PostId
    readonly workspaceId: WorkspaceId
    readonly startAt: Option.Option<DateTime.Utc>
    readonly now: DateTime.Utc
  },
  { known }: GatheredFacts,
  input: Pick<PostInput, "targets">
) {
  const targets: Array<PostTarget> = []
  for (const { accountId, firstComment, mediaIds, options, text } of input.targets) {
    if (!isAccountId(accountId)) continue
    const target = new PostTarget({
      id: yield* nextPostTargetId(random),
      postId: of.postId,
      workspaceId: of.workspaceId,
      accountId,
      network: Option.map(Option.fromUndefinedOr(known.get(accountId)), ({ network }) => network),
      text,
      mediaIds: Option.map(mediaIds, knownMediaIds),
      firstComment,
      options,
      attempts: 0,
      state: new Waiting({ startAt: of.startAt }),
      updatedAt: of.now
    })
    targets.push(target)
  }
  return targets
})

/** When the targets of a post begin; never for a draft. */
export const startOf = (
  { isDraft, scheduledAt }: Pick<PostInput, "isDraft" | "scheduledAt">,
  now: DateTime.Utc
): Option.Option<DateTime.Utc> => (isDraft ? Option.none() : Option.orElse(scheduledAt, () => Option.some(now)))

/** The post of a request that was judged. */
export const makePost = Effect.fnUntraced(function* (
  random: SecureRandom["Service"],
  scope: InboxScope,
  request: {
    readonly input: PostInput
    readonly facts: GatheredFacts
    readonly idempotencyKey: Option.Option<IdempotencyKey>
    readonly requestDigest: string
    readonly warnings: ReadonlyArray<PostWarning>
    readonly now: DateTime.Utc
  }
) {
  const { facts, idempotencyKey, input, now, requestDigest, warnings } = request
  const { workspaceId } = scope
  const id = yield* nextPostId(random)
  const kept: KeptPost = {
    post: new Post({
      id,
      workspaceId,
      externalUserId: ownerOf(scope, facts, input),
      text: input.text,
      mediaIds: knownMediaIds(input.mediaIds),
      scheduledAt: input.scheduledAt,
      isDraft: input.isDraft,
      idempotencyKey,
      requestDigest,
      isDeferred: input.isDraft || Option.isSome(input.scheduledAt),
      warnings,
      version: 1,
      createdAt: now,
      updatedAt: now
    }),
    targets: yield* makeTargets(random, { postId: id, workspaceId, startAt: startOf(input, now), now }, facts, input)
  }
  return kept
})
