/** What a reader has chosen on this device; without a store, for this page only. */
const read = (name: string): string => {
  try {
    return localStorage.getItem(`loopbox-console-${name}`) ?? ""
  } catch {
    return ""
  }
}

/** Keeps a choice. */
export const keepChoice = (name: "theme" | "language" | "workspace", value: string): void => {
  try {
    localStorage.setItem(`loopbox-console-${name}`, value)
  } catch {
    // A browser that keeps nothing asks again the next time.
    return
  }
}

export const readTheme = (): "auto" | "light" | "dark" => {
  const kept = read("theme")
  return kept === "light" || kept === "dark" ? kept : "auto"
}

/** The language that was chosen, or that of the browser, as far as it is built in. */
const readLanguage = (languages: ReadonlyArray<string>): "en" | "de" => {
  const kept = read("language")
  if (kept === "en" || kept === "de") return kept
  const known = languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "en" || tag === "de")
  return known === "de" ? "de" : "en"
}

/** The same as the browser says it, with the country, by whose custom days and hours are written. */
export const readLocale = (languages: ReadonlyArray<string>): string => {
  const language = readLanguage(languages)
  return languages.find((tag) => tag.slice(0, 2).toLowerCase() === language) ?? language
}

export const readWorkspace = (): string => read("workspace")
