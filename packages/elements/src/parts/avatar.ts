import { html, type TemplateResult } from "lit"

/** Pages that forbid others load no picture by http, and a page by https can't. */
const isWebAddress = (url: string): boolean => /^https:\/\//i.test(url)

/** The first letters of a name's first and last word. */
const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const letters = [words.at(0), words.length > 1 ? words.at(-1) : undefined].map(
    (word) => Array.from(word ?? "")[0] ?? ""
  )
  return letters.join("").toUpperCase() || "?"
}

/** One of six tints for a name, the same each time. */
const tintOf = (name: string): number =>
  Array.from(name).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 6

/** A person's picture; letters of the name until it is there, or where there is none. Said by the name beside it. */
export const avatar = (name: string, url: string | null, size: "small" | "large" = "large"): TemplateResult =>
  html`<span class="avatar ${size} tint-${tintOf(name)}" aria-hidden="true"
    >${initialsOf(name)}${
      url === null || !isWebAddress(url)
        ? ""
        : html`<img
            src=${url}
            alt=""
            loading="lazy"
            decoding="async"
            referrerpolicy="no-referrer"
            @error=${(event: Event) => {
              if (event.target instanceof HTMLElement) event.target.hidden = true
            }}
          />`
    }</span
  >`
