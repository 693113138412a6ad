import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { bodyText, idText, linkText, nameText } from "../../src/networks/networkText.ts"

const size = (text: string): number => new TextEncoder().encode(text).length

describe("texts that networks give (§5)", () => {
  it("lose NUL and lone surrogates", () => {
    assert.strictEqual(bodyText("a\u0000b\ud83dc\ude80"), "ab\ufffdc\ufffd")
    assert.strictEqual(bodyText("🚀"), "🚀")
  })

  it("are kept whole at 64 KiB and cut between two characters beyond", () => {
    assert.strictEqual(size(bodyText("x".repeat(65_536))), 65_536)
    assert.strictEqual(size(bodyText("x".repeat(65_537))), 65_536)
    const cut = bodyText(`x${"🚀".repeat(20_000)}`)
    assert.strictEqual(size(cut), 65_533)
    assert.isTrue(cut.isWellFormed())
  })

  it.prop("can always be stored", { text: Schema.String }, ({ text }) => {
    const body = bodyText(`${text}\u0000\ud800`)
    assert.isTrue(body.isWellFormed() && !body.includes("\u0000") && size(body) <= 65_536)
  })

  it("are no id when they are empty, over 512 characters, or can't be stored as they are", () => {
    assert.isTrue(Option.isSome(idText("x".repeat(512))))
    for (const wrong of ["", "x".repeat(513), "a\u0000", "\ud800"]) assert.isTrue(Option.isNone(idText(wrong)))
  })

  it("are no name when they are blank", () => {
    assert.deepStrictEqual(nameText("  \u0000 "), Option.none())
    assert.deepStrictEqual(nameText(" Ada "), Option.some("Ada"))
  })

  it("are a link only as http or https, of at most 2,048 characters", () => {
    const link = (length: number) => `https://a.example/${"x".repeat(length - 18)}`
    for (const right of ["http://a.example", "HTTPS://a.example/?q=1#f", link(2_048)]) {
      assert.deepStrictEqual(linkText(right), Option.some(right))
    }
    for (const wrong of [
      "",
      "a.example",
      "javascript:alert(1)",
      "data:text/html,x",
      "ftp://a.example",
      "https://",
      "https:// a.example",
      "https://a.example/\u0000",
      "https://a.example/\n",
      "https://[",
      link(2_049)
    ]) {
      assert.deepStrictEqual(linkText(wrong), Option.none(), wrong)
    }
  })
})
