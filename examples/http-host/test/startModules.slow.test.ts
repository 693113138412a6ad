import { randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { startHost, temporaryFolder } from "./support/hostProcess.ts"
import { makeDatabase } from "./support/testServer.ts"

const { folder, remove } = temporaryFolder()
afterAll(remove)

const list = join(folder, "modules.json")

/** Writes down, when its process ends, which files were loaded until it listened. */
const program = `
import { registerHooks } from "node:module"
import { writeFileSync } from "node:fs"
const loaded = new Set()
registerHooks({ load: (url, context, next) => { if (url.startsWith("file:")) loaded.add(url); return next(url, context) } })
process.on("exit", () => writeFileSync(${JSON.stringify(list)}, JSON.stringify([...loaded])))`

/** A package of ours or of others. */
const ownerOf = (url: string): string =>
  /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1] ??
  /\/(?:packages|examples)\/([^/]+)\//.exec(url)?.[1] ??
  url

/**
 * Files that an API host may load until it listens, by package: somewhat more than it does. Each takes 0.3 ms of every
 * start; one that only some processes need is imported where it is needed.
 */
const allowed: Readonly<Record<string, number>> = {
  core: 400,
  effect: 320,
  "adapters-social": 290,
  "adapters-http": 240,
  "adapters-postgres": 220,
  "http-host": 110,
  // To sign in with the dashboard's tokens.
  jose: 50,
  oauth4webapi: 1,
  // X counts a text's length in its own way.
  "twitter-text": 40,
  "core-js": 80,
  "@babel/runtime": 1,
  "twemoji-parser": 3,
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

describe("the start of an API host on a running database", () => {
  it("loads no file of a package that it need not have, and of the others no more than is known", async () => {
    const hook = join(folder, "listModules.mjs")
    writeFileSync(hook, program)
    const hookUrl = pathToFileURL(hook).href
    const host = await startHost(
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
    const counts = new Map<string, number>()
    for (const url of loaded) {
      if (url === hookUrl) continue
      const owner = ownerOf(url)
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
    }
    assert.isAbove(counts.get("core") ?? 0, 200)
    const beyond = [...counts].filter(([owner, count]) => count > (allowed[owner] ?? 0))
    assert.deepStrictEqual(beyond, [])
  })
})
