/** One page of docs/guides, as HTML. */
export interface Guide {
  /** As in the address: `going-live`. */
  readonly name: string
  readonly title: string
  /** Made from our own Markdown when the page was written; links to other guides stand as `name` or `name#part`. */
  readonly html: string
}

/** A part of a guide below one heading. */
export interface GuidePart {
  readonly guide: Guide
  /** The heading's id; empty above the first one. */
  readonly id: string
  readonly heading: string
  readonly text: string
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&([a-z]+|#39);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\s+/g, " ")
    .trim()

/** A guide by its headings, as a search shows it. */
export const partsOf = (guide: Guide): ReadonlyArray<GuidePart> =>
  guide.html.split(/(?=<h[123] )/).map((part) => {
    const [, id = "", heading = ""] = /^<h[123] id="([^"]*)">(.*?)<\/h[123]>/s.exec(part) ?? []
    return { guide, id, heading: heading === "" ? guide.title : plain(heading), text: plain(part) }
  })

/**
 * The parts in which every word of the query begins some word, those with all of them in the heading first. Case is
 * ignored.
 */
export const searchParts = (parts: ReadonlyArray<GuidePart>, query: string): ReadonlyArray<GuidePart> => {
  const wanted = wordsOf(query)
  if (wanted.length === 0) return []
  const has = (text: string) => {
    const words = wordsOf(text)
    return wanted.every((one) => words.some((word) => word.startsWith(one)))
  }
  const found = parts.filter(({ heading, text }) => has(`${heading} ${text}`))
  return [...found.filter(({ heading }) => has(heading)), ...found.filter(({ heading }) => !has(heading))]
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
