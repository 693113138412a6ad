/** What a key does in an inbox. */
export type KeyAction = "next" | "previous" | "reply" | "resolve" | "assign" | "unread" | "search" | "help" | "back"

const single: Readonly<Record<string, KeyAction>> = {
  j: "next",
  k: "previous",
  r: "reply",
  e: "resolve",
  a: "assign",
  u: "unread",
  "/": "search",
  "?": "help"
}

const inList: Readonly<Record<string, KeyAction>> = { ArrowDown: "next", ArrowUp: "previous" }

interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly isComposing: boolean
}

/** The place where it was pressed. */
export interface KeyPlace {
  /** Letters are typed there. */
  readonly isTyping: boolean
  /** It is a row of the list. */
  readonly isInList: boolean
  readonly hasSingleKeys: boolean
}

/** What a pressed key asks for; undefined where it is not for the inbox. */
export const actionOf = (pressed: Pressed, place: KeyPlace): KeyAction | undefined => {
  if (pressed.isComposing || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return undefined
  if (pressed.key === "Escape") return "back"
  if (place.isInList && inList[pressed.key] !== undefined) return inList[pressed.key]
  if (place.isTyping || !place.hasSingleKeys) return undefined
  return single[pressed.key]
}
