import { englishTexts } from "./englishTexts.ts"
import { germanTexts } from "./germanTexts.ts"
import type { Language } from "./language.ts"
import type { Wording } from "./Wording.ts"

/** The texts of the pages by language. */
export const wordings: Record<Language, Wording> = { en: englishTexts, de: germanTexts }
