import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Pool } from "undici"
import { destinationOf, type Reach } from "./destination.ts"
import { makePinnedPools } from "./pinnedPools.ts"
import { postFailure, type PostFailureCode } from "./postFailure.ts"
import { readAnswer } from "./readAnswer.ts"

/** One attempt to tell a receiver something. */
export interface Post {
  /** Who shares connections: attempts of other lanes are never waited for. */
  readonly lane: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came of an attempt. */
export interface Posted {
  /** Of the answer; redirects are answers like others. */
  readonly status: Option.Option<number>
  /** First 4 KiB of the answer. */
  readonly response: Option.Option<string>
  /** Set if no status came. */
  readonly failure: Option.Option<PostFailureCode>
  /** From the beginning to status and headers, or to the failure. */
  readonly duration: Duration.Duration
}

/** How long an attempt may take to status and headers (api-2.md §15). */
const patience = "15 seconds"

const ask = (pool: Pool, url: URL, { body, headers }: Post) =>
  Effect.tryPromise({
    try: (signal) =>
      pool.request({ method: "POST", path: `${url.pathname}${url.search}`, headers: { ...headers }, body, signal }),
    catch: (cause) => postFailure(cause)
  })

/**
 * Posts to addresses of strangers: to exactly the addresses that were judged, by connections of the lane's own, without
 * proxy, cookies and redirects. It never fails; what went wrong is in its outcome.
 */
export const makePost = Effect.fnUntraced(function* (reach: Reach) {
  const poolOf = yield* makePinnedPools
  const answerOf = Effect.fnUntraced(function* (post: Post) {
    const url = URL.parse(post.url)
    if (url === null) return yield* Effect.fail<PostFailureCode>("address_refused")
    const addresses = yield* Effect.mapError(destinationOf(url, reach), ({ reason }): PostFailureCode => reason)
    return yield* ask(yield* poolOf(post.lane, url, addresses), url, post)
  })
  return Effect.fnUntraced(function* (post: Post) {
    const begun = yield* Clock.currentTimeNanos
    const passed = Effect.map(Clock.currentTimeNanos, (now) => Duration.nanos(now - begun))
    const failed = (failure: PostFailureCode) =>
      Effect.map(passed, (duration): Posted => ({
        status: Option.none(),
        response: Option.none(),
        failure: Option.some(failure),
        duration
      }))
    const answered = yield* answerOf(post).pipe(Effect.timeoutOption(patience), Effect.result)
    if (answered._tag === "Failure") return yield* failed(answered.failure)
    if (Option.isNone(answered.success)) return yield* failed("timeout")
    const { body, statusCode } = answered.success.value
    const duration = yield* passed
    const response = yield* readAnswer(body)
    return {
      status: Option.some(statusCode),
      response: Option.some(response),
      failure: Option.none(),
      duration
    } satisfies Posted
  }, Effect.scoped)
})
