import type { PublishDescription } from "../../networks/publishing/NetworkPublish.ts"
import type { PublishFault, PublishRule, PublishWarning } from "../../networks/publishing/PublishRules.ts"

const tooLong = (path: string, actual: number, limit: number): ReadonlyArray<PublishFault> =>
  actual > limit
    ? [
        {
          path,
          code: "exceeds_max_length",
          message: `The text is ${actual} long as the network counts; at most ${limit} are allowed.`,
          actual,
          limit
        }
      ]
    : []

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const tooMany = (
  what: "hashtags" | "mentions" | "links",
  actual: number,
  limit: number | undefined
): ReadonlyArray<PublishFault> =>
  limit !== undefined && actual > limit
    ? [
        {
          path: "text",
          code: `too_many_${what}`,
          message: `The text has ${actual} ${what}; at most ${limit} are allowed.`,
          actual,
          limit
        }
      ]
    : []

const hashtag = /(?<![\p{L}\p{N}_&/])#[\p{L}\p{N}_]+/gu
const mention = /(?<![\p{L}\p{N}_./@])@[\p{L}\p{N}_.]+/gu
const address = /https?:\/\/[^\s]+/giu

/** What of a target's text breaks the network's limits. Paths are those of the target. Pure. */
export const judgeText = (
  { measure, text: limits }: Pick<PublishDescription, "measure" | "text">,
  text: string
): ReadonlyArray<PublishFault> => [
  ...tooLong("text", measure(text), limits.length),
  ...tooMany("hashtags", count(text, hashtag), limits.hashtags),
  ...tooMany("mentions", count(text, mention), limits.mentions),
  ...tooMany("links", new Set(text.match(address)).size, limits.links)
]

/** Whether the kind takes the text, or needs one. Pure. */
export const judgeTextOf = (
  rule: PublishRule,
  text: string,
  media: ReadonlyArray<unknown>
): { readonly faults: ReadonlyArray<PublishFault>; readonly warnings: ReadonlyArray<PublishWarning> } => {
  const isEmpty = text.trim() === ""
  if (rule.text === "ignored" && !isEmpty) {
    const message = `The network shows no text with a post of this kind (${rule.kind}).`
    return { faults: [], warnings: [{ path: "text", code: "text_ignored", message }] }
  }
  if (rule.text === "required" && isEmpty && media.length === 0) {
    return {
      faults: [{ path: "text", code: "missing_required", message: "A post needs a text or a file." }],
      warnings: []
    }
  }
  return { faults: [], warnings: [] }
}

/** What is wrong with the first comment of a target; an empty one is none. Pure. */
export const judgeComment = (
  { measure, text: limits }: Pick<PublishDescription, "measure" | "text">,
  comment: string
): ReadonlyArray<PublishFault> => {
  if (comment.trim() === "") return []
  if (limits.firstComment === undefined) {
    return [
      {
        path: "first_comment",
        code: "first_comment_unsupported",
        message: "This network takes no first comment."
      }
    ]
  }
  return tooLong("first_comment", measure(comment), limits.firstComment)
}
