import { html, type TemplateResult } from "lit"
import type { ConsoleMessages } from "../../messages/english/console.ts"

/** Our name with its sign. */
export const mark = (): TemplateResult =>
  html`<div class="mark">
    <svg
      width="22"
      height="22"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="2.4"
      aria-hidden="true"
    >
      <path d="M6.5 13.500a3.500 3.500 0 1 1 0-7c3 0 4 7 7 7a3.500 3.500 0 1 0 0-7c-3 0-4 7-7 7z"></path>
    </svg>
    <span>Loopbox</span>
  </div>`

const gate = (content: TemplateResult): TemplateResult =>
  html`<main class="gate"><div class="card">${content}</div></main>`

/** Where nobody is signed in. */
export const signInPage = (texts: ConsoleMessages, form: TemplateResult): TemplateResult =>
  gate(
    html`${mark()}
      <h1>${texts.signInHeading}</h1>
      <p>${texts.signInText}</p>
      <code class="command">npx loopbox console</code>
      ${form}`
  )

export const unreachablePage = (texts: ConsoleMessages, failure: TemplateResult): TemplateResult =>
  gate(
    html`<h1>${texts.unreachable}</h1>
      ${failure}`
  )

/** Where the browser does not tell the host enough; `location` says how a tunnel goes. */
export const insecurePage = (texts: ConsoleMessages): TemplateResult => {
  const port = location.port === "" ? "80" : location.port
  return gate(
    html`${mark()}
      <h1>${texts.insecureHeading}</h1>
      <p>${texts.insecureText}</p>
      <code class="command">ssh -L 8080:127.0.0.1:${port} ${location.hostname}</code>
      <p>${texts.insecureThen} <span class="address">http://127.0.0.1:8080/console</span></p>`
  )
}
