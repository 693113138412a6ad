import { outgoingLanesContract } from "@loopbox/testing/conformance/OutgoingLanesContract"
import { layerStores } from "../../testDatabase.ts"

outgoingLanesContract("postgres", layerStores())
