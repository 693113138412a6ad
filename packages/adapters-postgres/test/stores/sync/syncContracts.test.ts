import { syncStoreContract } from "@loopbox/testing/conformance/SyncStoreContract"
import { webhookDeliveriesContract } from "@loopbox/testing/conformance/WebhookDeliveriesContract"
import { layerStores } from "../../testDatabase.ts"

const stores = layerStores()

syncStoreContract("postgres", stores)
webhookDeliveriesContract("postgres", stores)
