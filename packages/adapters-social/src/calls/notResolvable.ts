import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as Option from "effect/Option"

/** Threads' code and subcode for what was made a moment ago and can't be used yet (social-networks.md §3.2). */
export const notResolvable = "24/4279009"

/** Whether the network only asks to come back in a moment. */
export const isNotResolvable = (error: ReadFailed | WriteFailed): boolean =>
  Option.contains(error.networkCode, notResolvable)
