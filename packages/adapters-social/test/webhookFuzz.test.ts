import { assert, describe, it } from "@effect/vitest"
import { fuzzWebhooks } from "./webhookFuzz.ts"

describe("deliveries that no network sends", () => {
  it("are read on every endpoint, and whatever is told can be stored", () => {
    const count = 1_000
    // Most are still told from: what is tried reaches the readers behind the parser.
    assert.isAbove(fuzzWebhooks({ from: 1, count }), count / 4)
  })
})
