import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { parseRawQuery, valuesOf } from "../../src/access/rawQuery.ts"

const text = fc.string({ unit: "grapheme" })

describe("a raw query (api.md §2, row 2a)", () => {
  it("gives back every pair that was escaped, in order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        const named = pairs.map(([name, value]) => [`n${name}`, value] as const)
        const query = named.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&")
        assert.deepStrictEqual(Result.getOrThrow(parseRawQuery(query)), named)
      })
    )
  })

  it("decodes everything that is well escaped like a form", () => {
    const piece = fc.oneof(
      fc.constantFrom("a", "=", "&", "+", "%20", "%C3%A4", "%F0%9F%98%80", "%00", "%EF%BB%BF"),
      fc.constant("b")
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const query = pieces.join("")
        assert.deepStrictEqual(
          Result.getOrThrow(parseRawQuery(query)).map(([name, value]) => [name, value]),
          Array.from(new URLSearchParams(query))
        )
      })
    )
  })

  it("never throws, and refuses exactly the escapes that are not UTF-8", () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.array(byte, { minLength: 1, maxLength: 6 }), (bytes) => {
        const query = `a=${bytes.map((value) => `%${value.toString(16).padStart(2, "0")}`).join("")}`
        const isText = Buffer.from(Uint8Array.from(bytes)).toString("utf8").includes("\ufffd") === false
        const isReplacement = Buffer.from(Uint8Array.from(bytes)).includes(Buffer.from("\ufffd"))
        if (!isReplacement) assert.strictEqual(Result.isSuccess(parseRawQuery(query)), isText)
      })
    )
  })

  it.each(["%", "a=%", "a=%4", "%zz=1", "a=1&b=%g0", "a=%C3", "a=%C3b%A4", "a=%ED%A0%80"])("refuses %s", (query) => {
    const parsed = parseRawQuery(query)
    assert.isTrue(Result.isFailure(parsed) && parsed.failure.reason === "malformed_query")
  })

  it("finds every value of a name, as often as it is given", () => {
    const pairs = Result.getOrThrow(parseRawQuery("a=1&b=2&%61=3&a"))
    assert.deepStrictEqual(valuesOf(pairs, "a"), ["1", "3", ""])
    assert.deepStrictEqual(valuesOf(pairs, "c"), [])
  })
})
