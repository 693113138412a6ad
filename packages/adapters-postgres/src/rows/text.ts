import * as Option from "effect/Option"

/**
 * Text as PostgreSQL can keep it: U+0000, which it refuses, becomes U+FFFD, as a lone surrogate does on the way.
 *
 * Such text is refused before it comes here; what slips through must not become a defect.
 */
export const storable = (text: string): string => text.replaceAll("\0", "\uFFFD")

/** The same for text that may be absent. */
export const storableOrNull = (text: Option.Option<string>): string | null =>
  Option.getOrNull(Option.map(text, storable))

/** JSON as PostgreSQL can keep it, where a lone surrogate is an error, too. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === "string" ? storable(member).toWellFormed() : member))
