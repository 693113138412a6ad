import { assert, describe, it } from "vitest"
import { measureText } from "../../src/inbox/measureText.ts"

const family = "👨‍👩‍👧‍👦"

describe("measureText", () => {
  it("counts as each network does", () => {
    assert.deepStrictEqual(measureText("ig_comment", ` ${"ä".repeat(3)} `), { length: 3, limit: 2_200 })
    assert.deepStrictEqual(measureText("ig_dm", "äb"), { length: 3, limit: 1_000 })
    assert.deepStrictEqual(measureText("threads_reply", `a${family}`), { length: 26, limit: 500 })
    assert.deepStrictEqual(measureText("x_reply", `a${family}`), { length: 3, limit: 280 })
    assert.deepStrictEqual(measureText("x_reply", "日本 https://example.com/a/long/path?with=words ok"), {
      length: 4 + 1 + 23 + 3,
      limit: 280
    })
  })

  it("counts a private answer to a comment as the message that it is", () => {
    assert.strictEqual(measureText("ig_comment", "ä", true)?.limit, 1_000)
  })

  it("leaves a source that it doesn't know to the host", () => {
    assert.isUndefined(measureText("mastodon_reply", "a"))
  })
})
