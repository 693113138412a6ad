import * as Predicate from "effect/Predicate"
import type * as Result from "effect/Result"
import { asArray } from "../payloads/payload.ts"

/**
 * X has two names for the same members, and answers a request in the vocabulary that it was asked in; which one its
 * events have is not said. Everything is read in the new one.
 */
const renamed: ReadonlyArray<readonly [old: string, now: string]> = [
  ["referenced_tweets", "referenced_posts"],
  ["edit_history_tweet_ids", "edit_history_post_ids"],
  ["note_tweet", "note_post"],
  ["in_reply_to_tweet_id", "in_reply_to_post_id"]
]

/** A post in the new names; where it has both, the new one counts. */
const inNewWords = (post: unknown): unknown => {
  if (!Predicate.isObject(post)) return post
  const old = renamed.filter(([old, now]) => post[old] !== undefined && post[now] === undefined)
  return old.length === 0 ? post : { ...post, ...Object.fromEntries(old.map(([old, now]) => [now, post[old]])) }
}

/** The decoder of a post, which reads it in either vocabulary. */
export const postReader =
  <A>(read: (value: unknown) => Result.Result<A, string>) =>
  (post: unknown): Result.Result<A, string> =>
    read(inNewWords(post))

/** What an answer is about: a post, or many. */
export const dataOf = (answer: unknown): unknown => (Predicate.isObject(answer) ? answer["data"] : undefined)

/** The posts that an answer has beside its own. */
export const postsBeside = (includes: { readonly [name: PropertyKey]: unknown }): ReadonlyArray<unknown> => [
  ...asArray(includes["posts"]),
  ...asArray(includes["tweets"])
]

/** Whether an error of a part of an answer is about a post. */
export const isOfPost = (error: unknown): boolean =>
  Predicate.isObject(error) && (error["resource_type"] === "post" || error["resource_type"] === "tweet")
