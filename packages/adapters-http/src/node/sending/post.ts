import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Pool } from "undici"
import { destinationOf, type NoDestination, type Reach } from "./destination.ts"
import { makePinnedPools } from "./pinnedPools.ts"
import { postFailure, type PostFailureCode } from "./postFailure.ts"
import { Exchange } from "./Exchange.ts"

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

const toFailure = ({ reason }: NoDestination): PostFailureCode => reason

/** How long it took to the status, once that has come. */
interface Heard {
  exchange: Exchange | undefined
  duration: Duration.Duration
}

const statusOf = ({ exchange }: Heard): number | undefined => exchange?.status

const ask = (pool: Pool, url: URL, { body, headers }: Post, heard: Heard, passed: () => Duration.Duration) =>
  Effect.callback<void, PostFailureCode>((resume) => {
    const exchange = new Exchange(
      () => {
        heard.duration = passed()
      },
      (cause) => resume(cause === undefined ? Effect.void : Effect.fail(postFailure(cause)))
    )
    heard.exchange = exchange
    const path = `${url.pathname}${url.search}`
    pool.dispatch({ method: "POST", path, headers: { ...headers }, body }, exchange)
    return Effect.sync(() => exchange.giveUp())
  })

const limit = (heard: Heard) =>
  Effect.andThen(
    Effect.sleep(patience),
    Effect.suspend(() =>
      statusOf(heard) === undefined ? Effect.fail<PostFailureCode>("timeout") : Effect.sleep(patienceOfText)
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
    const addresses = yield* Effect.mapError(destinationOf(url, reach), toFailure)
    return yield* ask(yield* poolOf(post.lane, url, addresses), url, post, heard, passed)
  })
  return Effect.fnUntraced(function* (post: Post) {
    const clock = yield* Clock.Clock
    const begun = clock.currentTimeNanosUnsafe()
    const passed = () => Duration.nanos(clock.currentTimeNanosUnsafe() - begun)
    const heard: Heard = { exchange: undefined, duration: Duration.zero }
    const ended = yield* Effect.result(Effect.raceFirst(answerOf(post, heard, passed), limit(heard)))
    const { duration, exchange } = heard
    if (exchange?.status === undefined) {
      const failure = Result.getFailure(ended)
      return { status: Option.none(), response: Option.none(), failure, duration: passed() } satisfies Posted
    }
    return {
      status: Option.some(exchange.status),
      response: Option.some(exchange.text),
      failure: Option.none(),
      duration
    } satisfies Posted
  }, Effect.scoped)
})
