import { assert } from "@effect/vitest"
import { spawn } from "node:child_process"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { HostProcess } from "./hostProcess.ts"
import { identityProvider } from "./identityProvider.ts"
import { isMoved } from "./movedTo.ts"
import { runCli } from "./runCli.ts"

/** A folder of the elements' examples. */
export const exampleFolder = (name: string): string =>
  fileURLToPath(new URL(`../../../elements/${name}`, import.meta.url))

/** A copy of the example's page in plain HTML below a folder, with this host's address instead of the usual one. */
export const copyPage = (folder: string, hostUrl: string): string => {
  const page = join(folder, "page")
  cpSync(exampleFolder("html"), page, { recursive: true })
  const index = join(page, "index.html")
  writeFileSync(index, readFileSync(index, "utf8").replaceAll("http://127.0.0.1:8080", hostUrl))
  return page
}

/** The workspace of a host's data folder, with the member Ada. */
export const addAda = async (folder: string, data: string): Promise<string> => {
  const listed = await runCli(["workspace", "list", "--json"], folder, { LOOPBOX_DATA: data })
  const workspace = /ws_[0-9a-z]{26}/.exec(listed.output)?.[0] ?? assert.fail(listed.output)
  const added = await runCli(["member", "set", workspace, "ada", "--role", "admin"], folder, { LOOPBOX_DATA: data })
  assert.strictEqual(added.code, 0, added.output)
  return workspace
}

/** The backend of the examples, as the guide starts it, for a page in a folder. */
export const startBackend = async (options: {
  readonly page: string
  readonly port: number
  readonly host: HostProcess
  readonly data: string
  readonly workspace: string
}) => {
  const { data, host, page, port, workspace } = options
  const tokens = isMoved ? ["--import", new URL("tokensOfProvider.mjs", import.meta.url).href] : []
  const child = spawn(process.execPath, [...tokens, exampleFolder("backend.mjs"), pathToFileURL(page).href], {
    env: {
      ...process.env,
      ...(isMoved ? (await identityProvider()).signing : {}),
      PORT: String(port),
      LOOPBOX_URL: host.url,
      LOOPBOX_ADMIN_TOKEN: readFileSync(join(data, "admin-token"), "utf8").trim(),
      LOOPBOX_WORKSPACE: workspace
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve)
    child.once("exit", (code) => reject(new Error(`the backend ended with ${code}`)))
  })
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() }
}
