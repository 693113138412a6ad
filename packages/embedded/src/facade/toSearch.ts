import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { parseSearch, SearchInvalid, type SearchQuery } from "@loopbox/core/search/SearchQuery"

/** What a list is searched for. */
export const toSearch = (q: string | null | undefined): Effect.Effect<Option.Option<SearchQuery>, SearchInvalid> => {
  if (q === null || q === undefined) return Effect.succeedNone
  const search = parseSearch(q)
  return Option.isNone(search) ? Effect.fail(new SearchInvalid()) : Effect.succeed(search)
}
