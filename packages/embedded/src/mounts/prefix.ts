/** A prefix without a slash at the end; the root is empty. */
export const trimPrefix = (prefix: string): string => prefix.replace(/\/+$/, "")

/** What of a path or URL lies behind a prefix, with a slash before it; undefined where it lies elsewhere. */
export const behind = (prefix: string, url: string): string | undefined => {
  if (!url.startsWith(prefix)) return undefined
  const rest = url.slice(prefix.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}

/** The first segments of a path, all but the last `count`. */
export const allBut = (count: number, path: string): string => {
  const segments = path.split("/").filter((segment) => segment !== "")
  const kept = segments.slice(0, segments.length - count)
  return kept.length === 0 ? "" : `/${kept.join("/")}`
}

/** The first `count` segments of a path. */
export const firstOf = (count: number, path: string): string => {
  const kept = path
    .split("/")
    .filter((segment) => segment !== "")
    .slice(0, count)
  return kept.length === 0 ? "" : `/${kept.join("/")}`
}
