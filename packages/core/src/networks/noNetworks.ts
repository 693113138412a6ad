import * as Option from "effect/Option"
import { Connectors } from "./Connectors.ts"

/**
 * For a process without networks: activities are ingested unchanged, and no network is called. It can't redact stored
 * webhook deliveries, so it leaves that to a process that can.
 */
export const noNetworks: Connectors["Service"] = Connectors.of({
  normalise: {},
  redact: Option.none(),
  byNetwork: {}
})
