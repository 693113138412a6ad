import { describe, it } from "vitest"
import { isMoved } from "./movedTo.ts"

/**
 * `describe` of what a moved host has nothing of: left out where hosts are moved, and the report says why. Elsewhere it runs where
 * it is possible.
 */
export const describeUnmoved =
  (reason: string, isPossible = true) =>
  (name: string, tests: () => void | Promise<void>): void => {
    if (isMoved) describe(`${name}`, () => it.skip(`not of a moved host: ${reason}`))
    else if (isPossible) describe(`${name}`, tests)
    else describe.skip(`${name}`, tests)
  }
