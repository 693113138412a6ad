import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { JsonAnswer } from "../calls/NetworkClient.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { asArray } from "../payloads/payload.ts"
import { dataOf } from "./vocabulary.ts"
import { xQueries } from "./xQueries.ts"
import type { Words, XQueries } from "./xQueries.ts"

/** What X answered to a request in one of its vocabularies. */
export interface Heard<A> {
  readonly isUnderstood: boolean
  readonly outcome: Effect.Effect<A, ReadFailed>
}

/** The vocabulary in which X is asked: what the last answer understood, unless it is configured. */
export interface XWords {
  /** Asks, and once more in the other vocabulary where X doesn't know the names. */
  readonly ask: <A>(
    exchange: (queries: XQueries) => Effect.Effect<Heard<A>, ReadFailed>
  ) => Effect.Effect<A, ReadFailed>
}

/** Parameters whose names, or the names in them, are of a vocabulary. */
const worded = ["tweet.fields", "post.fields", "expansions"] as const

/** Whether X complains about a name of a vocabulary: by the parameter, or in its sentence. */
const complainsOfNames = (error: unknown): boolean => {
  if (!Predicate.isObject(error)) return false
  const { message, parameters } = error
  if (Predicate.isObject(parameters) && worded.some((name) => name in parameters)) return true
  return typeof message === "string" && worded.some((name) => new RegExp(`[\`[]${name}[\`\\]]`).test(message))
}

/** Fields of a post that each post has. */
const everyPostHas: ReadonlySet<string> = new Set(["created_at", "conversation_id"])

/** Whether an answer is one to what was asked. X refuses a name that it doesn't know, or leaves it out in silence. */
export const isUnderstood = ({ body, status }: JsonAnswer, query: Readonly<Record<string, string>>): boolean => {
  const fields = query["tweet.fields"] ?? query["post.fields"]
  if (fields === undefined) return true
  if (status === 400) {
    return !(Predicate.isObject(body) ? [body, ...asArray(body["errors"])] : []).some(complainsOfNames)
  }
  const posts = status < 300 ? asArray(dataOf(body)) : []
  const expected = fields.split(",").filter((name) => everyPostHas.has(name))
  const isThere = (post: unknown) => Predicate.isObject(post) && expected.some((name) => post[name] !== undefined)
  return posts.length === 0 || expected.length === 0 || posts.some(isThere)
}

/** Where X understands neither, so long none is asked a second time. */
const trialPause = Duration.minutes(15)

/** State is of one process. */
export const makeXWords = (setting: SocialSettings["xVocabulary"] = "auto"): XWords => {
  if (setting !== "auto") {
    return { ask: (exchange) => Effect.flatMap(exchange(xQueries[setting]), ({ outcome }) => outcome) }
  }
  let current: Words = "tweet"
  let pausedUntil: DateTime.Utc | undefined
  return {
    ask: Effect.fnUntraced(function* (exchange) {
      const words = current
      const first = yield* exchange(xQueries[words])
      if (first.isUnderstood) return yield* first.outcome
      const now = yield* DateTime.now
      if (pausedUntil !== undefined && DateTime.isLessThan(now, pausedUntil)) return yield* first.outcome
      const other: Words = words === "tweet" ? "post" : "tweet"
      const second = yield* exchange(xQueries[other])
      if (second.isUnderstood) {
        if (current !== other) yield* Effect.logWarning(`X is asked in its "${other}" names from now on`)
        current = other
        return yield* second.outcome
      }
      yield* Effect.logWarning("X knows the names of neither vocabulary that it is asked in")
      pausedUntil = DateTime.addDuration(now, trialPause)
      return yield* first.outcome
    })
  }
}
