import { jobSignalsContract } from "@loopbox/testing/conformance/JobSignalsContract"
import { conversionStoreContract } from "@loopbox/testing/conformance/ConversionStoreContract"
import { mediaStoreContract } from "@loopbox/testing/conformance/MediaStoreContract"
import { jobEndsContract } from "@loopbox/testing/conformance/JobEndsContract"
import { overlayStoreContract } from "@loopbox/testing/conformance/OverlayStoreContract"
import { retentionStoreContract } from "@loopbox/testing/conformance/RetentionStoreContract"
import { layerStores } from "../../testDatabase.ts"

const stores = layerStores()

mediaStoreContract("postgres", stores)
conversionStoreContract("postgres", stores)
overlayStoreContract("postgres", stores)
jobEndsContract("postgres", stores)
retentionStoreContract("postgres", stores)
jobSignalsContract("postgres", stores)
