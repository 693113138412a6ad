import { accessChangesContract } from "@loopbox/testing/conformance/AccessChangesContract"
import { apiKeysContract } from "@loopbox/testing/conformance/ApiKeysContract"
import { conversionSignalsContract } from "@loopbox/testing/conformance/ConversionSignalsContract"
import { conversionStoreContract } from "@loopbox/testing/conformance/ConversionStoreContract"
import { mediaStoreContract } from "@loopbox/testing/conformance/MediaStoreContract"
import { membersContract } from "@loopbox/testing/conformance/MembersContract"
import { retentionStoreContract } from "@loopbox/testing/conformance/RetentionStoreContract"
import { workspacesContract } from "@loopbox/testing/conformance/WorkspacesContract"
import { layerStores } from "../testDatabase.ts"

const stores = layerStores()

workspacesContract("postgres", stores)
membersContract("postgres", stores)
accessChangesContract("postgres", stores)
apiKeysContract("postgres", stores)
mediaStoreContract("postgres", stores)
conversionStoreContract("postgres", stores)
retentionStoreContract("postgres", stores)
conversionSignalsContract("postgres", stores)
