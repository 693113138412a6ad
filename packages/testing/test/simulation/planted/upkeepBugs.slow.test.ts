import { simulateUpkeep } from "../upkeep/simulateUpkeep.ts"
import { accessBugs } from "./accessBugs.ts"
import { plantIn } from "./plantIn.ts"
import { upkeepBugs } from "./upkeepBugs.ts"

plantIn("what customers do beside the traffic", [...upkeepBugs, ...accessBugs], simulateUpkeep)
