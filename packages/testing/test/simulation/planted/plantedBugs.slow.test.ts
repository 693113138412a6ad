import { simulate } from "../simulate.ts"
import { simulateInbox } from "../simulateInbox.ts"
import { simulatePosts } from "../simulatePosts.ts"
import { simulateReplies } from "../simulateReplies.ts"
import { simulateTokens } from "../simulateTokens.ts"
import { commentBugs } from "./commentBugs.ts"
import { inboxBugs } from "./inboxBugs.ts"
import { jobBugs } from "./jobBugs.ts"
import { postLeaseBugs, replyLeaseBugs } from "./leaseBugs.ts"
import { orderBugs, postOrderBugs } from "./orderBugs.ts"
import { plantIn } from "./plantIn.ts"
import { postBugs } from "./postBugs.ts"
import { replyBugs } from "./replyBugs.ts"
import { tokenBugs } from "./tokenBugs.ts"

plantIn("media jobs", jobBugs, simulate)
plantIn("the inbox", [...inboxBugs, ...orderBugs], simulateInbox)
plantIn("replies", [...replyBugs, ...replyLeaseBugs], simulateReplies)
plantIn("posts", [...postBugs, ...postLeaseBugs, ...postOrderBugs, ...commentBugs], simulatePosts)
plantIn("tokens that expire", tokenBugs, simulateTokens)
