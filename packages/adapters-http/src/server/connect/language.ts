/** The languages of the pages for people; the first one is for all who ask for none of them. */
export const languages = ["en", "de"] as const
export type Language = (typeof languages)[number]

interface Wish {
  readonly language: Language
  readonly weight: number
}

const toWishes = (range: string): ReadonlyArray<Wish> => {
  const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
  const primary = name.split("-", 1)[0]
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
  const weight = quality === undefined ? 1 : Number(quality)
  if (!(weight > 0 && weight <= 1)) return []
  return languages.filter((language) => primary === language || name === "*").map((language) => ({ language, weight }))
}

/** The language that a browser's `Accept-Language` prefers; at the same weight the one that stands first. */
export const preferredLanguage = (acceptLanguage: string | undefined): Language => {
  const wishes = (acceptLanguage ?? "").slice(0, 1_000).split(",").flatMap(toWishes)
  let best: Wish | undefined
  for (const wish of wishes) if (best === undefined || wish.weight > best.weight) best = wish
  return best?.language ?? languages[0]
}
