import { html, nothing, type TemplateResult } from "lit"
import { icon, type IconName } from "./icon.ts"

export interface ButtonOptions {
  readonly label: string
  readonly onClick?: ((event: MouseEvent) => void) | undefined
  /** `primary` once a view at most; `plain` unless said otherwise; `quiet` without a frame. */
  readonly kind?: "primary" | "plain" | "quiet" | "danger" | undefined
  readonly icon?: IconName | undefined
  /** Only the icon is seen; the label is its name and its tooltip. */
  readonly iconOnly?: boolean | undefined
  readonly type?: "button" | "submit" | undefined
  readonly disabled?: boolean | undefined
  /** Its work is running: it says so, keeps its place and does nothing more. */
  readonly busy?: boolean | undefined
  readonly pressed?: boolean | undefined
  /** Whether what it shows and hides is shown. */
  readonly expanded?: boolean | undefined
  /** Names it for `::part` and for tests. */
  readonly part?: string | undefined
  /** Keys that do the same, for `aria-keyshortcuts` and the tooltip. */
  readonly keys?: string | undefined
}

/** A native button. */
export const button = (options: ButtonOptions): TemplateResult =>
  html`<button
    class="button ${options.kind ?? "plain"} ${options.iconOnly ? "icon-only" : ""}"
    type=${options.type ?? "button"}
    part=${options.part ?? nothing}
    ?disabled=${options.disabled ?? false}
    aria-disabled=${options.busy ? "true" : nothing}
    aria-busy=${options.busy ? "true" : nothing}
    aria-pressed=${options.pressed === undefined ? nothing : `${options.pressed}`}
    aria-expanded=${options.expanded === undefined ? nothing : `${options.expanded}`}
    aria-keyshortcuts=${options.keys ?? nothing}
    aria-label=${options.iconOnly ? options.label : nothing}
    title=${options.iconOnly ? `${options.label}${options.keys === undefined ? "" : ` (${options.keys})`}` : nothing}
    @click=${(event: MouseEvent) => {
      if (!options.busy) options.onClick?.(event)
      else event.preventDefault()
    }}
  >
    ${options.busy ? html`<span class="spinner"></span>` : options.icon === undefined ? nothing : icon(options.icon)}
    ${options.iconOnly ? nothing : html`<span>${options.label}</span>`}
  </button>`
