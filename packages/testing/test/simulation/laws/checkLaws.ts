import { Effect } from "effect"
import { checkLeases } from "./LeaseLaw.ts"
import { checkAudit } from "./watchAudit.ts"
import { checkRivals } from "./watchFacts.ts"
import { checkErasures } from "./watchErasing.ts"
import { checkOrder } from "./watchOrder.ts"
import { checkStates } from "./watchStates.ts"
import { checkSnoozes } from "./watchThreads.ts"

/** Every law that is judged at the ports of the inbox, in each of its worlds. */
export const checkLaws = Effect.all(
  [checkRivals, checkLeases, checkAudit, checkErasures, checkOrder, checkSnoozes, checkStates],
  { discard: true }
)
