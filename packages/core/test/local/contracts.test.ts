import { Layer } from "effect"
import * as MemoryAdapters from "../../src/local/MemoryAdapters.ts"
import * as MemoryBlobStore from "../../src/local/MemoryBlobStore.ts"
import { accessChangesContract } from "../../src/testing/AccessChangesContract.ts"
import { apiKeysContract } from "../../src/testing/ApiKeysContract.ts"
import { blobStoreContract } from "../../src/testing/BlobStoreContract.ts"
import { conversionSignalsContract } from "../../src/testing/ConversionSignalsContract.ts"
import { conversionStoreContract } from "../../src/testing/ConversionStoreContract.ts"
import { mediaStoreContract } from "../../src/testing/MediaStoreContract.ts"
import { membersContract } from "../../src/testing/MembersContract.ts"
import { retentionStoreContract } from "../../src/testing/RetentionStoreContract.ts"
import { workspacesContract } from "../../src/testing/WorkspacesContract.ts"

workspacesContract("memory", MemoryAdapters.layerStores)
membersContract("memory", MemoryAdapters.layerStores)
accessChangesContract("memory", MemoryAdapters.layerStores)
apiKeysContract("memory", MemoryAdapters.layerStores)
mediaStoreContract("memory", MemoryAdapters.layerStores)
conversionStoreContract("memory", MemoryAdapters.layerStores)
retentionStoreContract("memory", MemoryAdapters.layerStores)
conversionSignalsContract("memory", MemoryAdapters.layerStores)
blobStoreContract("memory", MemoryBlobStore.layer.pipe(Layer.provide(MemoryAdapters.layerCrypto)))
