/** Makes the HTML that a host shows from the Markdown of docs/guides. Pure. */
import { Marked, type Tokens } from "marked"

export interface GuideSource {
  /** The file's name without its ending. */
  readonly name: string
  readonly markdown: string
}

/** As GitHub makes it, so that a link to a heading works in both places; a code keeps its case, which tells two apart. */
const headingId = (text: string): string =>
  /^`(\w+)`$/.exec(text)?.[1] ??
  text
    .replaceAll("`", "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-")

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** The title and the body of a guide; `problems` names links that lead nowhere. */
export const guideHtml = ({ markdown, name }: GuideSource, names: ReadonlySet<string>) => {
  const problems: Array<string> = []
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ depth, text, tokens }: Tokens.Heading) {
        return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens)
        if (/^https?:/.test(href)) return `<a href="${escape(href)}" rel="noopener">${text}</a>`
        if (href.startsWith("#")) return `<a href="${escape(href)}">${text}</a>`
        const [, guide, part = ""] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? []
        if (guide !== undefined && names.has(guide)) return `<a href="${guide}${part}">${text}</a>`
        // A file of the repository, which a host does not serve.
        if (href.startsWith("../")) return `${text} (<code>${escape(href.replaceAll("../", ""))}</code>)`
        problems.push(`${name}.md links to ${href}, which is no guide`)
        return text
      },
      // The marks of examples, and nothing else.
      html: () => ""
    }
  })
  const html = marked.parse(markdown, { async: false })
  const title = /^# (.+)$/m.exec(markdown)?.[1]
  if (title === undefined) problems.push(`${name}.md has no title`)
  return { name, title: title ?? name, html, problems }
}
