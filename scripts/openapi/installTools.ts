import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const tools = fileURLToPath(new URL("tools", import.meta.url))
const cache = fileURLToPath(new URL("../../node_modules/.cache/loopbox-openapi", import.meta.url))

/**
 * Installs the linters and the generator of types with the versions of their lockfile, once for each lockfile, and
 * without their scripts. They are no development dependencies, because every clone would carry their 120 MB.
 */
const install = (): string => {
  const lock = readFileSync(join(tools, "package-lock.json"))
  const folder = join(cache, createHash("sha256").update(lock).digest("hex").slice(0, 16))
  const done = join(folder, "installed")
  if (existsSync(done)) return folder
  mkdirSync(folder, { recursive: true })
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(tools, file), join(folder, file))
  console.log("installing the linters and the generator of types …")
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
    timeout: 300_000
  })
  if (status !== 0) throw new Error(`npm ci failed in ${folder}`)
  writeFileSync(done, "")
  return folder
}

/** Loads one of the tools; their types are not installed with the rest, so what is taken from one is believed. */
export const loadTool = async (tool: string) => {
  const require = createRequire(join(install(), "package.json"))
  const module = await import(pathToFileURL(require.resolve(tool)).href)
  // A module of CommonJS is the default member of what is imported.
  return { ...module.default, ...module }
}
