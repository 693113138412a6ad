import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const cache = join(root, "node_modules/.cache")

describe("npm run build:elements", () => {
  const folder = mkdtempSync(join(cache, "loopbox-elements-"))
  const made = join(folder, "browser")
  const read = (file: string) => readFileSync(join(made, file), "utf8")
  const sizeOf = (file: string) => gzipSync(read(file)).length

  beforeAll(() => {
    const script = "const { buildElements } = await import(process.argv[1]); await buildElements(process.argv[2])"
    const args = ["--input-type=module", "--eval", script, join(root, "scripts/buildElements.mjs"), made]
    // As a host does it that runs in a folder of its own, in an environment that says what it likes.
    const env = { ...process.env, NODE_ENV: "development" }
    const run = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env })
    assert.strictEqual(run.status, 0, run.stderr)
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it("makes one file an element, which imports nothing", () => {
    for (const name of ["inbox", "unread", "accounts"]) {
      assert.notMatch(read(`loopbox-${name}.js`), /\bimport\s*[{("'*]|\bfrom\s*["']/, name)
    }
  })

  it("makes the same files wherever it runs: they name no folder of the machine, and have none of Lit's words for developers", () => {
    for (const name of ["inbox", "unread", "accounts"]) {
      const text = read(`loopbox-${name}.js`)
      assert.isFalse(text.includes(root.replace(/^\//, "")), name)
      assert.isFalse(text.includes("litIssuedWarnings"), name)
    }
  })

  it("makes an inbox of at most 60 kB on the wire, and smaller elements of 32", () => {
    assert.isAtMost(sizeOf("loopbox-inbox.js"), 60 * 1024)
    assert.isAtMost(sizeOf("loopbox-unread.js"), 32 * 1024)
    assert.isAtMost(sizeOf("loopbox-accounts.js"), 32 * 1024)
  })

  it("makes a console of at most 150 kB on the wire, whose page holds neither script nor style", () => {
    const assets = readdirSync(join(made, "console/assets"))
    const sizes = assets.map((name) => sizeOf(join("console/assets", name)))
    assert.isAtMost(
      sizes.reduce((sum, size) => sum + size, 0),
      150 * 1024
    )
    const page = read("console/index.html")
    assert.notMatch(page, /<style|style=|<script(?![^>]*\ssrc=)/)
    assert.match(page, /src="\/console\/assets\/[^"]+-[\w-]{8}\.js"/)
  })
})
