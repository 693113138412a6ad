import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { adminToken, portOf } from "./exampleServer.ts"
import { bringGif, expectEnvelope, largeGif, makeKey, sendTo } from "./visitor.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const example = fileURLToPath(new URL("../next", import.meta.url))

/** Our packages that the example needs. */
const packages = ["core", "embedded"].concat(
  ["blobs", "ffmpeg", "http", "memory", "postgres", "social"].map((name) => `adapters-${name}`)
)

const run = (args: ReadonlyArray<string>, cwd: string) => {
  const env = { ...process.env, NODE_ENV: "production", NODE_OPTIONS: "", NEXT_TELEMETRY_DISABLED: "1" } as const
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd, env, encoding: "utf8" })
  assert.strictEqual(status, 0, `${args.join(" ")}:\n${stdout}${stderr}`)
  return stdout
}

/** Next of the example's lockfile, once for each; no development dependency, because every clone would carry its 340 MB. */
const installNext = (): string => {
  const lock = readFileSync(join(example, "package-lock.json"))
  const name = createHash("sha256").update(lock).digest("hex").slice(0, 16)
  const app = join(root, "node_modules/.cache/loopbox-next", name)
  const done = join(app, "installed")
  if (existsSync(done)) return app
  mkdirSync(app, { recursive: true })
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(example, file), join(app, file))
  const install = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"]
  const { status, stderr } = spawnSync("npm", install, { cwd: app, encoding: "utf8", timeout: 300_000 })
  assert.strictEqual(status, 0, stderr)
  writeFileSync(done, "")
  return app
}

/** The example with Next, and with our packages as npm installs them: built, and no links to their sources. */
const makeApp = (): string => {
  const app = installNext()
  run([join(root, "node_modules/typescript/bin/tsc"), "-b", "packages/embedded"], root)
  cpSync(example, app, { recursive: true })
  for (const name of packages) {
    const target = join(app, "node_modules/@loopbox", name)
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target, { recursive: true })
    for (const part of ["package.json", "dist"]) {
      cpSync(join(root, "packages", name, part), join(target, part), { recursive: true })
    }
  }
  return app
}

const gif = largeGif()

describe("the example of Next", () => {
  it("is built, and serves JSON and an upload of 40 MB", async () => {
    const app = makeApp()
    const next = join(app, "node_modules/next/dist/bin/next")
    assert.include(run([next, "build"], app), "/social/[[...loopbox]]")
    const child = spawn(process.execPath, [next, "start", "-H", "127.0.0.1", "-p", "0"], {
      cwd: app,
      env: {
        ...process.env,
        NODE_ENV: "production",
        NODE_OPTIONS: "",
        NEXT_TELEMETRY_DISABLED: "1",
        ADMIN_TOKEN: adminToken
      },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const ended = new Promise((done) => child.once("exit", done))
    try {
      const port = await portOf(child, /http:\/\/\S+:(\d+)/)
      const send = sendTo(port)
      await expectEnvelope(send)
      const key = await makeKey(send)
      await bringGif(send, key, `http://127.0.0.1:${port}`, gif)
      // Route handlers take no sockets.
      const headers = { authorization: `Bearer ${key}` }
      const socket = await send("/social/v1/inbox/ws?inbox_scope=workspace", { headers })
      assert.strictEqual(socket.status, 426, await socket.text())
    } finally {
      child.kill("SIGTERM")
      await ended
    }
  })
})
