import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as fs from "node:fs"
import * as path from "node:path"
import { isAlive, serverAccount } from "./account.ts"
import { passwordFile, superuser } from "./cluster.ts"
import type { EmbeddedTarget } from "./EmbeddedPostgres.ts"
import { clusterRoot } from "./places.ts"

/** Lines of postmaster.pid: process, data folder, start, port, socket folder, address, shared memory, state. */
const find = (folder: string): EmbeddedTarget | undefined => {
  const data = path.join(clusterRoot(path.resolve(folder), serverAccount()), "data")
  const lines = fs.readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n")
  const [pid, socketFolder, state] = [Number(lines[0]), lines[4], lines[7]?.trim()]
  if (state !== "ready" || socketFolder === undefined || !isAlive(pid)) return undefined
  const password = Redacted.make(fs.readFileSync(passwordFile(data), "utf8").trim())
  return { host: socketFolder, username: superuser, password, database: "postgres" }
}

/**
 * The server that another process of this account runs on a folder, for an export meanwhile; absent when none runs.
 *
 * It belongs to that process and ends with it.
 */
export const findRunning = (folder: string): Effect.Effect<Option.Option<EmbeddedTarget>> =>
  Effect.sync(() => {
    if (!fs.existsSync(folder)) return Option.none()
    const found = Result.try(() => find(folder))
    return Result.isSuccess(found) ? Option.fromUndefinedOr(found.success) : Option.none()
  })
