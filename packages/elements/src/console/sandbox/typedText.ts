const name = "loopbox-console-sandbox"

/** What was typed and not written yet, in this tab: a link to the console that is opened over the page loads it anew. */
export const readTyped = (): string => {
  try {
    return sessionStorage.getItem(name) ?? ""
  } catch {
    return ""
  }
}

export const keepTyped = (text: string): void => {
  try {
    if (text === "") sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {
    // A browser that keeps nothing: the page itself has it still.
    return
  }
}
