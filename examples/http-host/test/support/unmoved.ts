import { describe, it } from "vitest"
import { isMoved } from "./movedTo.ts"

/**
 * `describe` of what a moved host has nothing of: left out where hosts are moved, and the report says why. Elsewhere it runs where
 * it is possible.
 */
export const describeUnmoved = (reason: string, isPossible = true): typeof describe | ((name: string) => void) =>
  isMoved ? (name) => describe(name, () => it.skip(`not of a moved host: ${reason}`)) : describe.skipIf(!isPossible)
