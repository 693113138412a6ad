import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { judgeTarball } from "../judgeTarball.ts"

describe("npm run pack:check", () => {
  let folder = ""
  const write = (file: string, text = "") => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "loopbox-tarball-"))
    write("package.json", "{}")
    write("README.md")
    write("dist/index.js", "export {}")
    write("dist/index.d.ts", "export {}")
    write("dist/testing/ConversionStoreContract.js", "export {}")
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it("accepts what a user needs, the conformance kit included", () => {
    assert.deepStrictEqual(judgeTarball(folder, ["/home/builder/loopbox"]), [])
  })

  const faults: ReadonlyArray<readonly [file: string, text: string, message: RegExp]> = [
    ["src/index.ts", "", /src\/index.ts is not for users/],
    ["test/index.js", "", /test\/index.js is not for users/],
    ["dist/index.test.js", "", /not for users/],
    ["dist/index.ts", "", /is a source/],
    ["dist/tsconfig.tsbuildinfo", "", /left-over/],
    ["dist/path.js", 'import "/home/builder/loopbox/packages/core/dist/index.js"', /names a path/]
  ]
  for (const [file, text, message] of faults) {
    it(`refuses ${file}`, () => {
      write(file, text)
      const found = judgeTarball(folder, ["/home/builder/loopbox"])
      assert.strictEqual(found.length, 1)
      assert.match(found[0] ?? "", message)
    })
  }

  it("misses a README, code and declarations", () => {
    rmSync(join(folder, "README.md"))
    rmSync(join(folder, "dist"), { recursive: true })
    assert.deepStrictEqual(judgeTarball(folder, []), [
      "README.md is missing",
      "nothing is built",
      "there are no declarations"
    ])
  })
})
