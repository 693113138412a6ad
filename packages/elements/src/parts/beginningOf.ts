/** The first letters of a text, as many UTF-16 units as that at most; an emoji at its end is whole, or is left out. */
export const beginningOf = (text: string, most: number): string => {
  const isWithinLetter = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) && most < text.length
  return text.slice(0, isWithinLetter ? most - 1 : most)
}
