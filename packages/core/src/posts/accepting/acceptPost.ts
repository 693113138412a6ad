import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Digest } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { InboxScope } from "../../access/InboxScope.ts"
import type { IdempotencyKey } from "../../kernel/IdempotencyKey.ts"
import { PublicUrlRequired } from "../../media/MediaErrors.ts"
import { MediaLinks } from "../../media/MediaLinks.ts"
import { type GatheredFacts, makeGatherFacts } from "./gatherFacts.ts"
import { judgeDraft, type Judgement, judgePost } from "../judging/judgePost.ts"
import { digestOf, makePost } from "./makePost.ts"
import type { KeptPost } from "../Post.ts"
import { PostFactsChanged, PostInvalid } from "../PostErrors.ts"
import { mediaIdsOf, type PostInput } from "../PostInput.ts"

/** How often a request is judged anew because an account or a file was erased meanwhile. */
const retries = 3

const isChanged = (error: unknown): error is PostFactsChanged => error instanceof PostFactsChanged

/** Reads and judges anew when the facts changed between the judgement and the write. */
export const untilUnchanged = <A, E, R>(effect: Effect.Effect<A, E | PostFactsChanged, R>): Effect.Effect<A, E, R> =>
  effect.pipe(
    Effect.retry({ while: isChanged, times: retries }),
    Effect.catch((error) => (error instanceof PostFactsChanged ? Effect.die(error) : Effect.fail(error)))
  )

/** A request that was judged. */
export interface JudgedPost {
  readonly facts: GatheredFacts
  readonly now: DateTime.Utc
  readonly judgement: Judgement
}

/** Makes what judges requests, and posts of those that are accepted. */
export const makeAcceptPost = Effect.gen(function* () {
  const gatherFacts = yield* makeGatherFacts
  const links = yield* MediaLinks
  const random = yield* SecureRandom
  const digest = yield* Digest

  /** Judges a post as if it were to go out. */
  const judge = Effect.fnUntraced(function* (scope: InboxScope, input: PostInput) {
    const facts = yield* gatherFacts(scope, input)
    const now = yield* DateTime.now
    const judged: JudgedPost = { facts, now, judgement: judgePost(input, facts, now) }
    return judged
  })

  /** The networks that would load files from here, and can't. */
  const unreachable = (input: PostInput, { accounts, known }: GatheredFacts): ReadonlyArray<string> => {
    const networks = input.targets.flatMap((target) => {
      const account = known.get(target.accountId)
      const publish = accounts.get(target.accountId)?.publish ?? Option.none()
      const fetches = Option.exists(publish, ({ fetchesMedia }) => fetchesMedia) && mediaIdsOf(input, target).length > 0
      return account !== undefined && fetches && !links.isReachableBy(account.network) ? [account.network] : []
    })
    return Array.from(new Set(networks))
  }

  /** Why a post can't go out, if it can't. */
  const refusalOf = (
    input: PostInput,
    { facts, judgement }: JudgedPost
  ): Option.Option<PostInvalid | PublicUrlRequired> => {
    if (judgement.issues.length > 0) return Option.some(new PostInvalid(judgement))
    const networks = unreachable(input, facts)
    return networks.length > 0 ? Option.some(new PublicUrlRequired({ networks })) : Option.none()
  }

  /** A draft is judged for its form only: the rest when it is published. */
  const judgeRequest = Effect.fnUntraced(function* (scope: InboxScope, input: PostInput) {
    const judged = yield* judge(scope, input)
    if (!input.isDraft) return { judged, refusal: refusalOf(input, judged) }
    const issues = judgeDraft(input, judged.now)
    const refusal: Option.Option<PostInvalid | PublicUrlRequired> =
      issues.length > 0 ? Option.some(new PostInvalid({ issues, warnings: [] })) : Option.none()
    return { judged: { ...judged, judgement: { issues, warnings: [] } }, refusal }
  })

  /** The digest of a request, and its post or why it is refused. */
  const make = Effect.fnUntraced(function* (
    scope: InboxScope,
    input: PostInput,
    idempotencyKey: Option.Option<IdempotencyKey>
  ) {
    const { judged, refusal } = yield* judgeRequest(scope, input)
    const { facts, judgement, now } = judged
    const requestDigest = yield* digestOf(digest, input)
    const request = { input, facts, idempotencyKey, requestDigest, warnings: judgement.warnings, now }
    const fresh: Result.Result<KeptPost, PostInvalid | PublicUrlRequired> = Option.isSome(refusal)
      ? Result.fail(refusal.value)
      : Result.succeed(yield* makePost(random, scope, request))
    return { requestDigest, fresh }
  })

  return { judge, judgeRequest, make, random }
})

export type AcceptPost = Effect.Success<typeof makeAcceptPost>
