import { html, nothing, type TemplateResult } from "lit"

export interface TabsOptions<Id extends string> {
  /** What the row of tabs is about. */
  readonly label: string
  readonly tabs: ReadonlyArray<{ readonly id: Id; readonly label: string; readonly count?: number | undefined }>
  readonly selected: Id
  readonly onSelect: (id: Id) => void
  /** The id of the element that they switch, which has `role="tabpanel"`. */
  readonly panel: string
}

/** One stop of the Tab key; the arrows, Home and End move and select. */
export const tabs = <Id extends string>(options: TabsOptions<Id>): TemplateResult => {
  const select = (event: Event, id: Id | undefined): void => {
    if (id === undefined) return
    options.onSelect(id)
    const { currentTarget } = event
    const list = currentTarget instanceof Element ? currentTarget.closest('[role="tablist"]') : null
    const tab = list?.querySelector(`[data-tab="${CSS.escape(id)}"]`)
    if (tab instanceof HTMLElement) tab.focus()
  }
  const onKey = (event: KeyboardEvent): void => {
    const ids = options.tabs.map(({ id }) => id)
    const at = ids.indexOf(options.selected)
    const { currentTarget } = event
    const isBackwards = currentTarget instanceof Element && getComputedStyle(currentTarget).direction === "rtl" ? -1 : 1
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + isBackwards,
      ArrowLeft: at - isBackwards,
      Home: 0,
      End: ids.length - 1
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    select(event, ids[(next + ids.length) % ids.length])
  }
  return html`<div class="tabs" role="tablist" aria-label=${options.label} @keydown=${onKey}>
    ${options.tabs.map(
      ({ count, id, label }) =>
        html`<button
          class="tab"
          type="button"
          role="tab"
          data-tab=${id}
          aria-selected=${id === options.selected ? "true" : "false"}
          aria-controls=${options.panel}
          tabindex=${id === options.selected ? 0 : -1}
          @click=${(event: Event) => select(event, id)}
        >
          ${label} ${count === undefined ? nothing : html`<span class="count">${count}</span>`}
        </button>`
    )}
  </div>`
}
