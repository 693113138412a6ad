import { accessChangesContract } from "@loopbox/core/testing/AccessChangesContract"
import { apiKeysContract } from "@loopbox/core/testing/ApiKeysContract"
import { conversionSignalsContract } from "@loopbox/core/testing/ConversionSignalsContract"
import { conversionStoreContract } from "@loopbox/core/testing/ConversionStoreContract"
import { mediaStoreContract } from "@loopbox/core/testing/MediaStoreContract"
import { membersContract } from "@loopbox/core/testing/MembersContract"
import { retentionStoreContract } from "@loopbox/core/testing/RetentionStoreContract"
import { workspacesContract } from "@loopbox/core/testing/WorkspacesContract"
import { layerStores } from "./testDatabase.ts"

const stores = layerStores()

workspacesContract("postgres", stores)
membersContract("postgres", stores)
accessChangesContract("postgres", stores)
apiKeysContract("postgres", stores)
mediaStoreContract("postgres", stores)
conversionStoreContract("postgres", stores)
retentionStoreContract("postgres", stores)
conversionSignalsContract("postgres", stores)
