import { conversionSignalsContract } from "@loopbox/testing/conformance/ConversionSignalsContract"
import { conversionStoreContract } from "@loopbox/testing/conformance/ConversionStoreContract"
import { mediaStoreContract } from "@loopbox/testing/conformance/MediaStoreContract"
import { retentionStoreContract } from "@loopbox/testing/conformance/RetentionStoreContract"
import { layerStores } from "../../testDatabase.ts"

const stores = layerStores()

mediaStoreContract("postgres", stores)
conversionStoreContract("postgres", stores)
retentionStoreContract("postgres", stores)
conversionSignalsContract("postgres", stores)
