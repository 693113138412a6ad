import { css, html, LitElement, type PropertyDeclarations, type TemplateResult, unsafeCSS } from "lit"
import UPlot from "uplot"
import uplotStyles from "uplot/dist/uPlot.min.css?inline"
import { tokens } from "../../base/tokens.ts"
import type { Chart } from "./charts.ts"

const height = 150

/** Curves are told apart by colour, and by the order in the legend. */
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
        min-block-size: 190px;
      }

      .u-legend {
        font-family: inherit;
        font-size: 0.75rem;
        text-align: start;
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
    const axis = { stroke: seen("--lb-muted"), grid: { stroke: seen("--lb-border"), width: 1 }, ticks: { show: false } }
    const { curves } = this.chart
    const strokes = curves.map((_curve, at) => seen(colours[at % colours.length] ?? "--lb-accent"))
    place.style.color = ""
    this.#plot = new UPlot(
      {
        width: Math.max(200, this.clientWidth),
        height,
        cursor: { y: false },
        scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
        axes: [axis, { ...axis, size: 44 }],
        series: [
          {},
          ...curves.map(({ label }, at) => ({
            label,
            stroke: strokes[at] ?? "#888",
            width: 1.5,
            points: { show: false }
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
