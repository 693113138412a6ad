import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url))

export interface Tools {
  /** Holds their package.json and package-lock.json. */
  readonly folder: URL
  /** Name of their folder in the cache. */
  readonly name: string
  /** What is installed, for whoever waits. */
  readonly what: string
}

/** Installs tools with the versions of their lockfile, once for each lockfile, and without their scripts. */
const install = ({ folder: given, name, what }: Tools): string => {
  const tools = fileURLToPath(given)
  const lock = readFileSync(join(tools, "package-lock.json"))
  const folder = join(cache, name, createHash("sha256").update(lock).digest("hex").slice(0, 16))
  const done = join(folder, "installed")
  if (existsSync(done)) return folder
  mkdirSync(folder, { recursive: true })
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(tools, file), join(folder, file))
  console.log(`installing ${what} …`)
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
    timeout: 300_000
  })
  if (status !== 0) throw new Error(`npm ci failed in ${folder}`)
  writeFileSync(done, "")
  return folder
}

/**
 * Loads one of the tools, which are no development dependencies because every clone would carry them. Their types are not
 * installed with the rest, so what is taken from one is believed.
 */
export const loadTool = async (tools: Tools, tool: string) => {
  const require = createRequire(join(install(tools), "package.json"))
  const module = await import(pathToFileURL(require.resolve(tool)).href)
  // A module of CommonJS is the default member of what is imported.
  return { ...module.default, ...module }
}
