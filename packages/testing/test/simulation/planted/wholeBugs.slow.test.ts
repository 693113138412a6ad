import { simulateWhole } from "../whole/simulateWhole.ts"
import { edgeBugs } from "./edgeBugs.ts"
import { erasingBugs } from "./erasingBugs.ts"
import { factBugs } from "./factBugs.ts"
import { fenceBugs } from "./fenceBugs.ts"
import { keepingBugs } from "./keepingBugs.ts"
import { keyBugs } from "./keyBugs.ts"
import { listBugs } from "./listBugs.ts"
import { pathBugs } from "./pathBugs.ts"
import { plantIn } from "./plantIn.ts"
import { pollBugs } from "./pollBugs.ts"
import { receiverBugs } from "./receiverBugs.ts"
import { strangerBugs } from "./strangerBugs.ts"
import { tellingBugs } from "./tellingBugs.ts"
import { threadBugs } from "./threadBugs.ts"

/** One long seed shows what five short ones do, and sooner what takes several steps. */
const simulateLong: typeof simulateWhole = (seed, plant) => simulateWhole(seed, plant, "long")

plantIn("the whole system, at its receivers", receiverBugs, simulateLong)
// Where most of what happens is what the bugs are about, a seed shows more of it.
plantIn("the whole system, at its threads", threadBugs, (seed, plant) => simulateWhole(seed, plant, "threads"))
plantIn("the whole system, where users are erased", erasingBugs, simulateLong)
plantIn("the whole system, where accounts are polled and items moderated", pollBugs, (seed, plant) =>
  simulateWhole(seed, plant, "polls")
)
plantIn("the whole system, where one path forgets what others do", pathBugs, simulateLong)
plantIn("the whole system, where what is old is swept", keepingBugs, simulateLong)
plantIn("the whole system, where somebody names what is another's", strangerBugs, simulateLong)
plantIn("the whole system, where a transaction asks or writes too little", fenceBugs, simulateLong)
plantIn("the whole system, where keys are looked up", keyBugs, simulateLong)
plantIn("the whole system, where a change is not told", tellingBugs, simulateLong)
plantIn("the whole system, where lists have filters and pages two owners", listBugs, simulateLong)
plantIn("the whole system, where somebody is told too little or too much", factBugs, simulateLong)
plantIn("the whole system, at the edges of what is asked for", edgeBugs, simulateLong)
