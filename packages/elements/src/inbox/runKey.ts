import type { InboxStore } from "./InboxStore.ts"
import type { KeyAction } from "./keys.ts"

/** What keys do something to. */
interface KeyedInbox {
  readonly root: DocumentFragment | HTMLElement
  readonly store: InboxStore
  readonly isNarrow: boolean
  readonly move: (step: number) => boolean
  readonly resolve: () => void
  readonly focusAfter: (place: "composer" | "row" | "thread") => void
  readonly showHelp: () => void
  readonly goBack: () => void
}

const openAssigning = (root: KeyedInbox["root"]): boolean => {
  const menu = root.querySelector("loopbox-menu.assign")
  if (menu === null || !("show" in menu) || typeof menu.show !== "function") return false
  menu.show()
  return true
}

const goBack = (inbox: KeyedInbox, target: HTMLElement): boolean => {
  if (target.matches("textarea, input")) inbox.focusAfter(inbox.isNarrow ? "thread" : "row")
  else if (inbox.store.opened === undefined) return false
  else inbox.goBack()
  return true
}

/** Does what a key asks for; false where it means nothing now, so that the page may have it. */
export const runKey = (action: KeyAction, target: HTMLElement, inbox: KeyedInbox): boolean => {
  const { opened } = inbox.store
  switch (action) {
    case "next":
      return inbox.move(1)
    case "previous":
      return inbox.move(-1)
    case "assign":
      return openAssigning(inbox.root)
    case "back":
      return goBack(inbox, target)
    case "help":
      inbox.showHelp()
      return true
    case "search": {
      const field = inbox.root.querySelector("#search")
      if (field instanceof HTMLElement) field.focus()
      return true
    }
    case "reply":
      if (opened === undefined) return false
      opened.compose({ itemId: null, mode: "reply" })
      inbox.focusAfter("composer")
      return true
    case "resolve":
      if (opened === undefined) return false
      inbox.resolve()
      return true
    case "unread":
      if (opened === undefined) return false
      inbox.store.markUnread()
      return true
  }
}
