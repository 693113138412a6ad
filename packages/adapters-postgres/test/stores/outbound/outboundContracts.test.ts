import { usageStoreContract } from "@loopbox/testing/conformance/UsageStoreContract"
import { actionPacesContract } from "@loopbox/testing/conformance/ActionPacesContract"
import { outboundStoreContract } from "@loopbox/testing/conformance/OutboundStoreContract"
import { layerStores } from "../../testDatabase.ts"

const stores = layerStores()

outboundStoreContract("postgres", stores)
actionPacesContract("postgres", stores)
usageStoreContract("postgres", stores)
