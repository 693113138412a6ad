import { html, nothing, type TemplateResult } from "lit"
import { ref } from "lit/directives/ref.js"
import { repeat } from "lit/directives/repeat.js"
import { avatar } from "../parts/avatar.ts"
import { beginningOf } from "../parts/beginningOf.ts"
import { button } from "../parts/button.ts"
import { selectField, textField } from "../parts/field.ts"
import { icon } from "../parts/icon.ts"
import { networkBadge } from "../parts/networkBadge.ts"
import { emptyState, errorLine, loadingState } from "../parts/states.ts"
import { tabs } from "../parts/tabs.ts"
import { timeOf } from "../parts/Time.ts"
import { shortTime } from "../parts/times.ts"
import "../parts/Menu.ts"
import { noFilter, views } from "./Filter.ts"
import { type InboxView, kindName, peopleOf, sourceName } from "./InboxView.ts"
import type { Thread } from "./records.ts"

const hasMoreFilters = ({ filter }: InboxView): boolean => filter.source !== "" || filter.label !== "" || filter.unread

const filterMenu = (view: InboxView): TemplateResult => {
  const { changeFilter, filter, store, texts } = view
  const sources = ["ig_comment", "ig_dm", "fb_comment", "fb_dm", "threads_reply", "x_reply"]
  return html`<loopbox-menu
    class=${hasMoreFilters(view) ? "has-filters" : ""}
    .label=${texts.filters}
    .icon=${"filter"}
    .iconOnly=${true}
    .quiet=${true}
  >
    <div class="filter-fields">
      ${selectField({
        id: "filter-source",
        label: texts.source,
        value: filter.source,
        options: [
          { value: "", label: texts.anySource },
          ...sources.map((source) => ({ value: source, label: sourceName(texts, source) }))
        ],
        onInput: (source) => changeFilter({ source })
      })}
      ${
        store.labels.length === 0
          ? nothing
          : selectField({
              id: "filter-label",
              label: texts.label,
              value: filter.label,
              options: [
                { value: "", label: texts.anyLabel },
                ...store.labels.map((label) => ({ value: label, label }))
              ],
              onInput: (label) => changeFilter({ label })
            })
      }
      <label class="check">
        <input
          type="checkbox"
          .checked=${filter.unread}
          @change=${(event: Event) =>
            changeFilter({ unread: event.target instanceof HTMLInputElement && event.target.checked })}
        />
        ${texts.onlyUnread}
      </label>
      ${
        hasMoreFilters(view)
          ? button({
              label: texts.clearFilters,
              onClick: () => changeFilter({ source: "", label: "", unread: false })
            })
          : nothing
      }
    </div>
  </loopbox-menu>`
}

const toolbar = (view: InboxView): TemplateResult => {
  const { agent, changeFilter, filter, texts } = view
  const shown = views.filter((one) => one !== "mine" || agent !== "")
  return html`<div class="list-tools">
    <div class="search">
      ${icon("search", 16)}
      ${textField({
        id: "search",
        label: texts.search,
        hideLabel: true,
        type: "search",
        placeholder: texts.searchShort,
        value: filter.query,
        onInput: (query) => changeFilter({ query })
      })}
      ${filterMenu(view)}
      <span class="keys-button"
        >${button({
          label: texts.keys,
          icon: "keyboard",
          iconOnly: true,
          kind: "quiet",
          keys: view.hasSingleKeys ? "?" : undefined,
          onClick: () => view.showHelp(true)
        })}</span
      >
    </div>
    ${tabs({
      label: texts.conversations,
      tabs: shown.map((id) => ({ id, label: texts.views[id] })),
      selected: filter.view,
      onSelect: (id) => changeFilter({ view: id }),
      panel: "list"
    })}
  </div>`
}

const preview = (view: InboxView, { last_item }: Thread): TemplateResult => {
  const { texts } = view
  const { attachments, body, is_own } = last_item
  const kinds = attachments.map(({ type }) => texts.attachment[type])
  const words = body === "" ? kinds.join(", ") : beginningOf(body, 120)
  return html`<span class="preview" dir="auto"
    >${is_own ? html`<bdi class="own">${texts.you}: </bdi>` : nothing}${words}</span
  >`
}

const facts = (view: InboxView, thread: Thread): TemplateResult => {
  const { agent, language, texts } = view
  return html`<span class="fact">${kindName(texts, thread.source)} · ${thread.account.name}</span>${
      thread.thread_status === "resolved"
        ? html`<span class="status good">${icon("check", 12)}${texts.statuses.resolved}</span>`
        : nothing
    }${
      thread.thread_status === "assigned"
        ? html`<span class="status"
            >${icon("person", 12)}<span
              >${thread.assigned_to === agent && agent !== "" ? texts.you : (thread.assigned_to ?? texts.statuses.assigned)}</span
            ></span
          >`
        : nothing
    }${
      thread.snoozed_until === null
        ? nothing
        : html`<span class="status careful"
            >${icon("clock", 12)}${timeOf(thread.snoozed_until, language, "long")}</span
          >`
    }${thread.labels.slice(0, 2).map((label) => html`<span class="status label" dir="auto"><span>${label}</span></span>`)}`
}

/** A row that nobody can read yet, because whole screens pass: without words, whose layout would hold the scrolling up. */
const passing = html`<span class="picture passing"></span
  ><span class="lines"><span class="passing"></span><span class="passing"></span></span>`

