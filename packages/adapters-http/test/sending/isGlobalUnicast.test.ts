import { assert, describe, it } from "@effect/vitest"
import { isGlobalUnicast } from "../../src/node/sending/isGlobalUnicast.ts"
import { publicAddresses, refusedAddresses } from "./addresses.ts"

describe("an address that a webhook may go to", () => {
  it.each(refusedAddresses)("is not %s", (_, addresses) => {
    for (const address of addresses) assert.isFalse(isGlobalUnicast(address), address)
  })
  it("is any other, right up to the edges of those", () => {
    for (const address of publicAddresses) assert.isTrue(isGlobalUnicast(address), address)
  })
})
