import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path/posix"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (file: string) => readFileSync(`${root}/${file}`, "utf8")

const filesOf = (pattern: string): ReadonlyArray<string> =>
  globSync(pattern, { cwd: root }).map((file) => file.replaceAll("\\", "/"))

/** Files of its package that a file imports, for types alone included: the linter's rule looks at values only. */
const importsOf = (file: string): ReadonlyArray<string> =>
  Array.from(read(file).matchAll(/ from "(\.{1,2}\/[^"]+)"/g), ([, path = ""]) => join(dirname(file), path))

/** A chain of imports that ends where it began. */
const findCircle = (graph: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> | undefined => {
  const done = new Set<string>()
  const walk = (file: string, path: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of graph.get(file) ?? []) {
      const circle = walk(next, [...path, file])
      if (circle !== undefined) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const circle = walk(file, [])
    if (circle !== undefined) return circle
  }
  return undefined
}

describe("the rooms of the packages", () => {
  it("have at most 20 files and 1,800 lines each, in core", () => {
    const rooms = new Map<string, { readonly files: number; readonly lines: number }>()
    for (const file of filesOf("packages/core/src/**/*.ts")) {
      const room = rooms.get(dirname(file)) ?? { files: 0, lines: 0 }
      rooms.set(dirname(file), { files: room.files + 1, lines: room.lines + read(file).split("\n").length - 1 })
    }
    const large = Array.from(rooms).filter(([, { files, lines }]) => files > 20 || lines > 1_800)
    assert.isAbove(rooms.size, 15)
    assert.deepStrictEqual(large, [])
  })

  it("have no circle of files, types included", () => {
    const files = filesOf("packages/*/src/**/*.ts")
    assert.isAbove(files.length, 300)
    assert.isUndefined(findCircle(new Map(files.map((file) => [file, importsOf(file)]))))
  })

  it("are found to have a circle when there is one", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["d", "b"]]
    ])
    assert.deepStrictEqual(findCircle(graph), ["b", "c", "b"])
  })
})
