import * as Result from "effect/Result"
import type { Operation, Route, SandboxAnswer } from "../Operation.ts"

/** A path with one operation. */
export const route = (
  method: Route["method"],
  path: Route["path"],
  operation: Operation,
  loads?: Route["loads"]
): Route => ({
  method,
  path,
  pick: () => operation,
  loads
})

/** What was found, or why nothing was. */
export const toAnswer = (outcome: Result.Result<unknown, SandboxAnswer>): SandboxAnswer =>
  Result.match(outcome, { onFailure: (answer) => answer, onSuccess: (body) => ({ status: 200, body }) })
