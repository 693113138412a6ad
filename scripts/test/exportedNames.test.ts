import { globSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (file: string) => readFileSync(`${root}/${file}`, "utf8")

const filesOf = (...patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).map((file) => file.replaceAll("\\", "/"))

/** Paths that nobody imports, but that declaration files of other packages name: without them TypeScript fails (TS2883). */
const forDeclarations = new Set([
  "@loopbox/adapters-postgres/connection/Pools",
  "@loopbox/adapters-postgres/operations/resealing",
  "@loopbox/core/kernel/QueueDepth"
])

interface Exported {
  /** What a user writes behind `from`. */
  readonly path: string
  /** The folder of its package. */
  readonly home: string
}

const exported: ReadonlyArray<Exported> = filesOf("packages/*/package.json").flatMap((file) => {
  const { exports, name }: { readonly exports: object; readonly name: string } = JSON.parse(read(file))
  return Object.keys(exports)
    .filter((key) => key !== ".")
    .map((key) => ({ path: `${name}${key.slice(1)}`, home: dirname(file) }))
})

const code = filesOf("{packages,examples}/*/{src,test}/**/*.ts", "examples/**/*.mjs", "{bench,scripts}/**/*.{ts,mjs}")
  .filter((file) => !file.includes("node_modules/"))
  .map((file) => ({ file, text: read(file) }))

/** A package may import its own paths in its tests, as its users do. */
const isImported = ({ home, path }: Exported): boolean =>
  code.some(({ file, text }) => !file.startsWith(`${home}/src/`) && text.includes(`from "${path}"`))

const isDocumented = ({ home, path }: Exported): boolean => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  return new RegExp(`\\b${name}\\b`).test(read(`${home}/README.md`))
}

describe("the paths that packages export", () => {
  it("are imported outside of the package's sources, or documented in its README", () => {
    const unused = exported.filter((one) => !isImported(one) && !isDocumented(one)).map(({ path }) => path)
    assert.deepStrictEqual(
      unused.filter((path) => !forDeclarations.has(path)),
      []
    )
  })

  it("are excused for declarations only while nothing else uses them", () => {
    const excused = exported.filter((one) => forDeclarations.has(one.path) && !isImported(one))
    assert.deepStrictEqual(excused.map(({ path }) => path).toSorted(), Array.from(forDeclarations).toSorted())
  })
})
