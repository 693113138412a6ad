import { css, html, LitElement, type PropertyDeclarations, type TemplateResult, unsafeCSS } from "lit"
import UPlot from "uplot"
import uplotStyles from "uplot/dist/uPlot.min.css?inline"
import { tokens } from "../../base/tokens.ts"
import type { Chart } from "./charts.ts"

const height = 150

/** Below this many seconds, an axis with minutes alone would say the same one twice. */
const secondsBelow = 600

/** Curves are told apart by colour, in the order of the legend; those after five are dashed. */
const colours = ["--lb-accent", "--lb-success", "--lb-warning", "--lb-danger", "--lb-muted"]

/** `<loopbox-console-chart>`: curves over time. A picture: what it shows is in the table beside it. */
export class ActivityChart extends LitElement {
  static override properties: PropertyDeclarations = {
    chart: { attribute: false },
    times: { attribute: false },
    language: {}
  }

  static override styles = [
    tokens,
    unsafeCSS(uplotStyles),
    css`
      :host {
        display: block;
        min-block-size: 150px;
      }
    `
  ]

  declare chart: Chart | undefined
  declare times: ReadonlyArray<number>
  declare language: string

  #plot: UPlot | undefined
  #resized: ResizeObserver | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    this.#resized = new ResizeObserver(() => this.#fit())
    this.#resized.observe(this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#resized?.disconnect()
    this.#plot?.destroy()
    this.#plot = undefined
  }

  protected override render(): TemplateResult {
    return html`<div class="place" aria-hidden="true"></div>`
  }

  protected override updated(): void {
    const place = this.renderRoot.querySelector(".place")
    if (this.chart === undefined || !(place instanceof HTMLElement)) return
    this.#plot?.destroy()
    const look = getComputedStyle(this)
    const colour = (name: string) => look.getPropertyValue(name).trim() || "#888"
    // A canvas knows no light-dark(): the colour that is seen is asked of an element.
    const seen = (name: string): string => {
      place.style.color = colour(name)
      return getComputedStyle(place).color
    }
    const axis = {
      stroke: seen("--lb-muted"),
      grid: { stroke: seen("--lb-border"), width: 1 },
      ticks: { show: false },
      font: `12px ${look.fontFamily}`
    }
    const number = new Intl.NumberFormat(this.language, { maximumSignificantDigits: 3 })
    const span = (this.times.at(-1) ?? 0) - (this.times[0] ?? 0)
    const clock = new Intl.DateTimeFormat(this.language, {
      hour: "2-digit",
      minute: "2-digit",
      ...(span < secondsBelow ? { second: "2-digit" } : {})
    })
    const times: UPlot.Axis = {
      ...axis,
      space: 80,
      size: 30,
      values: (_plot, at) => at.map((time) => clock.format(time * 1_000))
    }
    const amounts: UPlot.Axis = {
      ...axis,
      size: 44,
      values: (_plot, at) => at.map((value) => number.format(value))
    }
    const { curves, unit } = this.chart
    const strokes = curves.map((_curve, at) => seen(colours[at % colours.length] ?? "--lb-accent"))
    place.style.color = ""
    this.#plot = new UPlot(
      {
        width: Math.max(200, this.clientWidth),
        height,
        padding: [8, 32, 0, 0],
        cursor: { show: false },
        scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
        axes: [times, amounts],
        legend: { show: false },
        series: [
          {},
          ...curves.map(({ label, values }, at) => ({
            label,
            stroke: strokes[at] ?? "#888",
            width: 2,
            ...(at < colours.length ? {} : { dash: [5, 4] }),
            // What is measured now and then has nothing between: its points stay joined.
            spanGaps: unit !== "count",
            points: { show: values.filter((value) => value !== null).length === 1 }
          }))
        ]
      },
      [[...this.times], ...curves.map(({ values }) => [...values])],
      place
    )
  }

  #fit(): void {
    if (this.#plot !== undefined && this.clientWidth > 0) this.#plot.setSize({ width: this.clientWidth, height })
  }
}

if (customElements.get("loopbox-console-chart") === undefined)
  customElements.define("loopbox-console-chart", ActivityChart)
