import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** Elements that can be read; of the others the log has the place and the reason, and nothing of their values. */
export const readEach = Effect.fnUntraced(function* <A>(
  what: string,
  elements: ReadonlyArray<unknown>,
  read: (value: unknown) => Result.Result<A, string>
) {
  const good: Array<A> = []
  for (const [i, element] of elements.entries()) {
    const one = read(element)
    if (Result.isSuccess(one)) good.push(one.success)
    else yield* Effect.logWarning(`${what} can't be read: data[${i}], ${one.failure}`)
  }
  return good
})
