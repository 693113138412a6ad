import { simulate } from "../simulate.ts"
import { simulateInbox } from "../simulateInbox.ts"
import { simulatePosts } from "../simulatePosts.ts"
import { simulateReplies } from "../simulateReplies.ts"
import { inboxBugs } from "./inboxBugs.ts"
import { jobBugs } from "./jobBugs.ts"
import { postLeaseBugs, replyLeaseBugs } from "./leaseBugs.ts"
import { plantIn } from "./plantIn.ts"
import { postBugs } from "./postBugs.ts"
import { replyBugs } from "./replyBugs.ts"

plantIn("media jobs", jobBugs, simulate)
plantIn("the inbox", inboxBugs, simulateInbox)
plantIn("replies", [...replyBugs, ...replyLeaseBugs], simulateReplies)
plantIn("posts", [...postBugs, ...postLeaseBugs], simulatePosts)
