import { PgClock } from "@loopbox/adapters-postgres"
import * as Effect from "effect/Effect"

/** Moves the clock of all processes of the database (api.md §10, LOOPBOX_TEST_CLOCK). */
export const advanceClock = Effect.map(PgClock.PgClock, ({ advance }) => advance)
