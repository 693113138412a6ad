import { html, type TemplateResult } from "lit"

/** A sentence of ours or of the host's, in which what stands between backticks is to be typed. */
export const withCommands = (text: string): string | ReadonlyArray<string | TemplateResult> => {
  const parts = text.split("`")
  // A single one is what it is.
  if (parts.length % 2 === 0 || parts.length === 1) return text
  return parts.map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))
}
