import { html, nothing, type TemplateResult } from "lit"
import { repeat } from "lit/directives/repeat.js"
import { button } from "../parts/button.ts"
import { networkBadge } from "../parts/networkBadge.ts"
import { emptyState, errorLine, loadingState } from "../parts/states.ts"
import { dayName } from "../parts/times.ts"
import { timeOf } from "../parts/Time.ts"
import { composer } from "./composer.ts"
import { type InboxView, kindName, peopleOf, sourceName } from "./InboxView.ts"
import { answerView, messageView } from "./messageView.ts"
import type { OpenThread } from "./OpenThread.ts"
import type { Item, Thread } from "./records.ts"
import { workBar } from "./workBar.ts"

const heading = (view: InboxView, thread: Thread | undefined): TemplateResult => {
  const { goBack, language, texts } = view
  return html`<header class="thread-head">
    <span class="back"
      >${button({ label: texts.back, icon: "back", iconOnly: true, kind: "quiet", onClick: goBack })}</span
    >
    ${
      thread === undefined
        ? nothing
        : html`<div class="who">
              <h2 id="thread-name" tabindex="-1" dir="auto">${peopleOf(thread)}</h2>
              <p>
                ${networkBadge(thread.account.network)}<span
                  ><span class="source">${sourceName(texts, thread.source)}</span
                  ><span class="kind">${kindName(texts, thread.source)}</span> · ${thread.account.name}</span
                >
                ${thread.assigned_to === null ? nothing : html`<span class="status">${texts.assigned(thread.assigned_to)}</span>`}
                ${thread.thread_status === "resolved" ? html`<span class="status good">${texts.statuses.resolved}</span>` : nothing}
                ${
                  thread.snoozed_until === null
                    ? nothing
                    : html`<span class="status careful"
                        >${texts.views.snoozed}: ${timeOf(thread.snoozed_until, language, "long")}</span
                      >`
                }
              </p>
            </div>
            ${workBar(view, thread)}`
    }
  </header>`
}

interface Line {
  readonly key: string
  readonly content: TemplateResult
}

/** The items with a line before each day's first. */
const linesOf = (view: InboxView, items: ReadonlyArray<Item>): ReadonlyArray<Line> => {
  let day = ""
  let author = ""
  return items.flatMap((item) => {
    const itemDay = new Date(item.received_at).toDateString()
    const itemAuthor = item.is_own ? "own" : `${item.author_id ?? item.author_name}`
    const isNewDay = itemDay !== day
    const isFirst = isNewDay || itemAuthor !== author
    day = itemDay
    author = itemAuthor
    const line: Line = { key: item.id, content: html`<li>${messageView(view, item, isFirst)}</li>` }
    if (!isNewDay) return [line]
    const name = dayName(new Date(item.received_at), view.now, view.language)
    return [{ key: `day ${itemDay}`, content: html`<li class="day"><span>${name}</span></li>` }, line]
  })
}

const conversation = (view: InboxView, opened: OpenThread): TemplateResult => {
  const { partTexts, store, texts } = view
  const lines = [
    ...linesOf(view, opened.items),
    ...opened.answers.map((answer) => ({ key: answer.key, content: html`<li>${answerView(view, answer)}</li>` }))
  ]
  const { hasOlder, isLoadingOlder } = opened
  return html`<div
      class="messages"
      id="messages"
      tabindex="0"
      role="region"
      aria-label=${texts.thread}
      @scroll=${view.scrolled}
    >
      ${
        hasOlder
          ? html`<div class="earlier">
              ${button({ label: texts.earlier, kind: "quiet", busy: isLoadingOlder, onClick: () => void opened.loadOlder() })}
            </div>`
          : nothing
      }
      <ol role="list">
        ${repeat(
          lines,
          ({ key }) => key,
          ({ content }) => content
        )}
      </ol>
    </div>
    ${
      view.below > 0
        ? html`<div class="below">
            ${button({ label: texts.newBelow(view.below), icon: "down", kind: "primary", onClick: view.scrollDown })}
          </div>`
        : nothing
    }
    ${
      opened.actionError === undefined
        ? nothing
        : html`<div class="pad">
            ${errorLine(opened.actionError, partTexts, () => {
              opened.actionError = undefined
              void opened.load()
            })}
          </div>`
    }
    ${store.connection === "refused" ? nothing : composer(view, opened)}`
}

const body = (view: InboxView, opened: OpenThread): TemplateResult => {
  const { isSlow, partTexts } = view
  if (opened.state === "failed") {
    return html`<div class="pad grow">${errorLine(opened.error, partTexts, () => void opened.load())}</div>`
  }
  if (opened.state === "loading" && opened.items.length === 0) {
    return html`<div class="grow center">${loadingState(partTexts, isSlow)}</div>`
  }
  return conversation(view, opened)
}

/** The open conversation. */
export const threadPane = (view: InboxView): TemplateResult => {
  const { store, texts } = view
  const { opened } = store
  return html`<section
    class="thread-pane"
    part="thread"
    aria-label=${opened?.thread === undefined ? texts.pick : peopleOf(opened.thread)}
  >
    ${
      opened === undefined
        ? html`<div class="grow center">
            ${emptyState({ heading: texts.pick, text: view.hasSingleKeys ? texts.pickText : undefined, icon: "unread" })}
          </div>`
        : html`${heading(view, opened.thread)} ${body(view, opened)}`
    }
  </section>`
}
