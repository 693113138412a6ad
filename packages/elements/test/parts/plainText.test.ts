import { assert, describe, it } from "vitest"
import { beginningOf } from "../../src/parts/beginningOf.ts"
import { partsOf, piecesOf } from "../../src/parts/pieces.ts"

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

  it("has no address that is longer than any that leads somewhere", () => {
    assert.deepStrictEqual(linksOf(`https://a.test/${"a".repeat(3_000)} https://b.test`), ["https://b.test"])
    // In linear time, whatever stands at the end.
    assert.deepStrictEqual(linksOf(`https://a.test/${".".repeat(500_000)}a`), [])
  })

  it("comes in parts where it is long, of which none is lost, and which end with a word where one is near", () => {
    const text = `${"word ".repeat(9_000)}https://a.test/${"b".repeat(1_000)} ${"c".repeat(50_000)}${"😀".repeat(20_000)}`
    const parts = partsOf(text, 20_000).map((pieces) => pieces.map((piece) => piece.text).join(""))
    assert.strictEqual(parts.join(""), text)
    for (const part of parts) {
      assert.isTrue(part.isWellFormed())
      assert.isBelow(part.length, 22_000)
    }
    assert.isTrue(parts[0]?.endsWith("word "))
    const links = partsOf(text, 20_000)
      .flat()
      .filter(({ isLink }) => isLink)
    assert.deepStrictEqual(
      links.map((link) => link.text.length),
      [1_015]
    )
  })

  it("is cut between letters, and not within one", () => {
    assert.strictEqual(beginningOf("ab😀", 3), "ab")
    assert.strictEqual(beginningOf("ab😀", 4), "ab😀")
    assert.strictEqual(beginningOf("ab😀c", 4), "ab😀")
    const [first] = partsOf(`.${"😀".repeat(20_000)}`, 20_000)
    assert.isTrue(first?.[0]?.text.isWellFormed())
    assert.isBelow(first?.[0]?.text.length ?? 0, 20_002)
  })
})
