/**
 * `npm run client:generate`: makes the files in packages/client/src/generated from the OpenAPI document. With `--check` it
 * changes nothing, and fails where they are not what the document gives.
 */
import { Api } from "@loopbox/adapters-http"
import * as OpenApi from "effect/http-api/OpenApi"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./copyRepository.ts"
import { objectOf } from "./openapi/clientDocument.ts"
import { mendCommand, operationsSource, wireSource } from "./openapi/clientSources.ts"

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

for (const name of ["operations.ts", "wire.ts"]) {
  const wanted = readFileSync(join(folder, name), "utf8")
  if (!process.argv.includes("--check")) writeFileSync(join(target, name), wanted)
  else if (readFileSync(join(target, name), "utf8") !== wanted) {
    console.error(`packages/client/src/generated/${name} is not what the OpenAPI document gives: ${mendCommand}`)
    process.exitCode = 1
  }
}
