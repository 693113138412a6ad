import { pollStoreContract } from "@loopbox/testing/conformance/PollStoreContract"
import { syncStoreContract } from "@loopbox/testing/conformance/SyncStoreContract"
import { webhookDeliveriesContract } from "@loopbox/testing/conformance/WebhookDeliveriesContract"
import { layerStores } from "../../testDatabase.ts"

const stores = layerStores()

pollStoreContract("postgres", stores)
syncStoreContract("postgres", stores)
webhookDeliveriesContract("postgres", stores)
