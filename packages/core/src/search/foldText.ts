/** Accents of scripts in which people leave them out; those of other scripts make other letters of theirs. */
const accents = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu

/**
 * Text as it is compared in searches: without case (full folding: ß is ss, and all of Turkish İ, I, ı and i are i), without
 * accents on Latin, Greek and Cyrillic letters, and with one form of each letter (NFKC: full width is half width). Voicing
 * marks of kana stay. Folding what is folded changes nothing.
 */
export const foldText = (text: string): string =>
  text
    .normalize("NFKC")
    // By way of the lower case, for the upper one of ẞ is itself.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFD")
    .replace(accents, "$1")
    .normalize("NFKC")
