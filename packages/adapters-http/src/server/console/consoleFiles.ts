import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Digest, sha256 } from "effect/crypto/Digest"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ConsoleFile, ConsoleOptions } from "./ConsoleOptions.ts"

/** What its pages may load: themselves, and the pictures that items name (console.md §1). */
const pagePolicy = [
  "default-src 'self'",
  "img-src 'self' https: data:",
  "media-src 'self' https: blob:",
  "connect-src 'self'",
  "style-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join("; ")

const encodingOf = ({ bytes, encodings }: ConsoleFile, accepted: string) => {
  const names = new Set(
    accepted
      .toLowerCase()
      .split(",")
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(";", 1)[0]?.trim() ?? "")
  )
  return encodings.find(({ name }) => names.has(name)) ?? { name: undefined, bytes }
}

/** An asset by its name, which has the hash of what is in it; a page for every other path, which the page itself reads. */
const nameOf = (url: string): string => {
  const path = (url.split("?", 1)[0] ?? "").replace(/^\/console\/?/, "")
  return path.startsWith("assets/") ? path : "index.html"
}

/** Answers with the console's files, which the host may change while it runs. */
export const makeConsoleFiles = Effect.fnUntraced(function* ({ files }: ConsoleOptions) {
  const digest = yield* Digest
  const tags = new WeakMap<ConsoleFile, string>()
  const tagOf = Effect.fnUntraced(function* (file: ConsoleFile) {
    const known = tags.get(file)
    if (known !== undefined) return known
    const tag = (yield* digest.digestHex(sha256, file.bytes)).slice(0, 32)
    tags.set(file, tag)
    return tag
  })

  return Effect.gen(function* () {
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const name = nameOf(url)
    const file = Option.fromUndefinedOr((yield* files).get(name))
    if (Option.isNone(file)) return HttpServerResponse.empty({ status: 404 })
    const { bytes, name: encoding } = encodingOf(file.value, headers["accept-encoding"] ?? "")
    const tag = `"${yield* tagOf(file.value)}${encoding === undefined ? "" : `-${encoding}`}"`
    const common = {
      // A page says where its assets are now; they never change.
      "cache-control": name === "index.html" ? "no-cache" : "public, max-age=31536000, immutable",
      "content-security-policy": pagePolicy,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      vary: "Accept-Encoding",
      etag: tag
    }
    if (headers["if-none-match"] === tag) return HttpServerResponse.empty({ status: 304, headers: common })
    return HttpServerResponse.uint8Array(bytes, {
      contentType: file.value.contentType,
      headers: { ...common, ...(encoding === undefined ? {} : { "content-encoding": encoding }) }
    })
  })
})
