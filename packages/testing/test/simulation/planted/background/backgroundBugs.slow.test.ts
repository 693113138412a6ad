import { simulateBackground } from "../../background/simulateBackground.ts"
import { plantIn } from "../plantIn.ts"
import { lookingBugs } from "./lookingBugs.ts"
import { pollingBugs } from "./pollingBugs.ts"

plantIn("what goes on by itself", [...pollingBugs, ...lookingBugs], simulateBackground)
