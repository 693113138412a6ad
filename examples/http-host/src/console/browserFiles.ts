import type { ConsoleFile } from "@loopbox/adapters-http/server/console/ConsoleOptions"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { createHash } from "node:crypto"
import { findPackageJSON } from "node:module"
import * as path from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

type Files = ReadonlyMap<string, ConsoleFile>

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2"
}

/** Pictures and fonts are compressed already. */
const isText = (contentType: string): boolean => /^text\/|json$|svg/.test(contentType)

/** More would be no console: a folder that was named by mistake must not be read into memory. */
const mostFiles = 200
const mostBytes = 16 * 1024 * 1024

/** A tenth of the time of the highest, and 2 % more bytes. */
const brotliQuality = 9

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

const compress = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
  return [
    { name: "br", bytes: yield* Effect.promise(() => compressBrotli(bytes, { params })) },
    { name: "gzip", bytes: yield* Effect.promise(() => compressGzip(bytes)) }
  ] as const
})

const readAll = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const assets = yield* fs.readDirectory(path.join(folder, "assets")).pipe(Effect.orElseSucceed(() => []))
  const files = new Map<string, ConsoleFile>()
  let left = mostBytes
  for (const name of ["index.html", ...assets.map((asset) => `assets/${asset}`)].slice(0, mostFiles)) {
    const contentType = contentTypes[path.extname(name)]
    if (contentType === undefined) continue
    const bytes = yield* fs.readFile(path.join(folder, name))
    left -= bytes.length
    if (left < 0) break
    files.set(name, { contentType, bytes, encodings: isText(contentType) ? yield* compress(bytes) : [] })
  }
  return files
})

/** Where the browser's files of the console lie; absent where the package is not installed. */
export const consoleFolder = (): string | undefined => {
  const manifest = findPackageJSON("@loopbox/elements", import.meta.url)
  return manifest === undefined ? undefined : path.join(path.dirname(manifest), "dist/browser/console")
}

const none: Files = new Map()

/**
 * The files of a folder, read and compressed once, and once more when its page was written anew. A folder that is not
 * there has none.
 */
export const makeBrowserFiles = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const page = path.join(folder, "index.html")
  let known: { readonly mark: string; readonly files: Files } | undefined
  const find = Effect.gen(function* () {
    // The page names its assets by their hashes, so it says whether they are others. It has some hundred bytes.
    const bytes = yield* Effect.option(fs.readFile(page))
    if (Option.isNone(bytes)) return none
    const mark = createHash("sha256").update(bytes.value).digest("hex")
    if (known?.mark !== mark) {
      // A build puts its folder in the old one's place: half of it is read again by the next request.
      const files = yield* Effect.option(readAll(folder).pipe(Effect.provideService(FileSystem.FileSystem, fs)))
      if (Option.isNone(files)) return known?.files ?? none
      known = { mark, files: files.value }
    }
    return known.files
  })
  const inTurn = yield* Semaphore.make(1)
  return inTurn.withPermits(1)(find)
})
