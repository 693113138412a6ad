import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { bin, temporaryFolder } from "./support/hostProcess.ts"

const { folder, remove } = temporaryFolder()
afterAll(remove)

const runner = pathToFileURL(join(dirname(bin), "runBundle.mjs")).href

describe("a bundle that imports what lies outside of it", () => {
  it("warns of nothing but what its own code warns of, run from its source or as compiled before", () => {
    writeFileSync(
      join(folder, "main.cjs"),
      `(exports) => {
        process.emitWarning("of its own")
        import("node:os").then(({ EOL }) => process.stdout.write("imported" + EOL))
      }`
    )
    const program = join(folder, "program.mjs")
    writeFileSync(
      program,
      `import { runBundle } from ${JSON.stringify(runner)}
const { accepted } = runBundle(new URL(${JSON.stringify(pathToFileURL(`${folder}/`).href)}), "main.cjs")
process.on("exit", () => process.stdout.write(accepted().join()))`
    )
    for (const accepted of ["", "main.cjs"]) {
      const { stderr, stdout } = spawnSync(process.execPath, [program], { encoding: "utf8" })
      assert.strictEqual(stdout, `imported\n${accepted}`, stderr)
      assert.include(stderr, "Warning: of its own")
      assert.notInclude(stderr, "ExperimentalWarning")
    }
  })
})
