import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { makeBrowserFiles } from "../../src/console/browserFiles.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "loopbox console "))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const script = "customElements.define('x-y', class extends HTMLElement {})\n".repeat(50)

const write = (folder: string, asset: string) => {
  mkdirSync(join(folder, "assets"), { recursive: true })
  writeFileSync(join(folder, "assets", asset), script)
  writeFileSync(join(folder, "index.html"), `<script type="module" src="/console/assets/${asset}"></script>`)
}

describe("the console's files in a host", () => {
  it.effect("are those of the folder, compressed, and of no other type than a console has", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      write(folder, "index-1.js")
      writeFileSync(join(folder, "assets", "picture-1.png"), "PNG")
      writeFileSync(join(folder, "assets", "secrets.env"), "A=1")
      writeFileSync(join(folder, "notes.html"), "not for browsers")
      const files = yield* yield* makeBrowserFiles(folder)
      assert.deepStrictEqual([...files.keys()].toSorted(), ["assets/index-1.js", "assets/picture-1.png", "index.html"])
      const found = files.get("assets/index-1.js")
      assert.strictEqual(found?.contentType, "text/javascript; charset=utf-8")
      const [br, gzip] = found?.encodings ?? []
      assert.deepStrictEqual([br?.name, gzip?.name], ["br", "gzip"])
      assert.strictEqual(String(brotliDecompressSync(br?.bytes ?? new Uint8Array())), script)
      assert.strictEqual(String(gunzipSync(gzip?.bytes ?? new Uint8Array())), script)
      assert.deepStrictEqual(files.get("assets/picture-1.png")?.encodings, [])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("are read again once a build wrote others, and not before", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const files = yield* makeBrowserFiles(folder)
      assert.strictEqual((yield* files).size, 0)
      write(folder, "index-1.js")
      const first = yield* files
      assert.isTrue(first.has("assets/index-1.js"))
      assert.strictEqual(yield* files, first)
      rmSync(folder, { recursive: true })
      write(folder, "index-2.js")
      const second = yield* files
      assert.isTrue(second.has("assets/index-2.js"))
      assert.isFalse(second.has("assets/index-1.js"))
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
