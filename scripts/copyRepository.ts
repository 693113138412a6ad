import { cpSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

const leftOut = new Set(["node_modules", "dist", "bundle", ".git", ".loopbox", "coverage"])

/** Copies what a clone would hold, and nothing that was installed, built or stored. */
export const copyRepository = (target: string): void =>
  cpSync(root, target, {
    recursive: true,
    // ensureInstalled.mjs compares the lockfile's time with the install's.
    preserveTimestamps: true,
    filter: (path) => !leftOut.has(basename(path)) && !path.endsWith(".tsbuildinfo")
  })
