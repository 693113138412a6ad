import { assert, describe, it } from "@effect/vitest"
import { Predicate } from "effect"
import * as fc from "fast-check"
import { preferredLanguage } from "../../src/server/connect/language.ts"
import { markup, noMarkup } from "../../src/server/connect/markup.ts"
import { wordings } from "../../src/server/connect/wordings.ts"

describe("markup", () => {
  it("escapes every text, in elements and in attributes", () => {
    const evil = `<script>alert("1")</script>' onload=x &amp;`
    assert.strictEqual(
      markup`<p title="${evil}">${evil}</p>`.text,
      ["title", "body"].reduce(
        (text) => text.replace("@", "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; onload=x &amp;amp;"),
        `<p title="@">@</p>`
      )
    )
    assert.strictEqual(markup`<ul>${[markup`<li>${"<"}</li>`, noMarkup]}</ul>`.text, "<ul><li>&lt;</li></ul>")
  })

  it("lets no text end its element or its attribute", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const [inside = ""] = markup`${text}`.text.split("|never|")
        assert.notMatch(inside, /[<>"']/)
        const back = inside
          .replaceAll("&lt;", "<")
          .replaceAll("&gt;", ">")
          .replaceAll("&quot;", '"')
          .replaceAll("&#39;", "'")
          .replaceAll("&amp;", "&")
        assert.strictEqual(back, text)
      })
    )
  })
})

describe("the language of a page", () => {
  const wishes: ReadonlyArray<readonly [given: string | undefined, language: "en" | "de"]> = [
    [undefined, "en"],
    ["", "en"],
    ["de", "de"],
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["fr-FR, en;q=0.5, de;q=0.6", "de"],
    ["en, de", "en"],
    ["de, en", "de"],
    ["fr", "en"],
    ["*;q=0.1, de;q=0.2", "de"],
    ["DE-ch", "de"],
    ["de;q=0, en;q=0.1", "en"],
    ["de;q=x", "en"],
    [`${"x,".repeat(5_000)}de`, "en"]
  ]
  for (const [given, language] of wishes) {
    it(`is ${language} for ${given?.slice(0, 40)}`, () => {
      assert.strictEqual(preferredLanguage(given), language)
    })
  }

  it("has texts of its own for everything", () => {
    const textsOf = (value: unknown): ReadonlyArray<string> => {
      if (typeof value === "string") return [value]
      if (typeof value === "function") return [String(value("A", "B"))]
      return Predicate.isObject(value) ? Object.values(value).flatMap(textsOf) : []
    }
    const [english, german] = [textsOf(wordings.en), textsOf(wordings.de)]
    assert.strictEqual(english.length, german.length)
    const same = english.filter((text) => german.includes(text))
    assert.deepEqual(same, ["Code"])
    assert.isTrue([...english, ...german].every((text) => text.trim() !== ""))
  })
})
