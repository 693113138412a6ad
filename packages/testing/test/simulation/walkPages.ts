import { Effect, Option } from "effect"
import type { Page, PageRequest } from "@loopbox/core/kernel/Page"

/** All pages of a list by key, each of so many. */
export const walkPages = Effect.fnUntraced(function* <A, E, R>(
  list: (page: PageRequest) => Effect.Effect<Page<A>, E, R>,
  limit: number
) {
  let page = yield* list({ limit, after: Option.none() })
  const items = [...page.items]
  while (Option.isSome(page.next)) {
    page = yield* list({ limit, after: page.next })
    items.push(...page.items)
  }
  return items
})
