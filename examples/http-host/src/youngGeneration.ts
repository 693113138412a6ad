import * as Effect from "effect/Effect"
import { setFlagsFromString } from "node:v8"

/**
 * Ends what `bin/loopbox.js` began: while modules load, V8's young generation may not grow.
 *
 * Loading keeps nearly all that it allocates, which V8 takes for a reason to make the young generation 16 MiB, three
 * times over, and keeps for good. Held back until here, a host's peak with 4 uploads of 50 MB and 2 conversions was
 * 191–213 MiB instead of 244. Held back for ever, it was 171 MiB, and a list request cost 40 % more CPU.
 */
export const letGrow = Effect.sync(() => setFlagsFromString("--semi-space-growth-factor=2"))
