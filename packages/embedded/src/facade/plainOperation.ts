import type { ShownOperation } from "@loopbox/core/items/ShownOperation"
import type { Plain } from "./toPlain.ts"

/**
 * The state of a reply as plain data (api.md §3). It may still be `pending` or `outcome_unknown`: read the operation
 * later, or repeat the request with the same key.
 */
export interface PlainOperation extends Plain<ShownOperation> {}
