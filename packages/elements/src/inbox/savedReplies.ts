import { html, type TemplateResult } from "lit"
import "../parts/Menu.ts"
import { beginningOf } from "../parts/beginningOf.ts"
import type { InboxView } from "./InboxView.ts"
import type { OpenThread } from "./OpenThread.ts"

/** A menu of texts to answer with; a chosen one is put behind what is written. */
export const savedReplies = (view: InboxView, opened: OpenThread): TemplateResult => {
  const { store, texts } = view
  const insert = (text: string) => (): void => {
    const before = opened.kept.text
    opened.write({ text: before.trim() === "" ? text : `${before.trimEnd()} ${text}` })
    view.focusComposer()
  }
  const saved = store.savedReplies ?? []
  return html`<loopbox-menu side="up" .label=${texts.savedReplies} .icon=${"note"} .iconOnly=${true} .quiet=${true}>
    ${
      saved.length === 0
        ? html`<p class="menu-text">${texts.noSavedReplies}</p>`
        : saved.map(
            ({ name, text }) =>
              html`<button type="button" class="menu-item" data-closes @click=${insert(text)}>
                <strong dir="auto">${name}</strong>
                <span class="menu-hint" dir="auto">${beginningOf(text, 80)}</span>
              </button>`
          )
    }
  </loopbox-menu>`
}
