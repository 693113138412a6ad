/** Accents of scripts in which people leave them out; those of other scripts make other letters of theirs. */
const accents = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu

/** Letters with a stroke, which Unicode does not take for an accent: people write them without, and "da nang" is Đà Nẵng. */
const strokes: ReadonlyMap<string, string> = new Map([
  ["đ", "d"],
  ["ħ", "h"],
  ["ł", "l"],
  ["ø", "o"],
  ["ŧ", "t"]
])
const stroked = /[đħłøŧ]/g

/**
 * What is written to teach reading, to pray or to fill a line, and is left out elsewhere: vowel signs of Hebrew and Arabic,
 * Arabic's signs of recitation, and tatweel. Hamza (U+0654) stays where it makes another letter; Arabic's
 * madda (U+0653) is on an alef. An index may hold none of these (migration 0041).
 */
const vowelSigns =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0653\u0655-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff]/g

/** Alef, also with a wasla, and the marks on it: a hamza may stand behind others, and would join it again at the end. */
const alefs = /[\u0627\u0671]\p{M}*/gu
const hamza = "\u0654"

/** Whether a text has basic Latin letters, digits and signs only. */
export const isAscii = (text: string): boolean => ascii.test(text)
const ascii = /^[\0-\x7f]*$/

/**
 * Text as it is compared in searches: without case (full folding: ß is ss, and all of Turkish İ, I, ı and i are i), without
 * accents and strokes on Latin, Greek and Cyrillic letters, without the vowel signs of Hebrew and Arabic, with one alef, and
 * with one form of each letter (NFKC: full width is half width). Voicing marks of kana stay, and the vowels of Indian scripts.
 * Folding what is folded changes nothing.
 */
export const foldText = (text: string): string =>
  // Nothing else of it can change, and most of what is ingested costs a quarter by this.
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKC")
        // By way of the lower case, for the upper one of ẞ is itself.
        .toLowerCase()
        .toUpperCase()
        .toLowerCase()
        .replaceAll("ς", "σ")
        .normalize("NFD")
        .replace(stroked, (letter) => strokes.get(letter) ?? letter)
        .replace(vowelSigns, "")
        .replace(alefs, (alef) => `\u0627${alef.slice(1).replaceAll(hamza, "")}`)
        .replace(accents, "$1")
        .normalize("NFKC")
