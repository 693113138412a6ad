// Not by `import`: see loopbox.js.
const { readFileSync } = process.getBuiltinModule("node:fs")
const path = process.getBuiltinModule("node:path")
const { fileURLToPath } = process.getBuiltinModule("node:url")

const heading = "//#region "

/**
 * Which source begins at which line of a file of the bundle: the bundler writes it there. Effect asks for one stack while it
 * is loaded, so each start reads a file of 15,000 lines: none of them is made a text of its own but the headings.
 */
const readRegions = (url) => {
  const text = readFileSync(fileURLToPath(url), "latin1")
  const regions = []
  let line = 0
  for (let begin = 0; begin < text.length;) {
    const newline = text.indexOf("\n", begin)
    const end = newline === -1 ? text.length : newline
    line += 1
    if (text.startsWith(heading, begin)) regions.push({ source: text.slice(begin + heading.length, end), line })
    begin = end + 1
  }
  return regions
}

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
    return source === undefined ? text : text.replace(url, `${source}, ${path.basename(url)}`)
  }
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${describe(frame)}`)].join("\n")
}
