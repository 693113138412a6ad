/** By code, instead of the host's own sentences, which are English. */
const errors: Readonly<Record<string, string>> = {}

/** Texts of parts that all elements use. */
export const englishParts = {
  loading: "Loading…",
  loadingSlowly: "This takes longer than usual.",
  tryAgain: "Try again",
  close: "Close",
  cancel: "Cancel",
  showAll: (letters: number) => `Show all ${letters.toLocaleString("en")} characters`,
  showLess: "Show less",
  requestId: (id: string) => `Request ${id}`,
  connectionFailed: "Loopbox can't be reached. Check the connection, then try again.",
  timedOut: "Loopbox did not answer in time.",
  errors,
  failedHere: "Something went wrong in this page. Load it anew."
}

export type PartMessages = typeof englishParts
