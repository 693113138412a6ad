import { describe, it } from "vitest"
import { fuzzOnDatabase } from "./fuzzOnDatabase.ts"

describe("requests that nobody in their right mind sends", () => {
  it("are each done, or answered with an error that has a code", () => fuzzOnDatabase({ from: 1, count: 200 }))
})
