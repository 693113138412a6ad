import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"

const heading = /^\/\/#region (.+)$/

/** Which source begins at which line of a file of the bundle: the bundler writes it there. */
const readRegions = (url) =>
  readFileSync(fileURLToPath(url), "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const [, source] = heading.exec(line) ?? []
      return source === undefined ? [] : [{ source, line: index + 1 }]
    })

/**
 * Names the source of each place in the bundle: `at f (packages/core/src/a.ts, main.mjs:9:1)`. Nothing is read before the first
 * stack is asked for. Source maps would take 140 ms of each start.
 */
export const nameSources = (bundle) => {
  const known = new Map()
  const regionsOf = (url) => {
    const regions = known.get(url) ?? readRegions(url)
    known.set(url, regions)
    return regions
  }
  const describe = (frame) => {
    const url = frame.getFileName()
    const text = String(frame)
    if (typeof url !== "string" || !url.startsWith(bundle.href)) return text
    const line = frame.getLineNumber() ?? 0
    const source = regionsOf(url).findLast((region) => region.line <= line)?.source
    return source === undefined ? text : text.replace(url, `${source}, ${basename(url)}`)
  }
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${describe(frame)}`)].join("\n")
}
