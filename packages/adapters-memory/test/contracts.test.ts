import { Layer } from "effect"
import * as MemoryAdapters from "../src/MemoryAdapters.ts"
import * as MemoryBlobStore from "../src/MemoryBlobStore.ts"
import { accessChangesContract } from "@loopbox/testing/conformance/AccessChangesContract"
import { apiKeysContract } from "@loopbox/testing/conformance/ApiKeysContract"
import { blobStoreContract } from "@loopbox/testing/conformance/BlobStoreContract"
import { jobSignalsContract } from "@loopbox/testing/conformance/JobSignalsContract"
import { conversionStoreContract } from "@loopbox/testing/conformance/ConversionStoreContract"
import { mediaStoreContract } from "@loopbox/testing/conformance/MediaStoreContract"
import { membersContract } from "@loopbox/testing/conformance/MembersContract"
import { jobEndsContract } from "@loopbox/testing/conformance/JobEndsContract"
import { overlayStoreContract } from "@loopbox/testing/conformance/OverlayStoreContract"
import { retentionStoreContract } from "@loopbox/testing/conformance/RetentionStoreContract"
import { workspacesContract } from "@loopbox/testing/conformance/WorkspacesContract"

workspacesContract("memory", MemoryAdapters.layerStores)
membersContract("memory", MemoryAdapters.layerStores)
accessChangesContract("memory", MemoryAdapters.layerStores)
apiKeysContract("memory", MemoryAdapters.layerStores)
mediaStoreContract("memory", MemoryAdapters.layerStores)
conversionStoreContract("memory", MemoryAdapters.layerStores)
overlayStoreContract("memory", MemoryAdapters.layerStores)
jobEndsContract("memory", MemoryAdapters.layerStores)
retentionStoreContract("memory", MemoryAdapters.layerStores)
jobSignalsContract("memory", MemoryAdapters.layerStores)
blobStoreContract("memory", MemoryBlobStore.layer.pipe(Layer.provide(MemoryAdapters.layerCrypto)))
