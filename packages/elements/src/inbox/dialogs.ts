import { html, nothing, type TemplateResult } from "lit"
import { beginningOf } from "../parts/beginningOf.ts"
import { button } from "../parts/button.ts"
import "../parts/Dialog.ts"
import type { InboxView } from "./InboxView.ts"

/** The keys, and the switch that turns single ones off. */
const helpDialog = (view: InboxView): TemplateResult => {
  const { hasSingleKeys, isHelpOpen, partTexts, showHelp, texts, useSingleKeys } = view
  const names = texts.keyNames
  const single = [
    ["j ↓", names.next],
    ["k ↑", names.previous],
    ["Enter", names.open],
    ["r", names.reply],
    ["e", names.resolve],
    ["a", names.assign],
    ["u", names.unread],
    ["/", names.search],
    ["?", names.help]
  ]
  const others = [
    ["Ctrl/⌘ Enter", names.send],
    ["Esc", names.close]
  ]
  const line = ([keys = "", name = ""]: ReadonlyArray<string>) =>
    html`<div>
      <dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt>
      <dd>${name}</dd>
    </div>`
  return html`<loopbox-dialog
    .heading=${texts.keys}
    .closeLabel=${partTexts.close}
    .open=${isHelpOpen}
    @close=${() => showHelp(false)}
  >
    <p class="muted">${texts.keysText}</p>
    <dl class="keys ${hasSingleKeys ? "" : "is-off"}">${single.map(line)}</dl>
    <dl class="keys">${others.map(line)}</dl>
    <label class="check">
      <input
        type="checkbox"
        .checked=${hasSingleKeys}
        @change=${(event: Event) => useSingleKeys(event.target instanceof HTMLInputElement && event.target.checked)}
      />
      ${texts.singleKeys}
    </label>
  </loopbox-dialog>`
}

const deleteDialog = (view: InboxView): TemplateResult => {
  const { askDelete, deleting, partTexts, store, texts } = view
  return html`<loopbox-dialog
    .heading=${texts.removeHeading}
    .closeLabel=${partTexts.close}
    .open=${deleting !== undefined}
    @close=${() => askDelete(undefined)}
  >
    ${deleting === undefined ? nothing : html`<blockquote dir="auto">${beginningOf(deleting.body, 300)}</blockquote>`}
    <p>${texts.removeText}</p>
    <span slot="actions">${button({ label: partTexts.cancel, onClick: () => askDelete(undefined) })}</span>
    <span slot="actions"
      >${button({
        label: texts.removeIt,
        kind: "danger",
        icon: "trash",
        onClick: () => {
          if (deleting !== undefined) store.moderate(deleting, "delete")
          askDelete(undefined)
        }
      })}</span
    >
  </loopbox-dialog>`
}

export const dialogs = (view: InboxView): TemplateResult => html`${helpDialog(view)} ${deleteDialog(view)}`
