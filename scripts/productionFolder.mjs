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

/** What Node has compiled of the bundle here. A host that ends beside this writes in it, and an image gets its own (warmImage.mjs). */
const compiled = join(root, "examples/http-host/bundle/compiled")

mkdirSync(target, { recursive: true })
for (const file of ["package.json", "package-lock.json", ".npmrc"]) cpSync(join(root, file), join(target, file))
// npm reads the manifests of all workspaces; only what a package would publish goes along, and the host's bundle.
for (const manifest of globSync("{packages,examples}/*/package.json", { cwd: root })) {
  const folder = dirname(manifest)
  mkdirSync(join(target, folder), { recursive: true })
  cpSync(join(root, manifest), join(target, manifest))
  const published = JSON.parse(readFileSync(join(root, manifest), "utf8")).files ?? []
  // The host's bundle is not published: what it has of others' packages is beside it here, with its licences.
  for (const name of folder === join("examples", "http-host") ? [...published, "bundle"] : published) {
    if (existsSync(join(root, folder, name)))
      cpSync(join(root, folder, name), join(target, folder, name), {
        recursive: true,
        filter: (path) => path !== compiled
      })
  }
}
