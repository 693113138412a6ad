import { assert, describe, it } from "vitest"
import { measurePost, measureText } from "../../src/inbox/measureText.ts"

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

  it("sees the links that X sees: names with an ending, with or without https, and no addresses of people", () => {
    // As X's own library (twitter-text 3.1) says.
    for (const [text, length] of [
      ["shop.coffee", 23],
      ["It is here.You can order now", 28 - 8 + 23],
      ["https://foo.bar/baz?x=1, and", 28],
      ["(https://example.com/a_(b))", 25],
      ["http://x", 8],
      ["https://localhost:80/x", 22],
      ["münchen.de", 23],
      ["mail user@example.com", 21],
      ["see foo.de/x now", 31],
      ["foo.comfoo", 10],
      ["google.co.uk/a", 23],
      ["e.g. this, 1.5.com", 34],
      ["t.co", 23],
      ["end.Of a thing", 14]
    ] as const) {
      assert.strictEqual(measureText("x_reply", text)?.length, length, text)
    }
  })

  it("counts a post as its network does", () => {
    assert.deepStrictEqual(measurePost("threads", family), { length: 25, limit: 500 })
    assert.deepStrictEqual(measurePost("facebook", "ab"), { length: 2, limit: 63_206 })
    assert.isUndefined(measurePost("mastodon", "a"))
  })

  it("leaves a source that it doesn't know to the host", () => {
    assert.isUndefined(measureText("mastodon_reply", "a"))
  })

  it("reads a word of any length once, whatever letters it has, for it is counted at every key", () => {
    // From each of its letters to its end it would take minutes.
    for (const part of ["\u00e9", "-", "\u00e9.", "_."]) {
      const text = part.repeat(300_000)
      assert.strictEqual(measureText("x_reply", text)?.length, text.length)
    }
  })
})
