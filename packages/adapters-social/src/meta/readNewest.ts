import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { GraphApi, GraphCall } from "./graphApi.ts"
import { nextUnless } from "./graphPage.ts"

/** Pages that are read for one list, where the network's are smaller than was asked for. */
const mostPages = 5

/** The newest elements of an edge, so many at most: one call, where the network's page is large enough. */
export const readNewest = Effect.fnUntraced(function* (
  graph: GraphApi,
  call: GraphCall,
  most: number
): Effect.fn.Return<ReadonlyArray<unknown>, ReadFailed> {
  const elements: Array<unknown> = []
  let cursor: Option.Option<string> = Option.none()
  for (let pages = 0; pages < mostPages; pages++) {
    const query = {
      ...call.query,
      limit: String(most),
      ...Option.match(cursor, { onNone: () => ({}), onSome: (after) => ({ after }) })
    }
    const page = yield* graph.readPage({ ...call, query })
    elements.push(...page.elements)
    cursor = nextUnless(elements.length >= most, page)
    if (elements.length >= most || Option.isNone(cursor)) break
  }
  return elements.slice(0, most)
})
