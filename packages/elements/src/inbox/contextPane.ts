import { html, nothing, type TemplateResult } from "lit"
import { avatar } from "../parts/avatar.ts"
import { button } from "../parts/button.ts"
import { icon } from "../parts/icon.ts"
import { isWebAddress } from "../parts/isWebAddress.ts"
import { networkBadge, networkName } from "../parts/networkBadge.ts"
import { plainText } from "../parts/plainText.ts"
import { timeOf } from "../parts/Time.ts"
import type { InboxView } from "./InboxView.ts"
import type { OpenThread } from "./OpenThread.ts"
import type { Thread } from "./records.ts"
import { restore } from "./restore.ts"

const post = (view: InboxView, opened: OpenThread, thread: Thread): TemplateResult | typeof nothing => {
  const { language, partTexts, texts } = view
  if (thread.linked_post_id === null) return nothing
  const { context } = opened
  return html`<section class="card">
    <h3>${texts.post}</h3>
    ${
      context === undefined
        ? html`<p class="muted">${opened.contextState === "loading" ? partTexts.loading : texts.postGone}</p>`
        : html`<div class="post">
            ${
              isWebAddress(context.media_url)
                ? html`<img
                    src=${context.media_url}
                    alt=""
                    loading="lazy"
                    decoding="async"
                    referrerpolicy="no-referrer"
                    @error=${(event: Event) => {
                      if (event.target instanceof HTMLElement) event.target.hidden = true
                    }}
                  />`
                : nothing
            }
            <p class="caption">
              ${context.caption === null || context.caption === "" ? html`<span class="muted">${texts.noCaption}</span>` : plainText(context.caption, partTexts)}
            </p>
            <p class="muted">
              ${context.timestamp === null ? nothing : timeOf(context.timestamp, language)}
              ${
                isWebAddress(context.permalink)
                  ? html`<a href=${context.permalink} target="_blank" rel="noopener noreferrer nofollow"
                      >${texts.openOnNetwork}</a
                    >`
                  : nothing
              }
            </p>
          </div>`
    }
  </section>`
}

const people = (view: InboxView, thread: Thread): TemplateResult => {
  const { texts } = view
  return html`<section class="card">
    <h3>${texts.person}</h3>
    <ul role="list" class="people">
      ${thread.participants.map(
        ({ author_avatar_url, author_name }) =>
          html`<li>${avatar(author_name, author_avatar_url, "small")}<span dir="auto">${author_name}</span></li>`
      )}
    </ul>
    <p class="account">
      ${networkBadge(thread.account.network)}
      <span>${networkName(thread.account.network)} · ${thread.account.name}</span>
    </p>
    <p class="muted">${texts.messages(thread.item_count)}</p>
  </section>`
}

const labels = (view: InboxView, thread: Thread): TemplateResult => {
  const { store, texts } = view
  const add = (event: SubmitEvent): void => {
    event.preventDefault()
    const { target } = event
    if (!(target instanceof HTMLFormElement)) return
    const label = String(new FormData(target).get("label") ?? "").trim()
    if (label === "") return
    target.reset()
    if (thread.labels.includes(label)) return
    // What was refused is there to be changed, unless another one is being typed.
    void store.setLabels(thread.id, [...thread.labels, label]).then((isDone) => restore(target, "label", isDone, label))
  }
  return html`<section class="card">
    <h3>${texts.labels}</h3>
    ${
      thread.labels.length === 0
        ? nothing
        : html`<ul role="list" class="labels">
            ${thread.labels.map(
              (label) =>
                html`<li class="status label">
                  <span dir="auto">${label}</span>
                  <button
                    type="button"
                    class="drop"
                    aria-label=${texts.removeLabel(label)}
                    title=${texts.removeLabel(label)}
                    @click=${() =>
                      void store.setLabels(
                        thread.id,
                        thread.labels.filter((one) => one !== label)
                      )}
                  >
                    ${icon("close", 12)}
                  </button>
                </li>`
            )}
          </ul>`
    }
    <form class="menu-form" @submit=${add}>
      <input
        class="input"
        name="label"
        list="known-labels"
        aria-label=${texts.addLabel}
        placeholder=${texts.addLabel}
        maxlength="50"
        autocomplete="off"
      />
      <datalist id="known-labels">${store.labels.map((label) => html`<option value=${label}></option>`)}</datalist>
      ${button({ label: texts.add, type: "submit" })}
    </form>
  </section>`
}

const notes = (view: InboxView, opened: OpenThread): TemplateResult => {
  const { language, partTexts, store, texts } = view
  return html`<section class="card">
    <h3>${texts.notes}</h3>
    ${opened.notes.length === 0 ? html`<p class="muted">${texts.noNotes}</p>` : nothing}
    <ul role="list" class="notes">
      ${opened.notes.map(
        ({ author, created_at, id, text }) =>
          html`<li class="note">
            <p>${plainText(text, partTexts)}</p>
            <p class="muted note-foot">
              <span
                >${author === null ? nothing : html`<span dir="auto">${author}</span> · `}${timeOf(created_at, language)}</span
              >
              ${button({
                label: texts.removeNote,
                icon: "trash",
                iconOnly: true,
                kind: "quiet",
                busy: opened.busy.has(`note:${id}`),
                onClick: () => store.removeNote(id)
              })}
            </p>
          </li>`
      )}
    </ul>
    ${button({
      label: texts.addNote,
      icon: "plus",
      kind: "quiet",
      onClick: () => {
        opened.compose({ mode: "note", itemId: null })
        view.focusComposer()
      }
    })}
  </section>`
}

/** What an open conversation hangs on, and what is known of it. */
export const contextPane = (view: InboxView): TemplateResult | typeof nothing => {
  const { showDetails, store, texts } = view
  const { opened } = store
  if (opened?.thread === undefined) return nothing
  return html`<aside class="context-pane" part="context" aria-label=${texts.context}>
    <span class="context-close"
      >${button({ label: texts.closeDetails, icon: "close", iconOnly: true, kind: "quiet", onClick: () => showDetails(false) })}</span
    >
    ${post(view, opened, opened.thread)} ${people(view, opened.thread)} ${labels(view, opened.thread)}
    ${notes(view, opened)}
  </aside>`
}
