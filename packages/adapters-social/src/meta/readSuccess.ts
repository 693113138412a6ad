import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"

/** `{"success": true}`, with which Meta's networks confirm what was done. */
export const readSuccess = (body: unknown): Result.Result<void, string> =>
  Predicate.isObject(body) && body["success"] === true
    ? Result.succeed(undefined)
    : Result.fail("it does not say that it succeeded")
