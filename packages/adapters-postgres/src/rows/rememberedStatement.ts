import type { Constructor, Statement } from "effect/sql/Statement"

/** Texts that are remembered of one kind of statement: a list has one for each limit that somebody asks for. */
const mostTexts = 64

/** Where a parameter comes from: one of the values, or the statement that was remembered. */
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

/**
 * Makes a statement out of the text that one of the same shape had before: to put a list's together out of its eighty
 * fragments takes as long as to read ten of its rows.
 *
 * `shape` says everything that the text depends on, and the figures among the parameters; `values` are all the other
 * parameters, in an order of their own. A statement of which that does not hold is made anew each time.
 */
export const makeRemembered = (sql: Pick<Constructor, "unsafe">) => {
  const known = new Map<string, { readonly text: string; readonly parameters: ReadonlyArray<Parameter> }>()
  return (shape: string, values: ReadonlyArray<unknown>, make: () => Statement<unknown>): Statement<unknown> => {
    const found = known.get(shape)
    if (found !== undefined) {
      const parameters = found.parameters.map((one) => ("place" in one ? values[one.place] : one.constant))
      return sql.unsafe(found.text, parameters)
    }
    const made = make()
    const [text, compiled] = made.compile()
    const parameters = sourcesOf(compiled, values)
    if (parameters !== undefined) {
      if (known.size >= mostTexts) known.clear()
      known.set(shape, { text, parameters })
    }
    return made
  }
}
