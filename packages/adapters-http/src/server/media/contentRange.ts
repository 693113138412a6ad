import type { BlobRange } from "@loopbox/core/media/BlobStore"

/** What a request's `Range` comes to; `Whole` also where it is to be ignored. */
export type RangeVerdict =
  | { readonly _tag: "Whole" }
  | { readonly _tag: "Part"; readonly range: BlobRange }
  | { readonly _tag: "Unsatisfiable" }

const whole: RangeVerdict = { _tag: "Whole" }
const unsatisfiable: RangeVerdict = { _tag: "Unsatisfiable" }

const partOf = (first: number, last: number, size_bytes: number): RangeVerdict => {
  if (first >= size_bytes) return unsatisfiable
  const end = Math.min(last, size_bytes - 1)
  return { _tag: "Part", range: { offset: first, length: end - first + 1 } }
}

/**
 * Judges a `Range` header (RFC 9110 §14): one range is served, of several the whole, and what is no range of bytes
 * is ignored.
 */
export const judgeRange = (header: string | undefined, size_bytes: number): RangeVerdict => {
  const set = /^bytes=(.*)$/i.exec(header?.trim() ?? "")?.[1]
  const [spec, ...others] = (set ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  if (spec === undefined || others.length > 0) return whole
  const digits = /^(\d*)-(\d*)$/.exec(spec)
  const first = digits?.[1] ?? ""
  const last = digits?.[2] ?? ""
  if (first === "" && last === "") return whole
  if (first === "")
    return Number(last) === 0 ? unsatisfiable : partOf(Math.max(0, size_bytes - Number(last)), Infinity, size_bytes)
  if (last !== "" && Number(last) < Number(first)) return whole
  return partOf(Number(first), last === "" ? Infinity : Number(last), size_bytes)
}

const tagsOf = (header: string) => header.match(/\*|(?:W\/)?"[^"]*"/g) ?? []

/** Does `If-None-Match` name this tag? Weak tags count. */
export const isNamedWeakly = (header: string, etag: string): boolean =>
  tagsOf(header).some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag)

/** Does `If-Match` name this tag? Weak tags do not count. */
export const isNamedStrongly = (header: string, etag: string): boolean =>
  tagsOf(header).some((tag) => tag === "*" || tag === etag)
