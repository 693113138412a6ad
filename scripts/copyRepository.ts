import { cpSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

const leftOut = new Set(["node_modules", "dist", ".git", ".loopbox", "coverage"])

/** Bundles of the host, and those that are being made: a build may remove one while we copy. */
const isBundle = (path: string): boolean => /\/examples\/http-host\/\.?bundle[^/]*$/.test(path)

/** Copies what a clone would hold, and nothing that was installed, built or stored. */
export const copyRepository = (target: string, repository = root): void =>
  cpSync(repository, target, {
    recursive: true,
    // ensureInstalled.mjs compares the lockfile's time with the install's.
    preserveTimestamps: true,
    filter: (path) => !leftOut.has(basename(path)) && !path.endsWith(".tsbuildinfo") && !isBundle(path)
  })
