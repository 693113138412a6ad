/** X's payloads in the other one of its two vocabularies (social-networks.md §8). */
import { Predicate } from "effect"

/** Members of payloads that X has renamed, the old name first; those of `includes` stand after a dot. */
export const renamed: ReadonlyArray<readonly [string, string]> = [
  ["referenced_tweets", "referenced_posts"],
  ["edit_history_tweet_ids", "edit_history_post_ids"],
  ["note_tweet", "note_post"],
  ["includes.tweets", "includes.posts"],
  ["pinned_tweet_id", "pinned_post_id"],
  ["most_recent_tweet_id", "most_recent_post_id"]
]

/** A payload in the names of now. */
export const inNewWords = (value: unknown, names = renamed, inside = ""): unknown => {
  if (Array.isArray(value)) return value.map((one) => inNewWords(one, names, inside))
  if (!Predicate.isObject(value)) return value
  const newNameOf = (name: string): string => {
    const path = inside === "includes" ? `includes.${name}` : name
    const found = names.find(([old]) => old === path || old === name)
    return found === undefined ? name : (found[1].split(".").at(-1) ?? name)
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      newNameOf(name),
      name === "resource_type" && member === "tweet" ? "post" : inNewWords(member, names, name)
    ])
  )
}
