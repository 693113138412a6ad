import * as Result from "effect/Result"
import type { Ask, SandboxAnswer } from "../Operation.ts"
import type { Settings } from "../Settings.ts"
import { invalidRequest } from "./xAnswers.ts"

/** X's two names for the same things. */
export type Words = "tweet" | "post"

type Fields = Readonly<Record<string, unknown>>

/** What is called otherwise in the new vocabulary; undefined is not there at all. */
const renamed: Readonly<Record<string, string | undefined>> = {
  referenced_tweets: "referenced_posts",
  edit_history_tweet_ids: "edit_history_post_ids",
  note_tweet: "note_post",
  in_reply_to_tweet_id: undefined
}

/** A post's members, which are kept in the old names, in one of the vocabularies. */
export const inWords = (words: Words, fields: Fields): Fields =>
  words === "tweet"
    ? fields
    : Object.fromEntries(
        Object.entries(fields).flatMap(([name, value]) => {
          const now = name in renamed ? renamed[name] : name
          return now === undefined ? [] : [[now, value]]
        })
      )

/** Which one is used where a request doesn't tell. */
export const standingWords = ({ x_vocabulary }: Settings): Words => (x_vocabulary === "post" ? "post" : "tweet")

/** In which one a request is made: `tweet.fields` or `post.fields` decides, whatever the expansions are called. */
export const wordsOf = (ask: Ask, settings: Settings): Result.Result<Words, SandboxAnswer> => {
  const used = (["tweet", "post"] as const).filter((words) => ask.text(`${words}.fields`) !== undefined)
  const refused = used.length === 2 ? "tweet" : used.find((words) => ![words, "both"].includes(settings.x_vocabulary))
  if (refused === undefined) return Result.succeed(used[0] ?? standingWords(settings))
  const parameter = `${refused}.fields`
  const other = `${refused === "tweet" ? "post" : "tweet"}.fields`
  return Result.fail(
    invalidRequest(
      parameter,
      ask.text(parameter) ?? "",
      `The query parameter [${parameter}] is not one of [expansions,${other},media.fields,user.fields]`
    )
  )
}
