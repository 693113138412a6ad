import { html, nothing, type TemplateResult } from "lit"
import { button } from "../parts/button.ts"
import { icon } from "../parts/icon.ts"
import { Menu } from "../parts/Menu.ts"
import type { InboxView } from "./InboxView.ts"
import type { Thread } from "./records.ts"
import { restore } from "./restore.ts"
import { snoozeTimes } from "./snoozeTimes.ts"

const item = (label: string, onClick: () => unknown, isChosen = false): TemplateResult =>
  html`<button
    type="button"
    class="menu-item"
    data-closes
    aria-pressed=${isChosen ? "true" : "false"}
    @click=${onClick}
  >
    <span dir="auto">${label}</span>${isChosen ? icon("check", 16) : nothing}
  </button>`

const assignMenu = (view: InboxView, thread: Thread): TemplateResult => {
  const { agent, agents, store, texts } = view
  const names = Array.from(new Set([agent, ...agents, thread.assigned_to ?? ""])).filter((name) => name !== "")
  const assign = (name: string) => (): Promise<boolean> =>
    store.setState(thread.id, { thread_status: "assigned", assigned_to: name })
  const typed = (event: SubmitEvent): void => {
    event.preventDefault()
    const { target } = event
    if (!(target instanceof HTMLFormElement)) return
    const name = String(new FormData(target).get("name") ?? "").trim()
    if (name === "") return
    target.reset()
    void assign(name)().then((isDone) => restore(target, "name", isDone, name))
    const menu = target.closest("loopbox-menu")
    if (menu instanceof Menu) menu.hide()
  }
  return html`<loopbox-menu
    class="assign"
    .label=${texts.assign}
    .icon=${"person"}
    .iconOnly=${true}
    .quiet=${true}
    .keys=${"a"}
  >
    ${names.map((name) => item(name === agent ? `${texts.assignToMe} (${name})` : name, assign(name), name === thread.assigned_to))}
    <form class="menu-form" @submit=${typed}>
      <input
        class="input"
        name="name"
        aria-label=${texts.name}
        placeholder=${texts.name}
        maxlength="100"
        autocomplete="off"
      />
      ${button({ label: texts.assign, type: "submit" })}
    </form>
    ${
      thread.thread_status === "assigned"
        ? item(texts.unassign, () => store.setState(thread.id, { thread_status: "open" }))
        : nothing
    }
  </loopbox-menu>`
}

const snoozeMenu = (view: InboxView, thread: Thread): TemplateResult => {
  const { store, texts } = view
  const thread_status = thread.thread_status === "assigned" ? "assigned" : "open"
  const snooze = (until: Date | null) => (): Promise<boolean> =>
    store.setState(thread.id, { thread_status, snoozed_until: until?.toISOString() ?? null })
  const times = snoozeTimes(view.now)
  return html`<loopbox-menu .label=${texts.snooze} .icon=${"clock"} .iconOnly=${true} .quiet=${true}>
    ${item(texts.snoozeFor.hours, snooze(times.hours))} ${item(texts.snoozeFor.tomorrow, snooze(times.tomorrow))}
    ${item(texts.snoozeFor.week, snooze(times.week))}
    ${thread.snoozed_until === null ? nothing : item(texts.unsnooze, snooze(null))}
  </loopbox-menu>`
}

/** What can be done with a conversation as a whole. */
export const workBar = (view: InboxView, thread: Thread): TemplateResult => {
  const { isDetailsOpen, showDetails, store, texts } = view
  const isResolved = thread.thread_status === "resolved"
  return html`<div class="work" part="work">
    ${assignMenu(view, thread)} ${snoozeMenu(view, thread)}
    <span class="mark-unread"
      >${button({
        label: texts.markUnread,
        icon: "unread",
        iconOnly: true,
        kind: "quiet",
        keys: "u",
        onClick: () => store.markUnread()
      })}</span
    >
    <span class="details-toggle"
      >${button({
        label: isDetailsOpen ? texts.closeDetails : texts.details,
        icon: "panel",
        iconOnly: true,
        kind: "quiet",
        pressed: isDetailsOpen,
        onClick: () => showDetails(!isDetailsOpen)
      })}</span
    >
    ${button({
      label: isResolved ? texts.reopen : texts.resolve,
      icon: isResolved ? "refresh" : "check",
      kind: "plain",
      keys: "e",
      part: "resolve",
      onClick: view.resolve
    })}
  </div>`
}
