import { auditStoreContract } from "@loopbox/testing/conformance/AuditStoreContract"
import { exportStoreContract } from "@loopbox/testing/conformance/ExportStoreContract"
import { accessChangesContract } from "@loopbox/testing/conformance/AccessChangesContract"
import { apiKeysContract } from "@loopbox/testing/conformance/ApiKeysContract"
import { savedReplyStoreContract } from "@loopbox/testing/conformance/SavedReplyStoreContract"
import { managedUsersContract } from "@loopbox/testing/conformance/ManagedUsersContract"
import { membersContract } from "@loopbox/testing/conformance/MembersContract"
import { workspacesContract } from "@loopbox/testing/conformance/WorkspacesContract"
import { layerStores } from "../../testDatabase.ts"

const stores = layerStores()

workspacesContract("postgres", stores)
membersContract("postgres", stores)
accessChangesContract("postgres", stores)
apiKeysContract("postgres", stores)
managedUsersContract("postgres", stores)
savedReplyStoreContract("postgres", stores)
auditStoreContract("postgres", stores)
exportStoreContract("postgres", stores)
