import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { exampleFolder } from "./elementsExample.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** The framework of an example's package file, once for each; no development dependency, since no clone needs it otherwise. */
const install = (framework: string): string => {
  const file = join(exampleFolder(framework), "package.json")
  const name = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16)
  const app = join(root, "node_modules/.cache/loopbox-elements", `${framework}-${name}`)
  const done = join(app, "node_modules/installed")
  if (existsSync(done)) return app
  mkdirSync(app, { recursive: true })
  cpSync(file, join(app, "package.json"))
  const args = ["install", "--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
  const { status, stderr } = spawnSync("npm", args, { cwd: app, encoding: "utf8", timeout: 300_000 })
  assert.strictEqual(status, 0, stderr)
  writeFileSync(done, "")
  return app
}

/**
 * Builds an example with its real framework and vite, as its reader would, for a host at an address; answers the folder of
 * the page. Only our own package is taken from its source, so that nothing has to be built before.
 */
export const buildFrameworkPage = (framework: "react" | "vue", hostUrl: string): string => {
  const app = install(framework)
  for (const name of readdirSync(exampleFolder(framework))) {
    const text = readFileSync(join(exampleFolder(framework), name), "utf8")
    writeFileSync(join(app, name), text.replaceAll("http://127.0.0.1:8080", hostUrl))
  }
  const page = join(app, "dist")
  rmSync(page, { recursive: true, force: true })
  const program = `
    const { build, defaultClientConditions } = await import("vite")
    await build({ configFile: false, logLevel: "warn", root: process.argv[1],
      resolve: { conditions: ["@loopbox/source", ...defaultClientConditions] },
      build: { modulePreload: { polyfill: false } } })`
  const built = spawnSync(process.execPath, ["--input-type=module", "--eval", program, app], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" }
  })
  assert.strictEqual(built.status, 0, `${built.stdout}${built.stderr}`)
  return page
}
