import { isTopLevelDomain } from "./topLevelDomains.ts"

/** What a link weighs on X, however long it is. */
export const linkWeight = 23

const letters = "a-z0-9\\u00c0-\\u024f"

/**
 * Where a name without a protocol begins: not behind these, and not within what could be one, or a long word would be read
 * to its end from each of its letters.
 */
const begins = `(?<![-_./]|[${letters}_./-]{2})`

/** What stands before it, how it begins, and a name with dots; in words of all alphabets where it begins like an address. */
const candidates = new RegExp(
  `(^|[^a-z0-9@\uff20$#\uff03])(?:(https?:\\/\\/)((?:[\\p{L}\\p{N}_-]+\\.)+[a-z]{2,})|${begins}((?:[${letters}_-]+\\.)+[a-z]{2,}))`,
  "giu"
)

/** A port, a path and a query behind a name. */
const behind = new RegExp(
  `^(?::\\d+)?(?:\\/(?:[${letters}\\u0400-\\u04ff!*';:=+,.$/%#\\[\\]\\-\u2013_~@|&]|\\([^\\s()]*\\))*)?(?:\\?[a-z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*)?`,
  "iu"
)

/** How much of a name is an address: up to the last of its parts that such names end with; 0 where there is none. */
const lengthOfName = (name: string, next: string): number => {
  const parts = name.split(".")
  for (let last = parts.length - 1; last > 0; last--) {
    const isWhole = last === parts.length - 1
    if (!isTopLevelDomain(parts[last] ?? "") || (isWhole && /^[a-z0-9@+-]/i.test(next))) continue
    return parts.slice(0, last + 1).join(".").length
  }
  return 0
}

/** How many links a text has as X sees them, and the text without them. */
export const takeLinks = (text: string): { readonly links: number; readonly rest: string } => {
  let links = 0
  let rest = ""
  let from = 0
  for (const found of text.matchAll(candidates)) {
    const [whole, before = "", protocol = "", named = "", plain = ""] = found
    const name = protocol === "" ? plain : named
    if (found.index < from) continue
    const end = found.index + whole.length
    const length = lengthOfName(name, text.slice(end))
    if (length === 0) continue
    const path =
      length === name.length ? (behind.exec(text.slice(end))?.[0] ?? "").replace(/[!*';:,.$%[\]\u2013~@|&?]+$/, "") : ""
    links++
    rest += text.slice(from, found.index + before.length)
    from = end - (name.length - length) + path.length
  }
  return { links, rest: rest + text.slice(from) }
}
