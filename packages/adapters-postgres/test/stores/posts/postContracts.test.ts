import { postStoreContract } from "@loopbox/testing/conformance/PostStoreContract"
import { layerStores } from "../../testDatabase.ts"

const stores = layerStores()

postStoreContract("postgres", stores)
