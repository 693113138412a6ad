// Copies what a production install needs from a built checkout, for `npm ci --omit=dev --workspace loopbox` to be run in it:
//   node scripts/productionFolder.mjs FOLDER
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const target = process.argv[2]
if (target === undefined) {
  console.error("Usage: node scripts/productionFolder.mjs FOLDER")
  process.exit(2)
}

mkdirSync(target, { recursive: true })
for (const file of ["package.json", "package-lock.json", ".npmrc"]) cpSync(join(root, file), join(target, file))
// npm reads the manifests of all workspaces; only what a package would publish goes along.
for (const manifest of globSync("{packages,examples}/*/package.json", { cwd: root })) {
  const folder = dirname(manifest)
  mkdirSync(join(target, folder), { recursive: true })
  cpSync(join(root, manifest), join(target, manifest))
  for (const name of JSON.parse(readFileSync(join(root, manifest), "utf8")).files ?? []) {
    if (existsSync(join(root, folder, name)))
      cpSync(join(root, folder, name), join(target, folder, name), { recursive: true })
  }
}
