import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AccountScene, Ask, SandboxAnswer } from "../Operation.ts"
import type { Writing } from "../Writing.ts"
import { repliedToOf, xPostFields } from "./postFields.ts"
import { invalidRequest } from "./xAnswers.ts"
import { readTimeline } from "./xTimeline.ts"

type Test = (post: Writing) => boolean

const isPerson = (wanted: string, { id, username }: { readonly id: string; readonly username: string }): boolean =>
  id === wanted || username.toLowerCase() === wanted.toLowerCase()

/** One word of a query; undefined where it is none that is simulated. */
const testOf = (word: string): Test | undefined => {
  const [, operator = "", value = ""] = /^([a-z_]+):(.+)$/.exec(word) ?? []
  switch (operator) {
    case "from":
      return ({ author }) => isPerson(value, author)
    case "to":
      return ({ addressee }) => Option.exists(addressee, (one) => isPerson(value, one))
    case "conversation_id":
      return (post) => xPostFields(post)["conversation_id"] === value
    case "in_reply_to_tweet_id":
      return (post) => Option.contains(repliedToOf(post), value)
    case "":
      return word.startsWith("@")
        ? ({ account, isMention, addressee, text }) =>
            text.toLowerCase().includes(word.toLowerCase()) ||
            (isMention && `@${account.username}` === word) ||
            Option.exists(addressee, ({ username }) => `@${username}` === word)
        : undefined
    default:
      return undefined
  }
}

/** Reposts don't exist here, so leaving them out leaves everything in. */
const withoutReposts = (query: string): string => query.replaceAll(/-is:(?:retweet|reposts?)\b/g, " ")

/** Words that must all hold, and alternatives in parentheses; anything else is not simulated. */
const parseQuery = (query: string): Result.Result<Test, SandboxAnswer> =>
  Result.gen(function* () {
    const tests: Array<Test> = []
    const groups = withoutReposts(query).match(/\([^()]*\)|[^\s()]+/g) ?? []
    for (const group of groups) {
      const alternatives: Array<Test> = []
      for (const word of group
        .replaceAll(/[()]/g, "")
        .trim()
        .split(/\s+OR\s+/)) {
        const test = testOf(word)
        if (test === undefined) return yield* Result.fail(invalidRequest("query", query, `${word} is not simulated`))
        alternatives.push(test)
      }
      tests.push((post) => alternatives.some((test) => test(post)))
    }
    if (tests.length === 0) return yield* Result.fail(invalidRequest("query", query, "The query is empty"))
    return (post) => tests.every((test) => test(post))
  })

const reach_days = 7

/** `GET /2/tweets/search/recent`: seven days of everybody. */
export const searchRecent = (scene: AccountScene, ask: Ask): Result.Result<unknown, SandboxAnswer> =>
  Result.gen(function* () {
    const test = yield* parseQuery(ask.text("query") ?? "")
    const from = DateTime.subtract(scene.at, { days: reach_days })
    const posts = scene.world
      .findAccounts("x")
      .flatMap(scene.world.ofAccount)
      .filter((post) => DateTime.isGreaterThan(post.writtenAt, from) && test(post))
    const newestFirst = posts.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? 1 : -1))
    return yield* readTimeline(scene, ask, newestFirst, {
      least: 10,
      most: 100,
      reach: Number.MAX_SAFE_INTEGER,
      tokens: ["next_token", "pagination_token"]
    })
  })
