import type { NetworkDescriptor } from "@loopbox/core/networks/Network"
import { Networks, type NetworkTable, networkTable } from "@loopbox/core/networks/Networks"
import * as Layer from "effect/Layer"
import { facebook } from "./facebook/descriptor.ts"
import { instagram } from "./instagram/descriptor.ts"
import { threads } from "./threads/descriptor.ts"
import { x } from "./x/descriptor.ts"

/** The networks that Loopbox brings, as data: a host with a network of its own adds that one's descriptor. */
export const socialNetworks: ReadonlyArray<NetworkDescriptor> = [instagram, facebook, threads, x]

/** The same by name. */
export const knownNetworks: NetworkTable = networkTable(socialNetworks)

/** What core knows of these networks. */
export const layer: Layer.Layer<never> = Layer.succeed(Networks, knownNetworks)
