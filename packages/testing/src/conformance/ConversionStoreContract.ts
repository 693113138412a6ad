import type * as Layer from "effect/Layer"
import { conversionClaimSuite } from "./suites/conversionClaimSuite.ts"
import { conversionSettleSuite } from "./suites/conversionSettleSuite.ts"
import { conversionSubmitSuite } from "./suites/conversionSubmitSuite.ts"
import type { StorePorts } from "../fixtures/storeFixtures.ts"

/** What every adapter of the port ConversionStore does. */
export const conversionStoreContract = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) => {
  conversionSubmitSuite(adapter, stores)
  conversionClaimSuite(adapter, stores)
  conversionSettleSuite(adapter, stores)
}
