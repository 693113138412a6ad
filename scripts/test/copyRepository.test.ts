import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { copyRepository } from "../copyRepository.ts"

const folder = mkdtempSync(join(tmpdir(), "loopbox-copy-"))
afterAll(() => rmSync(folder, { recursive: true }))

describe("copyRepository", () => {
  it("copies sources, and nothing that was installed or built, or is being built meanwhile", () => {
    const repository = join(folder, "repository")
    const write = (file: string) => {
      mkdirSync(dirname(join(repository, file)), { recursive: true })
      writeFileSync(join(repository, file), "")
    }
    const sources = ["examples/http-host/bin/bundleStacks.js", "packages/a/src/bundle/one.ts", "package.json"]
    const made = ["bundle", "bundle-of-test", ".bundle-7"].map((name) => `examples/http-host/${name}/main.mjs`)
    for (const file of [...sources, ...made, "node_modules/a/index.js", "packages/a/dist/one.js"]) write(file)
    copyRepository(join(folder, "copy"), repository)
    const files = globSync("**/*.*", { cwd: join(folder, "copy") })
    assert.deepStrictEqual(files.filter((file) => /\.\w+$/.test(file)).toSorted(), sources.toSorted())
  })
})
