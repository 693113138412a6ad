import { filledDatabase } from "../../testDatabase.ts"
import { fillManyItems } from "./manyItems.ts"

/** A database of one test file's own with 1,000,000 items. */
export const manyItemsDatabase = filledDatabase("many_items", fillManyItems)
