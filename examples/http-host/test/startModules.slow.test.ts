import { Schema } from "effect"
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { bin, runCliProcess, startHostOf, temporaryFolder } from "./support/hostProcess.ts"
import { makeDatabase } from "./support/testServer.ts"

const { folder, remove } = temporaryFolder()
// Beside the one of `npm run build`, so that what lies outside of it is found.
const bundle = join(dirname(bin), "../bundle-of-test")
const program = join(bundle, "main.mjs")
const build = () => {
  execFileSync(process.execPath, [fileURLToPath(new URL("../../../scripts/buildHost.mjs", import.meta.url)), bundle])
}
afterAll(() => {
  remove()
  rmSync(bundle, { recursive: true, force: true })
})

/** Which modules each of its files has. */
const Chunks = Schema.fromJsonString(
  Schema.Struct({ chunks: Schema.Record(Schema.String, Schema.Array(Schema.String)) })
)
const readChunks = () => Schema.decodeUnknownSync(Chunks)(readFileSync(join(bundle, "inputs.json"), "utf8")).chunks

const list = join(folder, "modules.json")

/** Writes down, when its process ends, which files were loaded until it listened. */
const hookProgram = `
import { registerHooks } from "node:module"
import { writeFileSync } from "node:fs"
const loaded = new Set()
registerHooks({ load: (url, context, next) => { if (url.startsWith("file:")) loaded.add(url); return next(url, context) } })
process.on("exit", () => writeFileSync(${JSON.stringify(list)}, JSON.stringify([...loaded])))`

/** A package of ours or of others. */
const ownerOf = (file: string): string =>
  /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(file)?.[1] ??
  /^(?:packages|examples)\/([^/]+)\//.exec(file)?.[1] ??
  file

/**
 * Modules that an API host may load until it listens, by package: somewhat more than it does. One that only some processes
 * need is imported where it is needed.
 */
const allowed: Readonly<Record<string, number>> = {
  core: 400,
  effect: 320,
  "adapters-social": 290,
  "adapters-http": 240,
  "adapters-postgres": 220,
  "http-host": 110,
  // To sign in with the dashboard's tokens.
  jose: 20,
  oauth4webapi: 1,
  // X counts a text's length in its own way.
  "twitter-text": 40,
  "core-js": 80,
  "@babel/runtime": 1,
  "twemoji-parser": 3,
  punycode: 1,
  "@effect/platform-node": 20,
  "@effect/platform-node-shared": 18,
  "@effect/sql-pg": 12,
  "adapters-ffmpeg": 18,
  "adapters-blobs": 12,
  ws: 15,
  embedded: 8,
  "image-size": 6,
  "ipaddr.js": 1
}

describe("the bundle of the host", () => {
  it("loads no module of a package that an API host need not have, and of the others no more than is known", async () => {
    build()
    const hook = join(folder, "listModules.mjs")
    writeFileSync(hook, hookProgram)
    const hookUrl = pathToFileURL(hook).href
    const host = await startHostOf(
      program,
      folder,
      {
        DATABASE_URL: await makeDatabase(),
        LOOPBOX_SECRET_KEYS: `start:${randomBytes(32).toString("base64")}`,
        LOOPBOX_ADMIN_TOKEN: randomBytes(24).toString("hex"),
        NODE_OPTIONS: `--import=${hookUrl}`
      },
      ["--port", "0", "--role", "api"]
    )
    await host.stop()
    const loaded: ReadonlyArray<string> = JSON.parse(readFileSync(list, "utf8"))
    const chunks = readChunks()
    // The manifest says which version it is.
    const files = loaded
      .filter((url) => url !== hookUrl && basename(url) !== "package.json")
      .map((url) => fileURLToPath(url))
    assert.deepStrictEqual(
      files.filter((file) => chunks[basename(file)] === undefined),
      [],
      "files outside of the bundle"
    )
    const counts = new Map<string, number>()
    for (const module of files.flatMap((file) => chunks[basename(file)] ?? [])) {
      const owner = ownerOf(module)
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
    }
    assert.isAbove(counts.get("core") ?? 0, 200)
    const beyond = [...counts].filter(([owner, count]) => count > (allowed[owner] ?? 0))
    assert.deepStrictEqual(beyond, [])
  })

  it("leaves a host that runs the files of its build", () => {
    build()
    const before = Object.keys(readChunks())
    // As after a change of a source: its state is another one.
    const inputs = join(bundle, "inputs.json")
    writeFileSync(inputs, readFileSync(inputs, "utf8").replace(/:\d[\d.]*/, ":1"))
    writeFileSync(join(bundle, "older.mjs"), "")
    build()
    assert.deepStrictEqual(
      before.filter((name) => !existsSync(join(bundle, name))),
      []
    )
    assert.isFalse(existsSync(join(bundle, "older.mjs")))
  })

  it("runs a command", async () => {
    build()
    const { code, output } = await runCliProcess(["config", "--help"], folder, {}, program)
    assert.strictEqual(code, 0, output)
    assert.include(output, "loopbox config")
  })
})
