import { outgoingEndpointStoreContract } from "@loopbox/testing/conformance/OutgoingEndpointStoreContract"
import { outgoingEndpointLanesContract } from "@loopbox/testing/conformance/OutgoingEndpointLanesContract"
import { outgoingLanesContract } from "@loopbox/testing/conformance/OutgoingLanesContract"
import { outgoingTogetherContract } from "@loopbox/testing/conformance/OutgoingTogetherContract"
import { layerStores } from "../../testDatabase.ts"

outgoingEndpointStoreContract("postgres", layerStores())
outgoingLanesContract("postgres", layerStores())
outgoingEndpointLanesContract("postgres", layerStores())
outgoingTogetherContract("postgres", layerStores())
