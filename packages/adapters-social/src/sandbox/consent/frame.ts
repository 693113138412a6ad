import type { Network } from "../../names.ts"
import type { SandboxAnswer } from "../Operation.ts"

const titles: Record<Network, string> = { instagram: "Instagram", facebook: "Facebook", threads: "Threads", x: "X" }

/** Text as HTML shows it, in attributes too. */
export const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; color: #1c1e21; background: #f4f5f7; margin: 0; padding: 1rem }
main { max-width: 28rem; margin: 0 auto; padding: 1.25rem; background: #fff; border-radius: .75rem }
h1 { font-size: 1.25rem; margin: 0 0 .5rem } h2 { font-size: 1rem; margin: 1.25rem 0 .25rem }
fieldset { border: 0; margin: 0; padding: 0 } legend { font-weight: 600; margin-top: 1rem }
label, a.person { display: block; padding: .6rem .25rem; border-bottom: 1px solid #e4e6ea; color: inherit; overflow-wrap: anywhere }
small { color: #5a6068; display: block } .note { color: #5a6068; font-size: .875rem }
button { font: inherit; width: 100%; padding: .7rem; margin-top: .75rem; border: 1px solid #1c1e21; border-radius: .5rem;
  background: #fff; color: #1c1e21 } button.main { background: #1c1e21; color: #fff }
`

/** A page without script, for small screens too. */
export const page = (network: Network, heading: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titles[network]}, simulated: ${escaped(heading)}</title><style>${style}</style></head>
<body><main><p class="note">${titles[network]}, simulated by the sandbox</p><h1>${escaped(heading)}</h1>
${content}
</main></body></html>`

/** Nothing goes back to the app from here. */
export const errorPage = (network: Network, message: string): SandboxAnswer => ({
  status: 400,
  headers: { "cache-control": "no-store" },
  body: page(network, "Something went wrong", `<p>${escaped(message)}</p>`)
})