const whole = (view: InboxView, thread: Thread, people: string): TemplateResult => {
  const { language, texts } = view
  const picture = thread.participants[0]?.author_avatar_url ?? null
  return html`<span class="picture">${avatar(people, picture)}${networkBadge(thread.account.network)}</span>
    <span class="lines">
      <span class="line">
        <span class="name" dir="auto">${people}</span>
        <time class="time" datetime=${thread.last_item_at}
          >${shortTime(new Date(thread.last_item_at), view.now, language)}</time
        >
      </span>
      <span class="line">
        ${preview(view, thread)}
        ${
          thread.unread_count > 0
            ? html`<span class="unread-count"
                ><span aria-hidden="true">${thread.unread_count > 99 ? "99+" : thread.unread_count}</span
                ><span class="visually-hidden">${texts.unreadCount(thread.unread_count)}</span></span
              >`
            : nothing
        }
      </span>
      <span class="line facts">${facts(view, thread)}</span>
    </span>`
}

/** A row in its place among those that are drawn; `above` only where it stands outside of them, in pixels from the first. */
const row = (view: InboxView, thread: Thread, place: number, above: number | undefined): TemplateResult => {
  const { current, rows, select, store } = view
  const people = peopleOf(thread)
  const isOpen = store.opened?.id === thread.id
  const { list } = store
  return html`<li
    class=${above === undefined ? nothing : "outside"}
    .style=${above === undefined ? "" : `inset-block-start: ${above}px`}
    aria-setsize=${list.hasMore ? -1 : list.length}
    aria-posinset=${place + 1}
  >
    <button
      type="button"
      part="conversation"
      class="row ${thread.unread_count > 0 ? "is-unread" : ""} ${isOpen ? "is-open" : ""} ${thread.thread_status === "resolved" ? "is-resolved" : ""}"
      data-thread=${thread.id}
      tabindex=${thread.id === (current ?? list.at(0)?.id) ? 0 : -1}
      aria-current=${isOpen ? "true" : nothing}
      aria-label=${rows.isRushing ? people : nothing}
      @click=${() => select(thread.id)}
    >
      ${rows.isRushing ? passing : whole(view, thread, people)}
    </button>
  </li>`
}

const emptyList = (view: InboxView): TemplateResult => {
  const { changeFilter, filter, texts } = view
  if (filter.query !== "" || hasMoreFilters(view)) {
    return emptyState({
      heading: texts.noMatchHeading,
      text: texts.noMatchText,
      icon: "search",
      action: button({
        label: texts.clearFilters,
        onClick: () => changeFilter({ ...noFilter, view: filter.view })
      })
    })
  }
  return filter.view === "all"
    ? emptyState({ heading: texts.emptyHeading, text: texts.emptyText, icon: "unread" })
    : emptyState({ heading: texts.doneHeading, text: texts.doneText, icon: "check" })
}

const listEnd = (view: InboxView): TemplateResult | typeof nothing => {
  const { partTexts, store, texts } = view
  const { list } = store
  if (list.moreError !== undefined) return errorLine(list.moreError, partTexts, () => void list.loadMore())
  if (list.isLoadingMore) return html`<p class="list-end">${partTexts.loading}</p>`
  return list.hasMore ? nothing : html`<p class="list-end">${texts.end}</p>`
}

const rowsOf = (view: InboxView): TemplateResult => {
  const { current, isSlow, partTexts, rows, store, texts } = view
  const { list } = store
  // Said above already, for all panes.
  if (list.state === "failed" && store.connection === "refused") return html``
  if (list.state === "failed")
    return html`<div class="pad">${errorLine(list.error, partTexts, () => store.restart())}</div>`
  if (list.state === "loading" && list.length === 0) return loadingState(partTexts, isSlow)
  if (list.length === 0) return emptyList(view)
  const { from, slots, to } = rows.range(list.length)
  const places = Array.from({ length: to - from }, (_, at) => from + at)
  const focused = current === undefined ? -1 : list.indexOf(current)
  const isOutside = focused >= 0 && (focused < from || focused >= to)
  // The focus is in it, so it stays even where it is not seen; first or last, as whoever reads on expects.
  if (isOutside && focused < from) places.unshift(focused)
  else if (isOutside) places.push(focused)
  // Rows are drawn anew in elements that are there: many times faster than new elements. While whole screens pass none of
  // them is moved in the document, which costs the most.
  const slotOf = (place: number) => (rows.isRushing ? place - from : place % slots)
  // One style of the list says where its rows stand, and none of a row's own: browsers keep all styles that they have met
  // until they next collect garbage, and the more there are the longer each row takes.
  return html`<div class="extent" .style=${`block-size: ${list.length * rows.rowHeight}px`}>
      <ul role="list" aria-label=${texts.conversations} .style=${`inset-block-start: ${from * rows.rowHeight}px`}>
        ${repeat(
          places,
          (place) => (isOutside && place === focused ? "focused" : slotOf(place)),
          (place) => {
            const thread = list.at(place)
            const above = isOutside && place === focused ? (place - from) * rows.rowHeight : undefined
            return thread === undefined ? nothing : row(view, thread, place, above)
          }
        )}
      </ul>
    </div>
    ${listEnd(view)}`
}

/** The conversations: search, filters, and the list, of which only the rows that are seen are drawn. */
export const listPane = (view: InboxView): TemplateResult => {
  const { rows, store, texts } = view
  const onScroll = (): void => {
    const { list } = store
    if (rows.hasMoved(list.length)) view.redrawRows()
    if (rows.isNearEnd(list.length)) void list.loadMore()
  }
  return html`<section class="list-pane" part="list" aria-label=${texts.conversations}>
    ${toolbar(view)}
    <div
      class="scroller"
      id="list"
      role="tabpanel"
      aria-label=${texts.views[view.filter.view]}
      aria-busy=${store.list.state === "loading" ? "true" : "false"}
      @scroll=${onScroll}
      ${ref(rows.attach)}
    >
      ${rowsOf(view)}
    </div>
  </section>`
}
