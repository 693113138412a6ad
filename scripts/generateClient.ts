/**
 * `npm run client:generate`: makes the files in packages/client/src/generated, and the table of operations in the client's
 * README, from the OpenAPI document. With `--check` it changes nothing, and fails where they are not what the document
 * gives.
 */
import { Api } from "@loopbox/adapters-http"
import * as OpenApi from "effect/http-api/OpenApi"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { root } from "./copyRepository.ts"
import { objectOf } from "./openapi/clientDocument.ts"
import { mendCommand, operationsSource, wireSource } from "./openapi/clientSources.ts"
import { withOperationsTable } from "./openapi/clientTable.ts"

const target = join(root, "packages/client/src/generated")
const document = objectOf(OpenApi.fromApi(Api))
const cache = join(root, "node_modules/.cache")
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, "loopbox-client-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

writeFileSync(join(folder, "operations.ts"), operationsSource(document))
writeFileSync(join(folder, "wire.ts"), await wireSource(document))
const format = [
  join(root, "node_modules/oxfmt/bin/oxfmt"),
  "-c",
  join(root, ".oxfmtrc.json"),
  "operations.ts",
  "wire.ts"
]
const formatted = spawnSync(process.execPath, format, { cwd: folder, encoding: "utf8" })
if (formatted.status !== 0) throw new Error(formatted.stdout + formatted.stderr)

const readme = join(root, "packages/client/README.md")
const made = [
  ...["operations.ts", "wire.ts"].map(
    (name) => [join(target, name), readFileSync(join(folder, name), "utf8")] as const
  ),
  [readme, withOperationsTable(readFileSync(readme, "utf8"), document)] as const
]
for (const [file, wanted] of made) {
  if (!process.argv.includes("--check")) writeFileSync(file, wanted)
  else if (readFileSync(file, "utf8") !== wanted) {
    console.error(`${relative(root, file)} is not what the OpenAPI document gives: ${mendCommand}`)
    process.exitCode = 1
  }
}
