import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "vitest"

const script = fileURLToPath(new URL("../ensureInstalled.mjs", import.meta.url))

/** Does what `npm ci` does with a lockfile, but for the packages that FAKE_LEFT_OUT names, and counts its runs. */
const fakeNpm = `
const fs = require("node:fs")
const lock = JSON.parse(fs.readFileSync("package-lock.json", "utf8"))
fs.appendFileSync("runs", process.version + " " + process.argv.slice(2).join(" ") + "\\n")
if (process.env.FAKE_FAILS) { console.error("npm error: no network"); process.exit(7) }
fs.rmSync("node_modules", { recursive: true, force: true })
const present = {}
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === "" || path === process.env.FAKE_LEFT_OUT) continue
  fs.mkdirSync(path, { recursive: true })
  fs.writeFileSync(path + "/package.json", "{}")
  present[path] = entry
}
fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: present }))
`

describe("ensureInstalled", () => {
  let folder = ""
  const brought = `node_modules/node-${process.platform}-${process.arch}`
  const native = { version: "1.0.0", optional: true, os: [process.platform], cpu: [process.arch] }
  const packages = {
    "": {},
    "node_modules/effect": { version: "4.1.0" },
    "node_modules/native": native,
    "node_modules/elsewhere": { version: "1.0.0", optional: true, os: "plan9", cpu: "mips" },
    [brought]: { ...native, version: "99.1.2" }
  }
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const lock = (more: object = {}) => write("package-lock.json", JSON.stringify({ packages: { ...packages, ...more } }))
  const ensure = (env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, [join(folder, "scripts/ensureInstalled.mjs")], {
      encoding: "utf8",
      env: { ...process.env, npm_execpath: join(folder, "npm-cli.js"), ...env }
    })
  const runs = () =>
    existsSync(join(folder, "runs")) ? readFileSync(join(folder, "runs"), "utf8").trim().split("\n") : []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "loopbox install "))
    mkdirSync(join(folder, "scripts"))
    cpSync(script, join(folder, "scripts/ensureInstalled.mjs"))
    write("npm-cli.js", fakeNpm)
    // Whatever a package.json above says of modules.
    write("package.json", "{}")
    lock()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it("installs a fresh clone once, with the development tools whatever NODE_ENV says", () => {
    assert.strictEqual(ensure({ NODE_ENV: "production" }).status, 0)
    assert.strictEqual(ensure().status, 0)
    assert.strictEqual(runs().length, 1)
    assert.match(runs()[0] ?? "", / ci --include=dev --include=optional/)
  })

  it("has npm judge packages by the Node that npm brings", () => {
    ensure()
    assert.match(runs()[0] ?? "", /^v99\.1\.2 /)
  })

  const stale: ReadonlyArray<readonly [what: string, spoil: () => void]> = [
    ["a package has another version in the lockfile", () => lock({ "node_modules/effect": { version: "4.1.1" } })],
    ["the lockfile has a new package", () => lock({ "node_modules/new": { version: "1.0.0" } })],
    ["the lockfile has a new package for this machine", () => lock({ "node_modules/new": native })],
    ["an install was cut off", () => rmSync(join(folder, "node_modules/.package-lock.json"))],
    ["npm's record of the install is half written", () => write("node_modules/.package-lock.json", '{ "packages": {')],
    ["a package is gone", () => rmSync(join(folder, "node_modules/effect"), { recursive: true })]
  ]
  for (const [what, spoil] of stale) {
    it(`installs again when ${what}`, () => {
      ensure()
      spoil()
      assert.strictEqual(ensure().status, 0)
      assert.strictEqual(ensure().status, 0)
      assert.strictEqual(runs().length, 2)
    })
  }

  it("does not try again and again for an optional package that cannot be installed", () => {
    ensure({ FAKE_LEFT_OUT: "node_modules/native" })
    ensure({ FAKE_LEFT_OUT: "node_modules/native" })
    assert.strictEqual(runs().length, 1)
  })

  it("mends an install by hand that left out what this machine needs", () => {
    spawnSync(process.execPath, ["npm-cli.js", "ci"], {
      cwd: folder,
      env: { ...process.env, FAKE_LEFT_OUT: "node_modules/native" }
    })
    ensure()
    assert.strictEqual(runs().length, 2)
  })

  it("leaves an install by hand alone", () => {
    spawnSync(process.execPath, ["npm-cli.js", "ci"], { cwd: folder })
    assert.strictEqual(ensure().status, 0)
    assert.strictEqual(runs().length, 1)
  })

  it("passes npm's message on, says what to do, and fails", () => {
    const { status, stderr } = ensure({ FAKE_FAILS: "yes" })
    assert.strictEqual(status, 1)
    assert.match(stderr, /npm error: no network/)
    assert.match(stderr, /npm ci failed \(exit code 7\)/)
  })
})
