/** Markup that may be sent as it is: only `markup` and `noMarkup` make it. */
export class Markup {
  readonly text: string
  /** Makes the type nominal. */
  protected readonly isEscaped = true

  private constructor(text: string) {
    this.text = text
  }

  /** Joins literal markup with values of which every text is escaped. */
  static of(literals: ReadonlyArray<string>, values: ReadonlyArray<MarkupValue>): Markup {
    return new Markup(literals.map((literal, index) => literal + toMarkup(values[index] ?? "")).join(""))
  }
}

type MarkupValue = string | Markup | ReadonlyArray<Markup>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const toMarkup = (value: MarkupValue): string => {
  if (typeof value === "string") return value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "")
  return value instanceof Markup ? value.text : value.map(({ text }) => text).join("")
}

/**
 * Markup with texts in it: markup`<p title="${name}">${text}</p>`. A text may stand between tags and in an attribute in
 * quotes, nowhere else. An address is for the caller to judge: `javascript:` has no character that is escaped.
 */
export const markup = (literals: TemplateStringsArray, ...values: ReadonlyArray<MarkupValue>): Markup =>
  Markup.of(literals, values)

/** Nothing. */
export const noMarkup: Markup = markup``
