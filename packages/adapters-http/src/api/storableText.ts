import * as Schema from "effect/Schema"

/** Whether a text can be kept: PostgreSQL has no U+0000 in one, and UTF-8 no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

/** What is said of a text that can't be kept. */
export const storableRule = "must be text without U+0000 and lone surrogates"

/** A text of any length; what else is wanted of it is judged, and told, apart. */
export const StorableText = Schema.String.check(
  Schema.makeFilter((given: string) => (isStorable(given) ? undefined : storableRule))
)

/** A text with a rule of its own, which is told only of one that could be kept. */
export const textWith = (isRight: (text: string) => boolean, rule: string) =>
  Schema.String.check(
    Schema.makeFilter((given: string) => {
      if (!isStorable(given)) return storableRule
      return isRight(given) ? undefined : rule
    })
  )
