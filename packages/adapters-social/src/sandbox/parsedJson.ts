import * as Result from "effect/Result"

/** JSON as any server reads it; undefined where it is none. */
export const parsedJson = (text: string): unknown =>
  Result.getOrElse(
    Result.try((): unknown => JSON.parse(text)),
    () => undefined
  )
