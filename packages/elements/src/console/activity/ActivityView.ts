import { css, html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit"
import { messagesFor } from "../../base/language.ts"
import { LoopboxElement } from "../../base/LoopboxElement.ts"
import { tokens } from "../../base/tokens.ts"
import { type ActivityMessages, englishActivity } from "../../messages/english/activity.ts"
import { germanActivity } from "../../messages/german/activity.ts"
import { controls } from "../../parts/controls.ts"
import { emptyState, errorLine, loadingState } from "../../parts/states.ts"
import { tabs } from "../../parts/tabs.ts"
import { clockTime, clockTimeWithSeconds } from "../../parts/times.ts"
import type { PageContext } from "../shell/ConsolePage.ts"
import "./ActivityChart.ts"
import { type ActivityReport, type Chart, chartsOf, curveName, rowsOf, summaryOf } from "./charts.ts"

type Range = "hour" | "day"

const everyMs = 10_000

/** `<loopbox-console-activity>`: charts of the last hour or day, each with its table. */
export class ActivityView extends LoopboxElement {
  static override properties: PropertyDeclarations = { ...LoopboxElement.properties, context: { attribute: false } }

  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }

      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        justify-content: space-between;
        gap: 0.75rem;
        margin-block-end: 1.25rem;
      }

      h1 {
        font-size: 1.375rem;
        letter-spacing: -0.015em;
      }

      h2 {
        font-size: 0.9375rem;
      }

      .quiet-text,
      summary {
        color: var(--lb-muted);
        font-size: 0.8125rem;
      }

      .charts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr));
        align-items: start;
        gap: 1rem;
      }

      .chart {
        display: grid;
        align-content: start;
        gap: 0.5rem;
        min-inline-size: 0;
        padding: 0.875rem 1rem;
        border: 1px solid var(--lb-border);
        border-radius: calc(var(--lb-radius) * 1.5);
      }

      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 1rem;
        font-size: 0.8125rem;
      }

      .legend li {
        display: flex;
        align-items: center;
        gap: 0.375rem;
      }

      .legend li::before {
        inline-size: 0.625rem;
        block-size: 0.625rem;
        border-radius: 50%;
        background: currentColor;
        content: "";
      }

      .legend span {
        color: var(--lb-muted);
      }

      .legend strong {
        color: var(--lb-text);
        font-variant-numeric: tabular-nums;
      }

      .legend li:nth-child(5n + 1) {
        color: var(--lb-accent);
      }

      .legend li:nth-child(5n + 2) {
        color: var(--lb-success);
      }

      .legend li:nth-child(5n + 3) {
        color: var(--lb-warning);
      }

      .legend li:nth-child(5n + 4) {
        color: var(--lb-danger);
      }

      .legend li:nth-child(5n) {
        color: var(--lb-muted);
      }

      .scroll {
        overflow: auto;
        max-block-size: 14rem;
      }

      table {
        inline-size: 100%;
        border-collapse: collapse;
        font-size: 0.8125rem;
        font-variant-numeric: tabular-nums;
      }

      th,
      td {
        padding: 0.25rem 0.5rem;
        text-align: end;
      }

      th:first-child {
        text-align: start;
      }
    `
  ]

  declare context: PageContext | undefined

  #range: Range = "hour"
  #report: ActivityReport | undefined
  #failure: unknown
  #timer: ReturnType<typeof setInterval> | undefined

  get #texts(): ActivityMessages {
    return messagesFor({ english: englishActivity, german: germanActivity }, this.language, this.messages)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#timer = setInterval(() => {
      if (!document.hidden && this.context?.host.isWaiting !== true) void this.#load()
    }, everyMs)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#timer)
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("context") && changed.get("context") === undefined) void this.#load()
  }

  protected override render(): TemplateResult {
    const texts = this.#texts
    return html`<div class="head">
        <div>
          <h1>${texts.heading}</h1>
          <p class="quiet-text">${texts.lead}</p>
        </div>
        ${tabs<Range>({
          label: texts.range,
          tabs: [
            { id: "hour", label: texts.hour },
            { id: "day", label: texts.day }
          ],
          selected: this.#range,
          panel: "charts",
          onSelect: (range) => {
            this.#range = range
            this.requestUpdate()
            void this.#load()
          }
        })}
      </div>
      <div id="charts" role="tabpanel" aria-label=${texts[this.#range]}>${this.#body()}</div>`
  }

  #body(): TemplateResult {
    const failed =
      this.#failure === undefined ? nothing : errorLine(this.#failure, this.partMessages, () => void this.#load())
    const report = this.#report
    if (report === undefined) return this.#failure === undefined ? loadingState(this.partMessages) : html`${failed}`
    const charts = chartsOf(report, Object.keys(englishActivity.charts))
    if (charts.length === 0 || report.times.length === 0) {
      return emptyState({ heading: this.#texts.empty, text: this.#texts.emptyText, icon: "clock" })
    }
    return html`${failed}
      <div class="charts">${charts.map((chart) => this.#chart(chart, report))}</div>`
  }

  #chart(chart: Chart, report: ActivityReport): TemplateResult {
    const names: Readonly<Record<string, string>> = this.#texts.charts
    const unit = this.#texts.units[chart.unit]
    const name = names[chart.name] ?? chart.name
    return html`<section class="chart" aria-label=${name}>
      <h2>${name}${unit === "" ? "" : ` (${unit})`}</h2>
      ${
        chart.hasAny
          ? html`${this.#legend(chart)}
              <loopbox-console-chart
                .chart=${chart}
                .times=${report.times}
                .language=${this.language}
              ></loopbox-console-chart>
              <details>
                <summary>${this.#texts.table}</summary>
                ${this.#table(chart, report)}
              </details>`
          : html`<p class="quiet-text">${this.#texts.nothing}</p>`
      }
    </section>`
  }

  #label(label: string): string {
    return curveName(label, this.#texts.labels)
  }

  #number(value: number | null): string {
    if (value === null) return "–"
    return new Intl.NumberFormat(this.language, { maximumSignificantDigits: value < 1 ? 2 : 6 }).format(value)
  }

  #legend(chart: Chart): TemplateResult {
    return html`<ul class="legend">
      ${chart.curves.map(
        ({ label, values }) =>
          html`<li><span>${this.#label(label)}</span> <strong>${this.#number(summaryOf(chart, values))}</strong></li>`
      )}
    </ul>`
  }

  #table(chart: Chart, { step_seconds, times }: ActivityReport): TemplateResult {
    const clock = step_seconds < 60 ? clockTimeWithSeconds : clockTime
    return html`<div class="scroll" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${this.#texts.time}</th>
            ${chart.curves.map(({ label }) => html`<th scope="col">${this.#label(label)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rowsOf(chart, times).map(
            ({ time, values }) =>
              html`<tr>
                <th scope="row">${clock(new Date(time * 1_000), this.language)}</th>
                ${values.map((value) => html`<td>${this.#number(value)}</td>`)}
              </tr>`
          )}
        </tbody>
      </table>
    </div>`
  }

  async #load(): Promise<void> {
    const { context } = this
    if (context === undefined) return
    const range = this.#range
    try {
      const report = await context.host.ask<ActivityReport>("GET", `/activity?range=${range}`)
      if (range !== this.#range) return
      this.#report = report
      this.#failure = undefined
    } catch (error) {
      // What was read before still stands, and is read anew in ten seconds.
      this.#failure = error
    }
    this.requestUpdate()
  }
}

if (customElements.get("loopbox-console-activity") === undefined)
  customElements.define("loopbox-console-activity", ActivityView)
