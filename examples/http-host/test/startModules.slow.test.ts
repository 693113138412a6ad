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
const program = join(folder, "program.mjs")
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

/** Runs the bundle, and writes down, when its process ends, which files were loaded and which were run as compiled before. */
const runner = pathToFileURL(join(dirname(bin), "runBundle.mjs")).href
writeFileSync(
  program,
  `import { registerHooks } from "node:module"
import { writeFileSync } from "node:fs"
import { runBundle } from ${JSON.stringify(runner)}
const others = new Set()
registerHooks({ load: (url, context, next) => { if (url.startsWith("file:")) others.add(url); return next(url, context) } })
const { accepted, loaded } = runBundle(new URL(${JSON.stringify(pathToFileURL(`${bundle}/`).href)}), "main.cjs")
process.on("exit", () =>
  writeFileSync(
    ${JSON.stringify(list)},
    JSON.stringify({ accepted: accepted(), loaded: loaded(), others: [...others] })
  ))`
)
const Loaded = Schema.fromJsonString(
  Schema.Struct({
    accepted: Schema.Array(Schema.String),
    loaded: Schema.Array(Schema.String),
    others: Schema.Array(Schema.String)
  })
)
const readLoaded = () => Schema.decodeUnknownSync(Loaded)(readFileSync(list, "utf8"))

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

const secretKeys = `start:${randomBytes(32).toString("base64")}`
const adminToken = randomBytes(24).toString("hex")

describe("the bundle of the host", () => {
  it("loads no module of a package that an API host need not have, and of the others no more than is known", async () => {
    build()
    const database = await makeDatabase()
    const run = async () => {
      const host = await startHostOf(
        program,
        folder,
        {
          DATABASE_URL: database,
          LOOPBOX_SECRET_KEYS: secretKeys,
          LOOPBOX_ADMIN_TOKEN: adminToken,
          LOOPBOX_PORT: "0",
          LOOPBOX_ROLE: "api"
        },
        []
      )
      await host.stop()
      return readLoaded()
    }
    const first = await run()
    const second = await run()
    assert.deepStrictEqual(first.accepted, [], "nothing was compiled before")
    assert.isNotEmpty(second.accepted)
    // One that is loaded while the host listens may have come too late for the first.
    const again = second.loaded.filter((name) => first.loaded.includes(name))
    assert.deepStrictEqual(
      again.filter((name) => !second.accepted.includes(name)),
      [],
      "compiled anew"
    )
    const chunks = readChunks()
    // The manifest says which version it is.
    const outside = second.others.filter((url) => basename(url) !== "package.json")
    assert.deepStrictEqual(outside, [], "files outside of the bundle")
    const modules = second.loaded.flatMap((file) => chunks[file] ?? [])
    assert.deepStrictEqual(
      modules.filter((module) => /\/effect\/dist\/cli\/Cli(Output|Config)\.js$/.test(module)),
      [],
      "what reads a command line, where there is none to read"
    )
    const counts = new Map<string, number>()
    for (const module of modules) {
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
    writeFileSync(join(bundle, "older.cjs"), "")
    build()
    assert.deepStrictEqual(
      before.filter((name) => !existsSync(join(bundle, name))),
      []
    )
    assert.isFalse(existsSync(join(bundle, "older.cjs")))
  })

  it("has the letters that its sources have, written as escapes, for its files are read byte by byte", async () => {
    build()
    const files = Object.keys(readChunks()).map((name) => readFileSync(join(bundle, name)))
    assert.isNotEmpty(files)
    assert.isFalse(files.some((bytes) => bytes.some((byte) => byte > 0x7f)))
    const { code, output } = await runCliProcess(["config", "--env"], folder, {}, program)
    assert.strictEqual(code, 0, output)
    assert.include(output, "…")
    assert.notInclude(output, "\u00e2\u0080")
  })

  it("runs a command", async () => {
    build()
    const { code, output } = await runCliProcess(["config", "--help"], folder, {}, program)
    assert.strictEqual(code, 0, output)
    assert.include(output, "loopbox config")
  })
})
