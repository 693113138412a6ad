import { filledDatabase } from "../../testDatabase.ts"
import { fillManyItems } from "./manyItems.ts"

export const manyItemsFilling = { name: "many_items", fill: fillManyItems }

/** A database of one test file's own with 1,000,000 items. */
export const manyItemsDatabase = filledDatabase(manyItemsFilling)
