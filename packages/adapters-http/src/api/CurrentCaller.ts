import type { KeyCaller, OperatorCaller } from "@loopbox/core/access/Caller"
import * as Context from "effect/Context"

/** The API key whose request it is, or the operator in the console: set by `Authentication`. */
export class CurrentCaller extends Context.Service<CurrentCaller, KeyCaller | OperatorCaller>()(
  "@loopbox/adapters-http/api/CurrentCaller"
) {}
