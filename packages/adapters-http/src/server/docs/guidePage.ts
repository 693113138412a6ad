import { type Guide, type GuidePart, partsOf, searchParts } from "./Guide.ts"
import { guides } from "./guidePages.ts"
import { Markup, markup, noMarkup } from "../connect/markup.ts"

/** What is said of the operations of the reference, so that one search finds both. */
export interface OperationEntry {
  readonly method: string
  readonly path: string
  readonly summary: string
  /** As the reference links to it, from `/docs`. */
  readonly link: string
}

const style =
  "*{box-sizing:border-box}body{margin:0 auto;max-width:56rem;padding:1rem;font:1rem/1.55 system-ui,sans-serif;color:#1b1f24;" +
  "background:#fff;overflow-wrap:anywhere}nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;" +
  "padding-bottom:.75rem;border-bottom:1px solid #d5d9de}nav form{margin-left:auto}input{font:inherit;padding:.25rem .5rem}" +
  "pre{overflow-x:auto;padding:.75rem;background:#f4f5f7;border-radius:.4rem}code{font-size:.9em}table{border-collapse:collapse;" +
  "display:block;overflow-x:auto}th,td{padding:.35rem .6rem;border:1px solid #d5d9de;text-align:left;vertical-align:top}" +
  "a{color:#1f5fbf}:focus-visible{outline:3px solid #f0a020}@media(prefers-color-scheme:dark){body{color:#e6e8eb;" +
  "background:#15181c}pre{background:#1e2328}th,td,nav{border-color:#3a4149}a{color:#8ab4f8}}"

/** Everything lies below `/docs`, which may itself lie below a prefix; so links are relative. */
type Depth = "docs" | "guides"
const up: Readonly<Record<Depth, string>> = { docs: "", guides: "../" }

const frame = (title: string, depth: Depth, query: string, body: Markup): string => {
  const base = up[depth]
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}: Loopbox</title><style>${style}</style></head><body>
<nav><a href="${base}guides">Guides</a><a href="${base}../docs">API reference</a><form action="${base}search" role="search"><input type="search" name="q" value="${query}" aria-label="Search guides and API" placeholder="Search" maxlength="200"></form></nav>
<main>${body}</main></body></html>
`.text
}

let parts: ReadonlyArray<GuidePart> | undefined

/** Made by the first search, for each start would wait for it. */
const allParts = (): ReadonlyArray<GuidePart> => (parts ??= guides.flatMap(partsOf))

const listOf = (base: string): Markup =>
  markup`<ul>${guides.map(({ name, title }) => markup`<li><a href="${base}guides/${name}">${title}</a></li>`)}</ul>`

/** The list of all guides. */
export const guidesPage = (): string => frame("Guides", "docs", "", markup`<h1>Guides</h1>${listOf(up.docs)}`)

/** What stands where a guide was looked for that is not there. */
export const noGuidePage = (): string =>
  frame("No such guide", "guides", "", markup`<h1>There is no such guide</h1>${listOf(up.guides)}`)

/** One guide; absent when there is none of that name. */
export const guidePage = (name: string): string | undefined => {
  const guide = guides.find((one) => one.name === name)
  return guide === undefined ? undefined : frame(guide.title, "guides", "", written(guide))
}

/** Our own text, made into HTML when it was written. */
const written = ({ html }: Guide): Markup => Markup.of([html], [])

const most = 50
const excerptLength = 240

const excerptOf = ({ heading, text }: GuidePart): string => {
  const rest = text.startsWith(heading) ? text.slice(heading.length).trim() : text
  return rest.length <= excerptLength ? rest : `${rest.slice(0, excerptLength)}…`
}

/** What a search found, in the guides and in the reference. */
export const searchPage = (query: string, operations: ReadonlyArray<OperationEntry>): string => {
  const found = searchParts(allParts(), query).slice(0, most)
  const asParts = operations.map((operation) => ({
    operation,
    part: { guide: { name: "", title: "", html: "" }, id: "", heading: "", text: describe(operation) }
  }))
  const matching = new Set(
    searchParts(
      asParts.map(({ part }) => part),
      query
    )
  )
  const calls = asParts.filter(({ part }) => matching.has(part)).slice(0, most)
  const nothing = found.length + calls.length === 0 ? markup`<p>Nothing was found.</p>` : noMarkup
  const inGuides = found.map(
    (part) =>
      markup`<li><a href="guides/${part.guide.name}#${part.id}">${part.guide.title}: ${part.heading}</a><br>${excerptOf(part)}</li>`
  )
  const inReference = calls.map(
    ({ operation }) =>
      markup`<li><a href="../docs${operation.link}"><code>${operation.method} ${operation.path}</code></a><br>${operation.summary}</li>`
  )
  return frame(
    "Search",
    "docs",
    query,
    markup`<h1>Search</h1>${nothing}${section("Guides", inGuides)}${section("API", inReference)}`
  )
}

const describe = ({ method, path, summary }: OperationEntry): string => `${method} ${path} ${summary}`

const section = (title: string, rows: ReadonlyArray<Markup>): Markup =>
  rows.length === 0 ? noMarkup : markup`<h2>${title}</h2><ul>${rows}</ul>`
