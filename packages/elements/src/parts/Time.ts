import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit"
import { fullTime, relativeTime, shortTime } from "./times.ts"

/** Elements on the page that show a time: one timer for all of them. */
const shown = new Set<Time>()
let timer: ReturnType<typeof setInterval> | undefined

const tickMs = 20_000

/** `<loopbox-time at="…">`: a moment as it is told now, told anew as time goes by; the whole moment is its tooltip. */
export class Time extends LitElement {
  static override properties: PropertyDeclarations = { at: {}, language: {}, kind: {} }

  /** ISO text, as the API gives it. */
  declare at: string
  declare language: string
  /** `short` for lists, `long` for sentences: "3 hours ago". */
  declare kind: "short" | "long"

  constructor() {
    super()
    this.at = ""
    this.language = "en"
    this.kind = "short"
  }

  override connectedCallback(): void {
    super.connectedCallback()
    shown.add(this)
    timer ??= setInterval(() => {
      for (const one of shown) one.requestUpdate()
    }, tickMs)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    shown.delete(this)
    if (shown.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  protected override render(): TemplateResult | typeof nothing {
    const at = new Date(this.at)
    if (Number.isNaN(at.getTime())) return nothing
    const tell = this.kind === "short" ? shortTime : relativeTime
    return html`<time datetime=${this.at} title=${fullTime(at, this.language)}
      >${tell(at, new Date(), this.language)}</time
    >`
  }
}

if (customElements.get("loopbox-time") === undefined) customElements.define("loopbox-time", Time)

/** A moment in a template. */
export const timeOf = (at: string, language: string, kind: "short" | "long" = "short"): TemplateResult =>
  html`<loopbox-time .at=${at} .language=${language} .kind=${kind}></loopbox-time>`
