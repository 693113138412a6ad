import type { KeyCaller } from "@loopbox/core/access/Caller"
import * as Context from "effect/Context"

/** The API key whose request it is: set by `Authentication`. */
export class CurrentCaller extends Context.Service<CurrentCaller, KeyCaller>()(
  "@loopbox/adapters-http/api/CurrentCaller"
) {}
