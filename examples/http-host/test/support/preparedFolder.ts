import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject } from "vitest"
import { temporaryFolder, until } from "./hostProcess.ts"
import { moveInto } from "./movedHosts.ts"
import { movedTo } from "./movedTo.ts"
import { runCli } from "./runCli.ts"

/** A data folder with an empty database, made once a run; the global setup removes it. */
const prepare = async (): Promise<string> => {
  const template = join(tmpdir(), inject("loopboxTestServer").template)
  const cluster = join(template, "made", "postgres", "data")
  // The file whose test comes first makes it; others wait.
  if (mkdirSync(template, { recursive: true, mode: 0o711 }) === undefined) {
    return until("the database", () => (existsSync(cluster) ? cluster : undefined), 280_000)
  }
  const { code, output } = await runCli(["migrate"], template, { LOOPBOX_DATA: join(template, "making") })
  if (code !== 0) throw new Error(output)
  renameSync(join(template, "making"), join(template, "made"))
  return cluster
}

/** A folder in which a host finds a database as if it had just made it: making one takes as long as the rest of its start. */
export const preparedFolder = async () => {
  const places = temporaryFolder()
  if (movedTo.coordinator !== undefined) {
    await moveInto(places.folder)
    return places
  }
  const cluster = await prepare()
  const postgres = join(places.folder, ".loopbox", "postgres")
  mkdirSync(postgres, { recursive: true })
  // It belongs to the account that the database runs as.
  execFileSync("cp", ["-a", cluster, postgres])
  return places
}
