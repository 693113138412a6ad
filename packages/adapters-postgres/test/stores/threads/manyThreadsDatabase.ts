import { PgAdapters } from "@loopbox/adapters-postgres"
import { filledDatabase } from "../../testDatabase.ts"
import { manyItemsFilling } from "../inbox/manyItemsDatabase.ts"
import { keepThreads } from "./manyThreads.ts"

/** A database of one test file's own with 1,000,000 items and their threads. */
export const manyThreadsDatabase = filledDatabase({
  name: "many_threads",
  from: manyItemsFilling,
  fill: (target) => PgAdapters.withLongRunningClient(target, {}, keepThreads)
})
