import { assert, describe, it } from "vitest"
import { beginningOf } from "../../src/parts/beginningOf.ts"
import { piecesOf } from "../../src/parts/plainText.ts"

const linksOf = (text: string) => piecesOf(text).flatMap(({ isLink, text: link }) => (isLink ? [link] : []))

describe("what people wrote", () => {
  it("has links to the web, without the stop behind them", () => {
    assert.deepStrictEqual(linksOf("See https://example.com/a?b=c. Or (http://x.test)!"), [
      "https://example.com/a?b=c",
      "http://x.test"
    ])
  })

  it("has no other links, and loses no letter", () => {
    const text = "javascript:alert(1) data:text/html,x <a href=https://e.test>x</a>"
    assert.deepStrictEqual(linksOf(text), ["https://e.test"])
    assert.strictEqual(
      piecesOf(text)
        .map((piece) => piece.text)
        .join(""),
      text
    )
  })

  it("is cut where it is too long to be read", () => {
    assert.isBelow(
      piecesOf("x".repeat(1_000_000))
        .map(({ text }) => text)
        .join("").length,
      21_000
    )
  })

  it("is cut between letters where it is long, and not within one", () => {
    assert.strictEqual(beginningOf("ab😀", 3), "ab")
    assert.strictEqual(beginningOf("ab😀", 4), "ab😀")
    assert.strictEqual(beginningOf("ab😀c", 4), "ab😀")
    const [piece] = piecesOf(`.${"😀".repeat(20_000)}`)
    assert.isTrue(piece?.text.isWellFormed())
    assert.isBelow(piece?.text.length ?? 0, 20_002)
  })
})
