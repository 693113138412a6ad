import { html, nothing, type TemplateResult } from "lit"

/** A page's heading, and what it is for. */
export const pageHead = (heading: string, lead?: string): TemplateResult =>
  html`<div class="page-head">
    <h1>${heading}</h1>
    ${lead === undefined ? nothing : html`<p>${lead}</p>`}
  </div>`
