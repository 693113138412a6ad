import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
// As whole namespaces: knip takes every public name as used, and what no index gives it finds.
import * as blobs from "@loopbox/adapters-blobs"
import * as ffmpeg from "@loopbox/adapters-ffmpeg"
import * as http from "@loopbox/adapters-http"
import * as memory from "@loopbox/adapters-memory"
import * as postgres from "@loopbox/adapters-postgres"
import * as social from "@loopbox/adapters-social"
import * as client from "@loopbox/client"
import * as core from "@loopbox/core"
import * as elements from "@loopbox/elements"
import * as embedded from "@loopbox/embedded"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Imports one package in a process of its own, and tells what that loaded, left open and put into the global scope. */
const probe = `
import { registerHooks } from "node:module"
const globals = new Set(Object.getOwnPropertyNames(globalThis))
const loaded = new Set()
registerHooks({ load: (url, context, next) => { loaded.add(url); return next(url, context) } })
await import(process.argv[1])
console.log(JSON.stringify({
  loaded: [...loaded],
  open: process.getActiveResourcesInfo().filter((name) => !/^(TTYWrap|PipeWrap|FSReq)/.test(name)),
  globals: Object.getOwnPropertyNames(globalThis).filter((name) => !globals.has(name))
}))`

interface Loaded {
  readonly loaded: ReadonlyArray<string>
  readonly open: ReadonlyArray<string>
  readonly globals: ReadonlyArray<string>
}

const load = (name: string): Loaded => {
  const args = ["--conditions=@loopbox/source", "--input-type=module", "--eval", probe, name]
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" })
  assert.strictEqual(status, 0, stderr)
  return JSON.parse(stdout)
}

const packages = [
  ["@loopbox/core", core],
  ["@loopbox/adapters-http", http],
  ["@loopbox/adapters-memory", memory],
  ["@loopbox/adapters-blobs", blobs],
  ["@loopbox/embedded", embedded],
  ["@loopbox/client", client],
  ["@loopbox/elements", elements],
  ["@loopbox/adapters-postgres", postgres],
  ["@loopbox/adapters-ffmpeg", ffmpeg],
  ["@loopbox/adapters-social", social]
] as const

describe("the packages", () => {
  for (const [name, exported] of packages) {
    it(`${name} gives names, opens nothing, sets no global and loads no test library when it is imported`, () => {
      const { globals, loaded, open } = load(name)
      assert.isAbove(Object.keys(exported).length, 0)
      assert.deepStrictEqual(open, [])
      // Lit's own: it tells of two copies of itself, and registers elements in Node, too.
      const ours = globals.filter((global) => !/^(lit|reactiveElement)|^customElements$/.test(global))
      assert.deepStrictEqual(ours, [])
      assert.deepStrictEqual(
        loaded.filter((url) => /node_modules\/(@effect\/vitest|vitest|@vitest|chai)\//.test(url)),
        []
      )
    })
  }

  it("@loopbox/client loads itself", () => {
    const foreign = load("@loopbox/client").loaded.filter((url) => !url.includes("/packages/client/src/"))
    assert.deepStrictEqual(foreign, [])
  })

  it("@loopbox/core loads effect and itself", () => {
    const foreign = load("@loopbox/core").loaded.filter(
      (url) => !/\/(packages\/core\/src|node_modules\/effect)\//.test(url)
    )
    assert.deepStrictEqual(foreign, [])
  })
})
