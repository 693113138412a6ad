import { randomBytes } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject } from "vitest"
import { s3Key } from "./bucket.ts"
import { makeCitusDatabase } from "./citusDatabase.ts"
import { identityProvider } from "./identityProvider.ts"
import { listItems } from "./inboxClient.ts"
import { startHost, until, type Variables } from "./hostProcess.ts"
import { bucketFor, movedTo } from "./movedTo.ts"
import { runCli } from "./runCli.ts"

const command = async (args: ReadonlyArray<string>, folder: string, variables: Variables = {}) => {
  const { code, output } = await runCli(args, folder, variables)
  if (code !== 0) throw new Error(`loopbox ${args.join(" ")}: ${output}`)
}

/** URL of a new, empty database that is distributed already. */
export const distributedDatabase = async (): Promise<string> => {
  const DATABASE_URL = await makeCitusDatabase(movedTo.coordinator)
  await command(["migrate"], tmpdir(), { DATABASE_URL })
  await command(["db", "distribute"], tmpdir(), { DATABASE_URL })
  return DATABASE_URL
}

const sources = ["ig_comment", "fb_comment", "threads_reply", "x_reply"]

/** An installation on the embedded server that people have written to, made once a run and exported. */
const prepare = async (): Promise<string> => {
  const template = join(tmpdir(), inject("loopboxTestServer").template)
  const made = join(template, "exported")
  // The file whose test comes first makes it; others wait.
  if (mkdirSync(template, { recursive: true, mode: 0o711 }) === undefined) {
    return until("the installation", () => (existsSync(made) ? made : undefined), 280_000)
  }
  const host = await startHost(template)
  const data = join(template, ".loopbox")
  const key = readFileSync(join(data, "demo-key"), "utf8").trim()
  await until("something of each network", async () => {
    const items = await listItems(host.url, key)
    return sources.every((each) => items.some(({ source }) => source === each)) ? true : undefined
  })
  await host.stop()
  await command(["db", "export", join(data, "database.loopbox")], template)
  renameSync(data, made)
  return made
}

/** Puts an installation that was moved into a folder, as `preparedFolder` puts one on the embedded server. */
export const moveInto = async (folder: string): Promise<void> => {
  const exported = await prepare()
  const data = join(folder, ".loopbox")
  mkdirSync(data, { mode: 0o711 })
  for (const name of readdirSync(exported)) {
    if (!["postgres", "database.loopbox", "scratch", "serve.json"].includes(name)) {
      cpSync(join(exported, name), join(data, name), { recursive: true })
    }
  }
  const DATABASE_URL = await distributedDatabase()
  const read = (name: string) => readFileSync(join(data, name), "utf8").trim()
  const settings: Record<string, string> = {
    DATABASE_URL,
    LOOPBOX_SECRET_KEYS: read("secret-keys"),
    LOOPBOX_ADMIN_TOKEN: read("admin-token"),
    LOOPBOX_NETWORKS: "sandbox",
    LOOPBOX_CONSOLE: "on",
    LOOPBOX_STOP_PAUSE: "0 seconds",
    ...(await identityProvider()).settings
  }
  await command(["db", "import", join(exported, "database.loopbox")], folder, settings)
  if (movedTo.s3 !== undefined) {
    const place = bucketFor(randomBytes(8).toString("hex"))
    Object.assign(settings, s3Key)
    await command(["blobs", "copy", "--to", place], folder, settings)
    settings["LOOPBOX_BLOBS"] = place
    rmSync(join(data, "blobs"), { recursive: true })
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(folder, ".env"), lines.join(""), { mode: 0o600 })
}
