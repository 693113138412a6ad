import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import { foldText } from "../../src/search/foldText.ts"
import { indexTerms, indexWords } from "../../src/search/indexWords.ts"
import { matchesSearch, parseSearch } from "../../src/search/SearchQuery.ts"

const finds = (q: string, ...texts: ReadonlyArray<string>): boolean =>
  Option.match(parseSearch(q), { onNone: () => false, onSome: (search) => matchesSearch(search, texts) })

/** Texts of several scripts, with marks, symbols and separators, short enough to meet each other. */
const anyText = fc.string({
  unit: fc.constantFrom(
    ..."aAbßẞİIıiéÉeσςΣйи1２😀❤ .-_'猫犬東京都かガゟ가ไทำยđøאבשابؤأآٱـ\u05b8\u05c1\u0316\u064e\u0653\u0654\u0655\u0301\u3099\u200d"
  ),
  maxLength: 12
})

describe("searching (api-2-decided.md B33, B34)", () => {
  it("finds every word, the last one as a beginning, wherever each is", () => {
    assert.isTrue(finds("late parc", "The parcel is late", "Ann"))
    assert.isTrue(finds("ann late", "The parcel is late", "Ann Lee"))
    assert.isFalse(finds("lat parcel", "The parcel is late"))
    assert.isFalse(finds("parcel lost", "The parcel is late"))
    assert.isTrue(finds("don't", "I don't know"))
    assert.isTrue(finds("  late ", "later"))
  })

  it("folds and splits text of ASCII alone as it does beside other letters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        assert.strictEqual(`${foldText(text)} 東`, foldText(`${text} 東`))
        assert.deepStrictEqual([...indexWords([text]), "東"], indexWords([`${text} 東`]))
      })
    )
  })

  it.each([
    ["strasse", "Straße"],
    ["STRASSE", "straße"],
    ["istanbul", "İSTANBUL"],
    ["ISTANBUL", "ıstanbul"],
    ["cafe", "Café"],
    ["café", "Cafe\u0301s"],
    ["οδυσσεασ", "Ὀδυσσεύς Οδυσσέας"],
    ["ёлка", "ЕЛКА"],
    ["abc123", "ＡＢＣ１２３"],
    ["カフェ", "ｶﾌｪで"],
    ["पानी", "ठंडा पानी"],
    ["محمد", "مُحَمَّد"],
    ["مُحَمَّد", "محمد"],
    ["السلام", "الســـلام عليكم"],
    ["احمد", "أَحْمَد"],
    ["إسلام", "اسلام"],
    ["القران", "ٱلْقُرْآن"],
    ["שלום", "שָׁלוֹם"],
    ["שָׁלוֹם", "שלום"],
    ["da nang", "Đà Nẵng"],
    ["tieng viet", "tiếng Việt"],
    ["lodz", "Łódź"],
    ["kobenhavn", "København"],
    ["😀 thanks", "Thanks 😀"],
    ["👍🏽", "👍"],
    ["👍", "fine 👍"],
    ["❤️", "I ❤ it"],
    ["東京", "昨日東京都に"],
    ["京都 iph", "私は京都でiPhoneを"],
    ["ไทย", "ภาษาไทยง่าย"]
  ])("finds %s in %s", (q, text) => {
    assert.isTrue(finds(q, text))
  })

  it.each([
    ["かき", "がき"],
    ["سوال", "سؤال"],
    ["कम", "कीम"],
    ["東京都", "東京と京都"],
    ["cat", "concat"],
    ["😀😀", "nothing"]
  ])("does not find %s in %s", (q, text) => {
    assert.isFalse(finds(q, text))
  })

  it("takes 2 to 200 characters with something to search for, or one symbol", () => {
    for (const q of ["a", " a ", "猫", "𝒂", "..", "--- !", "x".repeat(201)])
      assert.isTrue(Option.isNone(parseSearch(q)), q)
    for (const q of ["ab", "😀😀", "x".repeat(200), "猫。", "😀", " ❤ ", "🇫🇷"])
      assert.isTrue(Option.isSome(parseSearch(q)), q)
  })

  it("folds what is folded to itself", () => {
    fc.assert(fc.property(anyText, (text) => assert.strictEqual(foldText(foldText(text)), foldText(text))))
  })

  it("leaves none of the signs by which a database finds words of an older folding", () => {
    const older =
      /[đħłøŧ\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0622\u0623\u0625\u0640\u064b-\u0653\u0655-\u065f]/
    fc.assert(fc.property(anyText, (text) => assert.notMatch(foldText(text), older)))
    // Marks of other scripts, with a width and without, which stand before the hamza that would join the alef.
    for (const mark of ["\u0316", "\u302e"]) assert.strictEqual(foldText(`\u0627${mark}\u0654`), `\u0627${mark}`)
  })

  it("finds a text by itself, folded or not", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        if (Option.isNone(parseSearch(text))) return
        assert.isTrue(finds(text, text))
        assert.isTrue(finds(text, foldText(text)))
      })
    )
  })

  it("finds nothing that its index would not", () => {
    fc.assert(
      fc.property(anyText, anyText, (q, text) => {
        const search = parseSearch(q)
        if (Option.isNone(search) || !matchesSearch(search.value, [text])) return
        const words = indexWords([text])
        for (const { isPrefix, word } of indexTerms(search.value)) {
          assert.isTrue(words.some((one) => (isPrefix ? one.startsWith(word) : one === word)))
        }
      }),
      { numRuns: 1_000 }
    )
  })

  it("cuts words that no index can hold, in texts and in searches", () => {
    const long = "a".repeat(150)
    const search = Option.getOrThrow(parseSearch(long))
    assert.deepStrictEqual(indexWords([`${long}b`]), ["a".repeat(100)])
    assert.deepStrictEqual(indexTerms(search), [{ word: "a".repeat(100), isPrefix: true }])
    assert.isFalse(matchesSearch(search, ["a".repeat(149)]))
  })
})
