import type { NoAnswerReason } from "@loopbox/core/outgoing/OutgoingDelivery"
import type { LookupAddress } from "node:dns"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { makeDeadlines } from "./deadlines.ts"
import { destinationOf, isKnown, type Reach } from "./destination.ts"
import { makePinnedPools } from "./pinnedPools.ts"
import { postFailure } from "./postFailure.ts"
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
  readonly failure: Option.Option<NoAnswerReason>
  /** From the beginning to status and headers, or to the failure. */
  readonly duration: Duration.Duration
}

/** How long an attempt may take to status and headers (api-2.md §15). */
const patience = Duration.seconds(15)

/** How much longer the text of an answer may take, whose status has decided already. */
const patienceOfText = Duration.seconds(5)

/** Addresses of endpoints that are kept, parsed. */
const targetsAtMost = 4_096

interface Target {
  readonly url: URL
  readonly path: string
}

/** Parses URLs once. */
const makeTargets = () => {
  const known = new Map<string, Target>()
  return (text: string): Target | undefined => {
    const target = known.get(text)
    if (target !== undefined) return target
    const url = URL.parse(text)
    if (url === null) return undefined
    if (known.size >= targetsAtMost) known.clear()
    const made = { url, path: `${url.pathname}${url.search}` }
    known.set(text, made)
    return made
  }
}

/** An attempt that has begun. */
interface Begun {
  readonly post: Post
  readonly target: Target
  /** Since it began, with the look-up of the name. */
  readonly passed: () => Duration.Duration
}

const failed = (failure: NoAnswerReason, duration: Duration.Duration): Posted => ({
  status: Option.none(),
  response: Option.none(),
  failure: Option.some(failure),
  duration
})

/**
 * Posts to addresses of strangers: to exactly the addresses that were judged, by connections of the lane's own, without
 * proxy, cookies and redirects. It never fails; what went wrong is in its outcome.
 */
export const makePost = Effect.fnUntraced(function* (reach: Reach) {
  const pools = yield* makePinnedPools
  const deadline = yield* makeDeadlines
  const targetOf = makeTargets()
  const clock = yield* Clock.Clock
  let undici: Effect.Success<typeof pools.load> | undefined

  const exchange = (loaded: NonNullable<typeof undici>, begun: Begun, addresses: ReadonlyArray<LookupAddress>) =>
    Effect.callback<Posted>((resume) => {
      const { passed, post, target } = begun
      const lent = pools.lend(loaded, post.lane, target.url, addresses)
      let heardAfter = Duration.zero
      let isOver = false
      const end = (): boolean => {
        if (isOver) return false
        isOver = true
        cancel()
        pools.giveBack(lent)
        return true
      }
      const finish = (failure: () => NoAnswerReason): void => {
        if (!end()) return
        const { status } = asked
        const posted: Posted =
          status === undefined
            ? failed(failure(), passed())
            : {
                status: Option.some(status),
                response: Option.some(asked.text),
                failure: Option.none(),
                duration: heardAfter
              }
        resume(Effect.succeed(posted))
      }
      const giveUp = (): void => {
        finish(() => "timeout")
        asked.giveUp()
      }
      const asked = new Exchange(
        () => {
          heardAfter = passed()
        },
        (cause) => finish(() => postFailure(cause))
      )
      let cancel = deadline(Duration.subtract(patience, passed()), () => {
        if (asked.status === undefined) giveUp()
        else cancel = deadline(patienceOfText, giveUp)
      })
      lent.pool.dispatch({ method: "POST", path: target.path, headers: { ...post.headers }, body: post.body }, asked)
      return Effect.sync(() => {
        end()
        asked.giveUp()
      })
    })

  const send = (begun: Begun, addresses: ReadonlyArray<LookupAddress>) =>
    undici === undefined
      ? Effect.flatMap(pools.load, (loaded) => {
          undici = loaded
          return exchange(loaded, begun, addresses)
        })
      : exchange(undici, begun, addresses)

  return (post: Post): Effect.Effect<Posted> =>
    Effect.suspend(() => {
      const begunAt = clock.monotonicTimeNanosUnsafe()
      const passed = () => Duration.nanos(clock.monotonicTimeNanosUnsafe() - begunAt)
      const target = targetOf(post.url)
      if (target === undefined) return Effect.succeed(failed("address_refused", passed()))
      const found = destinationOf(target.url, reach)
      const begun = { post, target, passed }
      // What is known needs no race against the clock.
      if (isKnown(found) && Exit.isSuccess(found)) return send(begun, found.value)
      return Effect.matchEffect(Effect.timeoutOption(found, patience), {
        onFailure: ({ reason }) => Effect.succeed(failed(reason, passed())),
        onSuccess: Option.match({
          onNone: () => Effect.succeed(failed("timeout", passed())),
          onSome: (addresses) => send(begun, addresses)
        })
      })
    })
})
