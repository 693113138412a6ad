import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { Layer, Redacted } from "effect"
import { layerLocal } from "../../src/server/access/dashboardTokens.ts"
import { driving, serverWith } from "../support.ts"

/** A server that also gives dashboard tokens. */
export const clientServer = serverWith().pipe(
  Layer.provideMerge(Layer.fresh(driving)),
  Layer.provideMerge(Layer.fresh(MemoryAdapters.layer)),
  Layer.provideMerge(layerNetworks),
  Layer.provideMerge(layerLocal(Redacted.make(new Uint8Array(32).fill(9))))
)
