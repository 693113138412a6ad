/** Texts of one area in the languages that are built in: an area's English object, and others of its type. */
export interface Area<Messages> {
  readonly english: Messages
  readonly german: Messages
}

/** The texts for a language tag; English for what is not built in. What a page replaces wins over both. */
export const messagesFor = <Messages extends object>(
  area: Area<Messages>,
  language: string,
  replaced: Partial<Messages> = {}
): Messages => ({ ...(/^de(-|$)/i.test(language) ? area.german : area.english), ...replaced })

/** The nearest `lang` around an element, out of shadow roots too; "en" where the page says none. */
export const languageOf = (element: Element): string => {
  for (let at: Element | undefined = element; at !== undefined;) {
    const nearest: Element | null = at.closest("[lang]")
    const tag = nearest?.getAttribute("lang") ?? ""
    if (tag !== "") return tag
    const root = at.getRootNode()
    at = root instanceof ShadowRoot ? root.host : undefined
  }
  return "en"
}
