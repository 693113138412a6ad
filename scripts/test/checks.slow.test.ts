import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

describe("npm run check", () => {
  let folder = ""
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "loopbox-checks-"))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const take = (file: string) => cpSync(join(root, file), join(folder, file))
  const run = (program: string, ...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [join(root, "node_modules", program), ...args], {
      cwd: folder,
      encoding: "utf8"
    })
    return { status, output: stdout + stderr }
  }

  describe("format", () => {
    const check = (text: string) => {
      take(".oxfmtrc.json")
      write("packages/core/src/media/A.ts", text)
      return run("oxfmt/bin/oxfmt", "--check").status
    }

    it("accepts two spaces, double quotes, no semicolons, no last comma and 120 columns", () => {
      const wide = `export const wide = [${Array.from({ length: 20 }, () => 100).join(", ")}]\n`
      assert.strictEqual(wide.length, 121)
      assert.strictEqual(check(`export const a = {\n  b: "c",\n  d: (e: string) => e\n}\n${wide}`), 0)
    })

    const faults: ReadonlyArray<readonly [what: string, text: string]> = [
      ["a semicolon", "export const a = 1;\n"],
      ["single quotes", "export const a = 'b'\n"],
      ["a last comma", "export const a = {\n  b: 1,\n}\n"],
      ["four spaces", "export const a = {\n    b: 1\n}\n"],
      ["a line over 120 columns", `export const a = [${Array.from({ length: 26 }, () => 100).join(", ")}]\n`]
    ]
    for (const [what, text] of faults) it(`refuses ${what}`, () => assert.strictEqual(check(text), 1))
  })

  describe("types", () => {
    const check = (text: string) => {
      take("tsconfig.base.json")
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
      write("package.json", '{ "type": "module" }')
      write("packages/core/tsconfig.json", '{ "extends": "../../tsconfig.base.json", "include": ["src"] }')
      write("packages/core/src/A.ts", text)
      write("tsconfig.json", '{ "files": [], "references": [{ "path": "packages/core" }] }')
      return run("typescript/bin/tsc", "-b")
    }

    it("accepts what is sound", () => assert.strictEqual(check("export const a: string = `${1}`\n").status, 0))

    const faults: ReadonlyArray<readonly [what: string, text: string, code: RegExp]> = [
      ["another type", "export const a: string = 1\n", /TS2322/],
      ["an index that may be absent", "export const a = (b: Array<string>): string => b[0]\n", /TS2322/],
      ["undefined for an absent member", "export const a: { b?: string } = { b: undefined }\n", /TS2375/],
      ["an enum", "export enum A {\n  B\n}\n", /TS1294/],
      ["a value import of a type", 'import { Mode } from "node:fs"\nexport type A = Mode\n', /TS1484/],
      ["an unused parameter", "export const a = (b: string) => 1\n", /TS6133/]
    ]
    for (const [what, text, code] of faults) {
      it(`refuses ${what}`, () => {
        const { output, status } = check(text)
        assert.match(output, code)
        assert.notStrictEqual(status, 0)
      })
    }
  })

  describe("unused code", () => {
    const rootManifest = {
      name: "root",
      private: true,
      type: "module",
      workspaces: ["packages/*"],
      dependencies: { "@loopbox/core": "1.0.0" }
    }
    const check = () => run("knip/bin/knip.js", "--no-progress", "--no-config-hints")
    beforeEach(() => {
      take("knip.json")
      const exports = { ".": { "@loopbox/source": "./src/index.ts" }, "./*": { "@loopbox/source": "./src/*.ts" } }
      write("package.json", JSON.stringify(rootManifest))
      write(
        "packages/core/package.json",
        JSON.stringify({ name: "@loopbox/core", version: "1.0.0", type: "module", exports })
      )
      write(
        "packages/core/src/index.ts",
        'export { upload } from "./media/upload.ts"\nexport type { Size } from "./media/Size.ts"\n'
      )
      write("packages/core/src/media/Size.ts", "export interface Size {\n  readonly bytes: number\n}\n")
      // As scripts/test/publicNames.slow.test.ts does for the real ones.
      write("scripts/names.ts", 'import * as core from "@loopbox/core"\nconsole.log(Object.keys(core))\n')
      mkdirSync(join(folder, "node_modules/@loopbox"), { recursive: true })
      symlinkSync("../../packages/core", join(folder, "node_modules/@loopbox/core"))
      write("packages/core/src/media/upload.ts", "export const upload = 1\n")
    })

    it("accepts what the index gives to users", () => {
      const { output, status } = check()
      assert.strictEqual(status, 0, output)
    })

    it("refuses an export that nobody imports, although every file can be imported", () => {
      write("packages/core/src/media/left.ts", "export const left = 1\n")
      const { output, status } = check()
      assert.match(output, /left/)
      assert.strictEqual(status, 1)
    })

    it("refuses a file of the scripts that nobody runs", () => {
      write("scripts/docs/left.ts", "export const left = 1\n")
      const { output, status } = check()
      assert.match(output, /scripts\/docs\/left\.ts/)
      assert.strictEqual(status, 1)
    })

    it("refuses a dependency that nobody imports", () => {
      const manifest = {
        name: "root",
        private: true,
        workspaces: ["packages/*"],
        dependencies: { "left-pad": "1.3.0" }
      }
      write("package.json", JSON.stringify(manifest))
      const { output, status } = check()
      assert.match(output, /left-pad/)
      assert.strictEqual(status, 1)
    })
  })
})
