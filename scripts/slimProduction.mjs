// Removes what a host in production does not read from a folder that productionFolder.mjs filled and npm installed:
//   node scripts/slimProduction.mjs FOLDER [NODE]
// Declarations, maps, sources that were built, and the builds of packages for bundlers; of the program NODE what only
// debuggers read.
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { cutSymbols } from "./cutSymbols.mjs"
import { dropUnread } from "./unreadFiles.mjs"

const [folder, node] = process.argv.slice(2)
if (folder === undefined) {
  console.error("Usage: node scripts/slimProduction.mjs FOLDER [NODE]")
  process.exit(2)
}

const drop = (path) => {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name)
    // Links lead to folders that are gone through by themselves.
    if (entry.isDirectory()) drop(inside)
    else if (/\.(d\.[cm]?ts|map|tsbuildinfo)$/.test(entry.name)) rmSync(inside)
  }
}

dropUnread(join(folder, "node_modules"))
drop(folder)
for (const types of ["@types", "undici-types"]) {
  rmSync(join(folder, "node_modules", types), { recursive: true, force: true })
}
if (node !== undefined && existsSync(node)) cutSymbols(node)
