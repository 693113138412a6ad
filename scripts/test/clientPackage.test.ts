import { Api } from "@loopbox/adapters-http"
import * as OpenApi from "effect/http-api/OpenApi"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "vite"
import { assert, describe, it } from "vitest"
import { clientDocument, objectOf, operationsOf } from "../openapi/clientDocument.ts"
import { digestOf, mendCommand, operationsSource } from "../openapi/clientSources.ts"
import { withOperationsTable } from "../openapi/clientTable.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const generated = join(root, "packages/client/src/generated")
// What a host serves as /openapi.json.
const document = objectOf(OpenApi.fromApi(Api))
const stale = `the OpenAPI document has changed: run \`${mendCommand}\` and commit what it writes`

const formatted = (source: string): string => {
  const folder = mkdtempSync(join(root, "node_modules/.cache/loopbox-client-"))
  try {
    writeFileSync(join(folder, "a.ts"), source)
    const args = [join(root, "node_modules/oxfmt/bin/oxfmt"), "-c", join(root, ".oxfmtrc.json"), "a.ts"]
    assert.strictEqual(spawnSync(process.execPath, args, { cwd: folder }).status, 0)
    return readFileSync(join(folder, "a.ts"), "utf8")
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("@loopbox/client", () => {
  it("has the operations of the document", () => {
    const wanted = formatted(operationsSource(document))
    assert.strictEqual(readFileSync(join(generated, "operations.ts"), "utf8"), wanted, stale)
  })

  it("has each operation in the table of its README", () => {
    const readme = readFileSync(join(root, "packages/client/README.md"), "utf8")
    assert.strictEqual(readme, withOperationsTable(readme, document), stale)
    assert.include(readme, "`retryTarget(id, targetID)`")
  })

  it("has the types of the document", () => {
    const [, digest] = /^\/\/ document: (\w+)$/m.exec(readFileSync(join(generated, "wire.ts"), "utf8")) ?? []
    assert.strictEqual(digest, digestOf(document), stale)
  })

  it("would find another answer, parameter or operation, and lets examples and refusals be", () => {
    const changed = (path: string, from: string, to: string) => {
      const paths = objectOf(document["paths"])
      const item = JSON.parse(JSON.stringify(paths[path]).replaceAll(from, to))
      return digestOf({ ...document, paths: { ...paths, [path]: item } })
    }
    const now = digestOf(document)
    assert.notStrictEqual(changed("/v1/inbox/unread-count", '"count"', '"counted"'), now)
    assert.notStrictEqual(changed("/v1/inbox", '"is_own"', '"is_mine"'), now)
    assert.strictEqual(changed("/v1/inbox/unread-count", "req_01k9j8m2x4v6q8s0t2w4y6z8ab", "req_other"), now)
    assert.strictEqual(changed("/livez", '"status"', '"state"'), now)
  })

  it("offers what callers call, and neither the networks' webhooks nor probes", () => {
    const names = operationsOf(clientDocument(document)).map(({ name, tag }) => `${tag}.${name}`)
    assert.includeMembers(names, ["inbox.list", "conversions.create", "admin.createWorkspace", "posts.retryTarget"])
    assert.notIncludeMembers(names, ["webhooks.metaDeliver", "inbox.follow"])
  })

  it("is at most 12 kB on the wire, and needs nothing of Node", async () => {
    const result = await build({
      root,
      configFile: false,
      logLevel: "silent",
      build: {
        write: false,
        minify: true,
        target: "es2022",
        lib: { entry: join(root, "packages/client/src/index.ts"), formats: ["es"], fileName: "client" }
      }
    })
    const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ("output" in one ? one.output : []))
    const chunks = outputs.flatMap((output) => (output.type === "chunk" ? [output] : []))
    assert.deepStrictEqual(
      chunks.flatMap((chunk) => chunk.imports),
      []
    )
    const code = chunks.map((chunk) => chunk.code).join("\n")
    assert.isAtMost(gzipSync(code).length, 12 * 1024)
    assert.notMatch(code, /\b(process|Buffer|require)\b[.(]/)
  })
})
