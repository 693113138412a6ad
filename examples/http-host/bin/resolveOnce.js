import { readFileSync, realpathSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"

/** The packages of which a checkout has one each, so that a name means the same file to all of the 1,800 modules. */
const named = /^(effect|@(?:effect|loopbox)\/[^/]+)(\/.+)?$/
const relative = /node_modules\/(@effect\/[^/]+|effect)\/dist\//

/** What a table of exports says of a path: as it stands there, else by the longest pattern. */
const targetIn = (table, path) => {
  if (path in table) return table[path]
  const [pattern] = Object.keys(table)
    .filter((key) => key.endsWith("*") && path.startsWith(key.slice(0, -1)))
    .sort((one, other) => other.length - one.length)
  if (pattern === undefined) return undefined
  const target = table[pattern]
  return typeof target === "string" ? target.replaceAll("*", path.slice(pattern.length - 1)) : undefined
}

/**
 * Makes the hook that says for a name in an import which file it means, in a checkout. Node would read and parse the
 * package's table of exports, 52 kB in the case of core, for each of 900 names, and look for the file on the disk; it is
 * still asked for what is not plain.
 */
export const makeResolve = (modules) => {
  const packages = new Map()
  const packageOf = (name) => {
    const known = packages.get(name)
    if (known !== undefined) return known
    const folder = pathToFileURL(`${realpathSync(fileURLToPath(new URL(name, modules)))}/`)
    const { exports } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"))
    const one = { folder, exports }
    packages.set(name, one)
    return one
  }
  const files = new Map()
  const find = (specifier) => {
    const [, name, path = ""] = named.exec(specifier) ?? []
    if (name === undefined) return undefined
    const { exports, folder } = packageOf(name)
    const target = targetIn(exports, `.${path}`)
    const file = typeof target === "string" ? target : target?.["@loopbox/source"]
    if (file === undefined || !/\.(ts|js)$/.test(file)) return undefined
    const format = file.endsWith(".ts") ? "module-typescript" : "module"
    return { url: new URL(file, folder).href, format, shortCircuit: true }
  }
  return (specifier, context, next) => {
    const { conditions, parentURL = "" } = context
    if (specifier.startsWith(".") && parentURL.startsWith("file:")) {
      const isSource = specifier.endsWith(".ts")
      if (isSource || (specifier.endsWith(".js") && relative.test(parentURL))) {
        const format = isSource ? "module-typescript" : "module"
        return { url: new URL(specifier, parentURL).href, format, shortCircuit: true }
      }
    }
    const known = files.get(specifier) ?? find(specifier)
    if (known === undefined) return next(specifier, { ...context, conditions: [...conditions, "@loopbox/source"] })
    files.set(specifier, known)
    return known
  }
}
