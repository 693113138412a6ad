import type { Constructor, Statement } from "effect/sql/Statement"
import { ManagedUserScope } from "@loopbox/core/access/InboxScope"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { storable } from "./text.ts"

/** Texts that are remembered of one list: it has one for each limit that somebody asks for. */
const mostTexts = 64

/** Where a parameter comes from: one of the page's values, or the statement that was remembered. */
type Parameter = { readonly place: number } | { readonly constant: unknown }

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime())

/** What a statement has of its shape alone. A text that is none of the values may be anybody's. */
const isOfShape = (parameter: unknown): boolean =>
  typeof parameter === "number" || (Array.isArray(parameter) && parameter.every((one) => typeof one === "number"))

/** Where each parameter comes from; absent where that can't be told. */
const sourcesOf = (
  parameters: ReadonlyArray<unknown>,
  values: ReadonlyArray<unknown>
): ReadonlyArray<Parameter> | undefined => {
  const areDistinct = values.every((value, n) => values.findIndex((other) => isSame(value, other)) === n)
  if (!areDistinct) return undefined
  const found: Array<Parameter> = []
  for (const parameter of parameters) {
    const place = values.findIndex((value) => isSame(value, parameter))
    if (place < 0 && !isOfShape(parameter)) return undefined
    found.push(place < 0 ? { constant: parameter } : { place })
  }
  return found
}

/** Whose inbox is asked for while a text is made: no statement has this name as a text of its own, which a user's may be. */
const anybody = "the managed user of a remembered statement"

/** What all statements of a list's pages depend on. */
interface PagePlan {
  readonly scope: ItemScope
  readonly sources: ReadonlyArray<string>
  readonly networks: ReadonlyArray<string>
  readonly query: { readonly limit: number }
}

const userOf = ({ scope }: ItemScope): ReadonlyArray<string> =>
  scope._tag === "ManagedUserScope" ? [storable(scope.externalUserId)] : []

const ofAnybody = (given: ItemScope): ItemScope => {
  const { scope } = given
  if (scope._tag === "WorkspaceScope") return given
  return { ...given, scope: new ManagedUserScope({ workspaceId: scope.workspaceId, externalUserId: anybody }) }
}

const valuesOf = ({ networks, scope, sources }: PagePlan, after: ReadonlyArray<unknown>): ReadonlyArray<unknown> => [
  scope.scope.workspaceId,
  ...userOf(scope),
  sources,
  ...sources,
  networks,
  ...after
]

/**
 * Makes the statement of a page without a filter, which inboxes ask for nearly always, out of the text that one of the same
 * shape had before: to put it together out of its eighty fragments takes as long as to read ten of its rows.
 *
 * The shape names the sources and the limit. All other parameters are the workspace, its managed user and the place behind
 * which the page begins; a statement that has a text beside them is made anew each time.
 */
export const makeRememberedPages = <Plan extends PagePlan>(
  sql: Pick<Constructor, "unsafe">,
  statementOf: (plan: Plan) => Statement<unknown>
) => {
  const known = new Map<string, { readonly text: string; readonly parameters: ReadonlyArray<Parameter> | undefined }>()
  const learn = (plan: Plan, after: ReadonlyArray<unknown>) => {
    const scope = ofAnybody(plan.scope)
    const [text, parameters] = statementOf({ ...plan, scope }).compile()
    return { text, parameters: sourcesOf(parameters, valuesOf({ ...plan, scope }, after)) }
  }
  return (plan: Plan, after: ReadonlyArray<unknown>): Statement<unknown> => {
    const { query, scope, sources } = plan
    const shape = `${scope.scope._tag} of ${sources.join()}, ${query.limit}${after.length === 0 ? "" : " behind"}`
    let found = known.get(shape)
    if (found === undefined) {
      if (known.size >= mostTexts) known.clear()
      found = learn(plan, after)
      known.set(shape, found)
    }
    if (found.parameters === undefined) return statementOf(plan)
    const values = valuesOf(plan, after)
    return sql.unsafe(
      found.text,
      found.parameters.map((one) => ("place" in one ? values[one.place] : one.constant))
    )
  }
}
