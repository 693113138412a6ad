import type * as Layer from "effect/Layer"
import { conversionClaimSuite } from "./conversionClaimSuite.ts"
import { conversionSettleSuite } from "./conversionSettleSuite.ts"
import { conversionSubmitSuite } from "./conversionSubmitSuite.ts"
import type { StorePorts } from "./storeFixtures.ts"

/** What every adapter of the port ConversionStore does. */
export const conversionStoreContract = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) => {
  conversionSubmitSuite(adapter, stores)
  conversionClaimSuite(adapter, stores)
  conversionSettleSuite(adapter, stores)
}
