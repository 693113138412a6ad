import { html, nothing, type TemplateResult } from "lit"
import { live } from "lit/directives/live.js"

interface FieldOptions {
  /** Unique in its shadow root. */
  readonly id: string
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** What may be typed, in words. */
  readonly hint?: string | undefined
  /** What is wrong with it, in words; told where it is. */
  readonly error?: string | undefined
  readonly required?: boolean | undefined
  readonly disabled?: boolean | undefined
  /** The label is for screen readers only. */
  readonly hideLabel?: boolean | undefined
}

export interface TextFieldOptions extends FieldOptions {
  readonly type?: "text" | "search" | "url" | "password" | "number" | "datetime-local" | "color" | undefined
  readonly placeholder?: string | undefined
  readonly autocomplete?: string | undefined
  readonly maxLength?: number | undefined
  /** More than one line. */
  readonly rows?: number | undefined
  readonly onEnter?: (() => void) | undefined
}

export interface SelectOptions extends FieldOptions {
  readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>
}

const frame = (field: FieldOptions, control: TemplateResult): TemplateResult =>
  html`<div class="field">
    <label for=${field.id} class=${field.hideLabel ? "visually-hidden" : ""}>${field.label}</label>
    ${control} ${field.hint === undefined ? nothing : html`<p class="hint" id="${field.id}-hint">${field.hint}</p>`}
    ${field.error === undefined ? nothing : html`<p class="fault" id="${field.id}-fault">${field.error}</p>`}
  </div>`

const describedBy = (field: FieldOptions): string | typeof nothing => {
  const ids = [
    field.hint === undefined ? [] : [`${field.id}-hint`],
    field.error === undefined ? [] : [`${field.id}-fault`]
  ].flat()
  return ids.length === 0 ? nothing : ids.join(" ")
}

const valueOf = (event: Event): string => {
  const { target } = event
  return target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
    ? target.value
    : ""
}

/** A labelled input, or a textarea where it has rows. */
export const textField = (field: TextFieldOptions): TemplateResult =>
  frame(
    field,
    field.rows === undefined
      ? html`<input
          class="input"
          id=${field.id}
          type=${field.type ?? "text"}
          .value=${live(field.value)}
          placeholder=${field.placeholder ?? nothing}
          autocomplete=${field.autocomplete ?? "off"}
          maxlength=${field.maxLength ?? nothing}
          ?required=${field.required ?? false}
          ?disabled=${field.disabled ?? false}
          aria-invalid=${field.error === undefined ? nothing : "true"}
          aria-describedby=${describedBy(field)}
          @input=${(event: Event) => field.onInput(valueOf(event))}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key !== "Enter" || event.isComposing || field.onEnter === undefined) return
            event.preventDefault()
            field.onEnter()
          }}
        />`
      : html`<textarea
          class="input"
          id=${field.id}
          rows=${field.rows}
          .value=${live(field.value)}
          placeholder=${field.placeholder ?? nothing}
          ?required=${field.required ?? false}
          ?disabled=${field.disabled ?? false}
          aria-invalid=${field.error === undefined ? nothing : "true"}
          aria-describedby=${describedBy(field)}
          @input=${(event: Event) => field.onInput(valueOf(event))}
        ></textarea>`
  )

/** A labelled native select. */
export const selectField = (field: SelectOptions): TemplateResult =>
  frame(
    field,
    html`<select
      class="input"
      id=${field.id}
      .value=${live(field.value)}
      ?required=${field.required ?? false}
      ?disabled=${field.disabled ?? false}
      aria-invalid=${field.error === undefined ? nothing : "true"}
      aria-describedby=${describedBy(field)}
      @change=${(event: Event) => field.onInput(valueOf(event))}
    >
      ${field.options.map(
        ({ label, value }) => html`<option value=${value} ?selected=${value === field.value}>${label}</option>`
      )}
    </select>`
  )
