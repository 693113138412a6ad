import { Rejected } from "@loopbox/core/networks/ConnectorErrors"
import * as Option from "effect/Option"
import type { Network } from "../names.ts"

/** Of something that a network has no call for: no descriptor names it. */
export const notKnown = (network: Network): Rejected =>
  new Rejected({ network, reason: "other", networkCode: Option.none(), detail: "the network has no such call" })
