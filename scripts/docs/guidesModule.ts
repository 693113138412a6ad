import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { guideHtml, type GuideSource } from "./guideHtml.ts"

const folder = "docs/guides"
export const limitsFile = `${folder}/limits-and-errors.md`
export const moduleFile = "packages/adapters-http/src/server/docs/guidePages.ts"

/** In the order of reading; what is not named comes after, by name. */
const order = [
  "quickstart",
  "concepts",
  "receiving-events",
  "answering-exactly-once",
  "converting-and-publishing",
  "embedding",
  "embed-the-inbox",
  "writing-an-adapter",
  "testing-with-the-sandbox",
  "going-live"
]

const rank = ({ name }: GuideSource): number => (order.includes(name) ? order.indexOf(name) : order.length)

export const readGuides = (root: string): ReadonlyArray<GuideSource> =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".md"))
    .toSorted()
    .map((file) => ({
      name: file.slice(0, -".md".length),
      markdown: readFileSync(join(root, folder, file), "utf8")
    }))
    .toSorted((one, other) => rank(one) - rank(other))

/** The module of all guides, and what is wrong with them. */
export const guidesModule = (sources: ReadonlyArray<GuideSource>) => {
  const names = new Set(sources.map(({ name }) => name))
  const guides = sources.map((source) => guideHtml(source, names))
  const rows = guides.map(({ html, name, title }) => JSON.stringify({ name, title, html }, undefined, 2))
  const text = `// Made by \`npm run docs:guides\` from docs/guides.
import type { Guide } from "./Guide.ts"

/** All guides, in the order of reading. */
export const guides: ReadonlyArray<Guide> = [
${rows.join(",\n").replaceAll(/^/gm, "  ")}
]
`
  return { text, problems: guides.flatMap(({ problems }) => problems) }
}
