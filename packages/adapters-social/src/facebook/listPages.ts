import type { ConnectFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ExchangeCalls } from "../connect/exchangeCalls.ts"
import { readGraphPage } from "../meta/graphPage.ts"
import { Id, reader } from "../payloads/payload.ts"
import { type Page, pageFields, readPage, withoutRepetition } from "./pages.ts"

/** In whose name lists are read, and where. */
export interface PersonCall {
  readonly root: string
  readonly token: Redacted.Redacted<string>
  readonly proof: Readonly<Record<string, Redacted.Redacted<string>>>
}

const pageSize = 100
/** Nobody chooses among more than two thousand Pages. */
const mostPages = 20
const mostBusinesses = 50

const readBusiness = reader(Schema.Struct({ id: Id }))

/** All elements of an edge, page by page; the links are not followed, their cursors are. */
const readAll = Effect.fnUntraced(function* (
  calls: ExchangeCalls,
  { proof, root, token }: PersonCall,
  path: string,
  fields: string
): Effect.fn.Return<ReadonlyArray<unknown>, ConnectFailed> {
  const elements: Array<unknown> = []
  let cursor: Option.Option<string> = Option.none()
  for (let pages = 0; pages < mostPages; pages++) {
    const after: Readonly<Record<string, string>> = Option.match(cursor, {
      onNone: () => ({}),
      onSome: (after) => ({ after })
    })
    const query = { fields, limit: String(pageSize), ...after, ...proof }
    const page = yield* calls.get({ url: `${root}/${path}`, query, accessToken: token }, readGraphPage)
    elements.push(...page.elements)
    cursor = page.next
    // Lists of Pages have links; one without is the last, unless it is full.
    if (Option.isNone(cursor) || (!page.isLinked && page.elements.length < pageSize)) break
  }
  return elements
})

const pagesIn = (elements: ReadonlyArray<unknown>): ReadonlyArray<Page> =>
  elements.flatMap((element) => Option.toArray(Result.getSuccess(readPage(element))))

/** Pages that a person has only through a business are missing in the person's own list (social-networks-write.md A3). */
const readBusinessPages = Effect.fnUntraced(function* (calls: ExchangeCalls, call: PersonCall, fields: string) {
  const businesses = yield* readAll(calls, call, "me/businesses", "id,name")
  const ids = businesses.flatMap((business) =>
    Option.toArray(Option.map(Result.getSuccess(readBusiness(business)), ({ id }) => id))
  )
  const edges = ids
    .slice(0, mostBusinesses)
    .filter((id) => /^\d+$/.test(id))
    .flatMap((id) => [`${id}/owned_pages`, `${id}/client_pages`])
  const lists = yield* Effect.forEach(edges, (edge) => bestEffort(readAll(calls, call, edge, fields)), {
    concurrency: 4
  })
  return lists.flat()
})

/** A list that can't be read hides no other Page. */
const bestEffort = (list: Effect.Effect<ReadonlyArray<unknown>, ConnectFailed>) =>
  Effect.catchTag(list, "ConnectFailed", ({ detail }) =>
    Effect.as(Effect.logDebug("some Pages can't be read", { detail }), [])
  )

/** The Pages that a person may connect, those of the person's businesses among them where that is allowed. */
export const listPages = Effect.fnUntraced(function* (
  calls: ExchangeCalls,
  call: PersonCall,
  { permissions, withInstagram }: { readonly permissions: ReadonlyArray<string>; readonly withInstagram: boolean }
): Effect.fn.Return<ReadonlyArray<Page>, ConnectFailed> {
  const fields = pageFields(withInstagram)
  const list = readAll(calls, call, "me/accounts", fields)
  // Whoever keeps the list to oneself has allowed no Page, unless by a business.
  const own = yield* permissions.includes("pages_show_list") ? list : bestEffort(list)
  const isAllowed = permissions.includes("business_management")
  const ofBusinesses = isAllowed ? yield* bestEffort(readBusinessPages(calls, call, fields)) : []
  return withoutRepetition(pagesIn([...own, ...ofBusinesses]))
})
