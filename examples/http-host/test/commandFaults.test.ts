import { assert, describe, it } from "@effect/vitest"
import { spawn, type SpawnOptions } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"
import { bin, cleanEnvironment, temporaryFolder } from "./support/hostProcess.ts"

const places = temporaryFolder()
afterAll(places.remove)

/** Runs a process to its end, with what it wrote to each of both streams. */
const ended = (args: ReadonlyArray<string>, options: SpawnOptions = {}) =>
  new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: places.folder,
      env: cleanEnvironment(),
      stdio: "pipe",
      ...options
    })
    let out = ""
    let err = ""
    child.stdout?.on("data", (chunk) => (out += String(chunk)))
    child.stderr?.on("data", (chunk) => (err += String(chunk)))
    child.on("close", (code) => resolve({ code, out, err }))
  })

const loopbox = (...args: ReadonlyArray<string>) => ended([bin, ...args])

describe("a command that fails", () => {
  it("leaves standard output to answers, help included", async () => {
    const { code, err, out } = await loopbox("inbox", "list", "--limit", "501")
    assert.deepStrictEqual([code, out], [2, ""])
    assert.match(err, /^ {2}loopbox inbox list \[flags\]$/m)
    assert.match(err, /Invalid value for flag --limit: "501"\. Expected: an integer from 1 to 500\n$/)
    const help = await loopbox("inbox", "list", "--help")
    assert.deepStrictEqual([help.code, help.err], [0, ""])
    assert.match(help.out, /^ {2}loopbox inbox list \[flags\]$/m)
  })

  it("writes no answer where it has none, also to a program that asked for JSON", async () => {
    const { code, err, out } = await loopbox("inbox", "list", "--json")
    assert.deepStrictEqual([code, out], [1, ""])
    assert.match(err, /^loopbox: No host serves .*\n$/)
  })

  it("says where the admin token came from that a host does not take", async () => {
    const host = createServer((_asked, answer) => {
      const error = { code: "UNAUTHORIZED", message: "Give the admin token: Authorization: Bearer …" }
      answer.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ error }))
    })
    await new Promise<void>((done) => host.listen(0, "127.0.0.1", done))
    const address = host.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    const data = join(places.folder, "data")
    mkdirSync(data)
    writeFileSync(join(data, "admin-token"), `${"t".repeat(40)}\n`)
    try {
      for (const [variables, source] of [
        [{ LOOPBOX_ADMIN_TOKEN: "w".repeat(40) }, "LOOPBOX_ADMIN_TOKEN"],
        [{ LOOPBOX_DATA: data }, `${join(data, "admin-token")} (LOOPBOX_ADMIN_TOKEN is not set)`]
      ] as const) {
        const env = { ...cleanEnvironment(), LOOPBOX_URL: url, ...variables }
        const { code, err } = await ended([bin, "workspace", "list"], { env })
        assert.deepStrictEqual(
          [code, err],
          [1, `loopbox: The admin token of ${source} is not that of the installation at ${url}.\n`]
        )
      }
    } finally {
      host.close()
    }
  })

  it("says what could not be loaded", async () => {
    const hook = `import { registerHooks } from "node:module"
      registerHooks({ resolve: (name, context, next) => {
        if (name.endsWith("commandLine.ts")) throw new Error("Cannot find package 'effect'")
        return next(name, context)
      } })`
    const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
    const flags = ["--conditions=@loopbox/source", "--import", `data:text/javascript,${encodeURIComponent(hook)}`]
    const { code, err, out } = await ended([...flags, main, "--version"])
    assert.deepStrictEqual([code, out], [1, ""])
    assert.match(err, /^loopbox: Error: Cannot find package 'effect'/)
  })
})

describe("the help of a command", () => {
  it.each([
    [["sandbox", "fault", "set"], "rate_limit, server_error"],
    [["sandbox", "token"], "valid, expired, revoked"],
    [["sandbox", "consent"], "approve, deny, hang, ask"],
    [["trigger"], "inbox.new_item, media.gif_conversion_ended"]
  ] as const)("names what its argument may be: %j", async (command, choices) => {
    const { out } = await loopbox(...command, "--help")
    assert.include(out, `(choices: ${choices}`)
  })
})

describe("config --env", () => {
  it("refuses what it would leave out of account", async () => {
    for (const flag of ["--json", "--networks"]) {
      const { code, err, out } = await loopbox("config", "--env", flag)
      assert.deepStrictEqual([code, out], [2, ""])
      assert.strictEqual(err, "loopbox: --env prints a file of comments: leave --json and --networks out.\n")
    }
  })
})
