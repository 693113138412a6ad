/**
 * `npm run lint:openapi`: redocly's recommended rules and spectral's for OpenAPI over the document that a host serves, and
 * whether the client is made of it. Fails on an error, a warning or a hint.
 */
import { Api } from "@loopbox/adapters-http"
import * as OpenApi from "effect/http-api/OpenApi"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { root } from "./copyRepository.ts"
import { loadOpenApiTool } from "./openapi/loadOpenApiTool.ts"

const document = OpenApi.fromApi(Api)

interface Fault {
  readonly rule: string
  readonly place: string
  readonly message: string
}

const redocly = async (): Promise<ReadonlyArray<Fault>> => {
  const { lintFromString, loadConfig } = await loadOpenApiTool("@redocly/openapi-core")
  const config = await loadConfig({ configPath: join(root, "redocly.yaml") })
  const problems: ReadonlyArray<{
    readonly ruleId: string
    readonly message: string
    readonly location: ReadonlyArray<{ readonly pointer?: string }>
  }> = await lintFromString({ source: JSON.stringify(document), absoluteRef: join(root, "openapi.json"), config })
  return problems.map(({ location, message, ruleId }) => ({
    rule: `redocly ${ruleId}`,
    place: location[0]?.pointer ?? "#",
    message
  }))
}

const spectral = async (): Promise<ReadonlyArray<Fault>> => {
  const { Ruleset, Spectral } = await loadOpenApiTool("@stoplight/spectral-core")
  const { oas } = await loadOpenApiTool("@stoplight/spectral-rulesets")
  const linter = new Spectral()
  linter.setRuleset(new Ruleset({ extends: [[oas, "recommended"]] }))
  const problems: ReadonlyArray<{
    readonly code: string | number
    readonly message: string
    readonly path: ReadonlyArray<string | number>
  }> = await linter.run(JSON.parse(JSON.stringify(document)))
  return problems.map(({ code, message, path }) => ({
    rule: `spectral ${code}`,
    place: `#/${path.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`,
    message
  }))
}

const faults = [...(await redocly()), ...(await spectral())]
for (const { message, place, rule } of faults) console.error(`${rule}\n  ${place}\n  ${message}`)
console.log(`lint of the OpenAPI document: ${faults.length} problems`)
if (faults.length > 0) {
  console.error(
    "Mend it where it is described, in packages/adapters-http/src/api; openApiDocument.ts completes what is made of that."
  )
}
const generate = ["--conditions=@loopbox/source", join(root, "scripts/generateClient.ts"), "--check"]
const client = spawnSync(process.execPath, generate, { stdio: "inherit", cwd: root })
process.exitCode = faults.length === 0 && client.status === 0 ? 0 : 1
