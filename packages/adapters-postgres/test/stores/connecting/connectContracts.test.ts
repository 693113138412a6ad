import { consoleSessionStoreContract } from "@loopbox/testing/conformance/ConsoleSessionStoreContract"
import { connectSessionStoreContract } from "@loopbox/testing/conformance/ConnectSessionStoreContract"
import { deletionRequestsContract } from "@loopbox/testing/conformance/DeletionRequestsContract"
import { layerStores } from "../../testDatabase.ts"

const stores = layerStores()

connectSessionStoreContract("postgres", stores)
consoleSessionStoreContract("postgres", stores)
deletionRequestsContract("postgres", stores)
