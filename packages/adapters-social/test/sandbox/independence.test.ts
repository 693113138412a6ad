import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../../src/sandbox/", import.meta.url))

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))

describe("the sandbox", () => {
  it("shares no code with the connectors, so that a mistake in one shows in the other", () => {
    assert.isAbove(files.length, 30)
    const shared = files.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/from "(\.[^"]+)"/g)].flatMap(([, to = ""]) => {
        const target = relative(root, join(root, file, "..", to))
        // What networks and sources are called is no code.
        return target.startsWith("..") && target !== join("..", "names.ts") ? [`${file} imports ${target}`] : []
      })
    )
    assert.deepStrictEqual(shared, [])
  })
})
