import * as Option from "effect/Option"

const segmentsOf = (path: string): Array<string> => path.split("/").filter((segment) => segment !== "")

const decode = Option.liftThrowable(decodeURIComponent)

/** `%C3%B6` and `ö` are the same letter; a text that is no such writing is what it is. */
const plain = (segment: string): string => Option.getOrElse(decode(segment), () => segment)

/** As an address has it: what would part or end a path there is written by its number. */
const written = (segment: string): string => encodeURI(plain(segment)).replace(/[/?#]/g, encodeURIComponent)

/** A prefix as it may stand in an address, with a slash before it and none at its end; the root is empty. */
export const trimPrefix = (prefix: string): string =>
  segmentsOf(prefix)
    .map((segment) => `/${written(segment)}`)
    .join("")

/** A path or URL in two: a prefix as `trimPrefix` gives it, and what is behind it, with a slash before it. */
export interface Parted {
  readonly prefix: string
  readonly rest: string
}

/** Parts a path or URL behind its first `count` segments; undefined where it has fewer. */
export const partBehind = (count: number, url: string): Parted | undefined => {
  // `*` of OPTIONS, and whole addresses as proxies are asked for.
  if (!/^[/?]|^$/.test(url)) return undefined
  const path = url.split("?", 1)[0] ?? ""
  let at = 0
  for (let left = count; left > 0; left--) {
    while (path[at] === "/") at++
    if (at >= path.length) return undefined
    const end = path.indexOf("/", at)
    at = end === -1 ? path.length : end
  }
  const rest = url.slice(at)
  return { prefix: trimPrefix(path.slice(0, at)), rest: rest.startsWith("/") ? rest : `/${rest}` }
}

/** The number of segments in a prefix, or in the pattern of one. */
export const countSegments = (prefix: string): number => segmentsOf(prefix).length

/** What of a path or URL lies behind a prefix, with a slash before it; undefined where it lies elsewhere. */
export const behind = (prefix: string, url: string): string | undefined => {
  const parted = partBehind(countSegments(prefix), url)
  return parted !== undefined && parted.prefix === trimPrefix(prefix) ? parted.rest : undefined
}

/** The first segments of a path, all but the last `count`. */
export const allBut = (count: number, path: string): string => firstOf(Math.max(0, countSegments(path) - count), path)

/** The first `count` segments of a path. */
export const firstOf = (count: number, path: string): string => trimPrefix(segmentsOf(path).slice(0, count).join("/"))
