import { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect } from "effect"
import { manyItemsDatabase } from "../inbox/manyItemsDatabase.ts"
import { keepThreads } from "./manyThreads.ts"

/** A database of one test file's own with 1,000,000 items and their threads. */
export const manyThreadsDatabase = Effect.tap(manyItemsDatabase, (target) =>
  PgAdapters.withLongRunningClient(target, {}, keepThreads)
)
