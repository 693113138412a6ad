import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Pool } from "undici"
import { destinationOf, type Reach } from "./destination.ts"
import { makePinnedPools } from "./pinnedPools.ts"
import { postFailure, type PostFailureCode } from "./postFailure.ts"
import { AnswerHead } from "./AnswerHead.ts"

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

/** How much longer the text of an answer may take, whose status has decided already. */
const patienceOfText = "5 seconds"

/** What has come of an answer. */
interface Heard {
  status: number | undefined
  duration: Duration.Duration
  readonly head: AnswerHead
}

const ask = (pool: Pool, url: URL, { body, headers }: Post, heard: Heard, passed: () => Duration.Duration) =>
  Effect.tryPromise({
    try: async (signal) => {
      const path = `${url.pathname}${url.search}`
      const answer = await pool.request({ method: "POST", path, headers: { ...headers }, body, signal })
      heard.status = answer.statusCode
      heard.duration = passed()
      await heard.head.read(answer.body, signal)
    },
    catch: (cause) => postFailure(cause)
  })

const limit = (heard: Heard) =>
  Effect.andThen(
    Effect.sleep(patience),
    Effect.suspend(() =>
      heard.status === undefined ? Effect.fail<PostFailureCode>("timeout") : Effect.sleep(patienceOfText)
    )
  )

/**
 * Posts to addresses of strangers: to exactly the addresses that were judged, by connections of the lane's own, without
 * proxy, cookies and redirects. It never fails; what went wrong is in its outcome.
 */
export const makePost = Effect.fnUntraced(function* (reach: Reach) {
  const poolOf = yield* makePinnedPools
  const answerOf = Effect.fnUntraced(function* (post: Post, heard: Heard, passed: () => Duration.Duration) {
    const url = URL.parse(post.url)
    if (url === null) return yield* Effect.fail<PostFailureCode>("address_refused")
    const addresses = yield* Effect.mapError(destinationOf(url, reach), ({ reason }): PostFailureCode => reason)
    return yield* ask(yield* poolOf(post.lane, url, addresses), url, post, heard, passed)
  })
  return Effect.fnUntraced(function* (post: Post) {
    const clock = yield* Clock.Clock
    const begun = clock.currentTimeNanosUnsafe()
    const passed = () => Duration.nanos(clock.currentTimeNanosUnsafe() - begun)
    const heard: Heard = { status: undefined, duration: Duration.zero, head: new AnswerHead() }
    const ended = yield* Effect.result(Effect.raceFirst(answerOf(post, heard, passed), limit(heard)))
    if (heard.status !== undefined) {
      const { duration, head, status } = heard
      return {
        status: Option.some(status),
        response: Option.some(head.text),
        failure: Option.none(),
        duration
      } satisfies Posted
    }
    const failure = Result.getFailure(ended)
    return { status: Option.none(), response: Option.none(), failure, duration: passed() } satisfies Posted
  }, Effect.scoped)
})
