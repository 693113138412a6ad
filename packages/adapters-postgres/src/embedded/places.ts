import * as Result from "effect/Result"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { type Account, canEnter, giveTo, isCode, ownerOf } from "./account.ts"
import { failed } from "./EmbeddedPostgresError.ts"

/** Where clusters lie whose own folder the server's account can't enter. */
export const sharedRoot = "/var/lib/loopbox"

/** Names the cluster's folder where that is another one, so that the data is found after the folder was moved. */
const pointerFile = "cluster-folder"

const hash = (folder: string): string => createHash("sha256").update(folder).digest("hex").slice(0, 16)

const hasData = (root: string): boolean => fs.existsSync(path.join(root, "data", "PG_VERSION"))

const readPointer = (folder: string): string | undefined => {
  const file = path.join(folder, pointerFile)
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : undefined
}

/** Whether a cluster was made for `folder`; looks only. */
export const hasCluster = (folder: string): boolean => {
  const root = path.resolve(folder)
  const pointed = readPointer(root)
  return hasData(root) || (pointed !== undefined && hasData(pointed))
}

/** A folder that was removed and made again has a cluster of its own: the rows of the one before name files that are gone. */
const nameElsewhere = (folder: string): string => {
  const { birthtimeNs, ino } = fs.statSync(folder, { bigint: true })
  return hash(`${folder} ${ino} ${birthtimeNs}`)
}

/**
 * Finds or makes the folder of the cluster that belongs to `folder`: that one, or as root one in `sharedRoot` where
 * the server's account could not enter it. What `folder` lies in is there.
 *
 * @throws EmbeddedPostgresError `Unreachable`
 */
export const clusterRoot = (folder: string, account: Account): string => {
  if (!fs.existsSync(folder)) {
    const made = Result.try(() => fs.mkdirSync(folder))
    // Another process that starts at once may have made it.
    if (Result.isFailure(made) && !isCode(made.failure, "EEXIST")) throw made.failure
    // What lies in it is closed by itself; the server's account must get through.
    fs.chmodSync(folder, 0o755)
  }
  finishUpgrade(folder)
  if (hasData(folder)) {
    if (canEnter(folder, account)) return folder
    throw failed(
      "Unreachable",
      `The database in ${folder} can't be entered by the account that it runs as; allow that on every folder above it ` +
        `(chmod o+x), or run Loopbox as the user that it was made by.`
    )
  }
  const pointed = readPointer(folder)
  if (pointed !== undefined) finishUpgrade(pointed)
  if (pointed !== undefined && hasData(pointed)) return pointed
  if (canEnter(folder, account)) return folder
  const elsewhere = path.join(sharedRoot, nameElsewhere(folder))
  for (const made of [sharedRoot, elsewhere]) {
    fs.mkdirSync(made, { recursive: true })
    // Whatever this process masks: the server's account must get in.
    fs.chmodSync(made, 0o711)
  }
  fs.writeFileSync(path.join(folder, pointerFile), `${elsewhere}\n`)
  // Tells an operator who finds the folder what it belongs to.
  fs.writeFileSync(path.join(elsewhere, "belongs-to"), `${folder}\n`)
  return elsewhere
}

/** Where an upgrade puts what it makes, beside the cluster that it replaces. */
export const upgradePlaces = (root: string) => {
  const folder = path.join(root, "upgrade")
  return {
    folder,
    data: path.join(folder, "data"),
    /** All rows, readable by our own account only. */
    file: path.join(root, "upgrade.export"),
    /** There once the new cluster is whole. */
    complete: path.join(folder, "complete")
  }
}

/** Puts an upgraded cluster in its place where the process that made it ended just before. */
const finishUpgrade = (root: string): void => {
  const { complete, data } = upgradePlaces(root)
  if (!fs.existsSync(path.join(root, "data")) && fs.existsSync(complete) && fs.existsSync(data)) {
    fs.renameSync(data, path.join(root, "data"))
  }
}

/** PostgreSQL refuses a socket's path that is longer, its name included. */
const longestSocketPath = 100

/**
 * The folder of the socket: not in the cluster, because a socket's path is limited to about 107 bytes.
 *
 * Its name can be guessed, so one that is there must be the account's own and closed to others.
 *
 * @throws EmbeddedPostgresError `Unsafe`
 */
export const makeSocketFolder = (root: string, account: Account): string => {
  const name = `loopbox-${hash(root)}`
  const wanted = path.join(os.tmpdir(), name)
  const folder =
    Buffer.byteLength(path.join(wanted, ".s.PGSQL.5432.lock")) > longestSocketPath ? `/tmp/${name}` : wanted
  const made = Result.try(() => fs.mkdirSync(folder, { mode: 0o700 }))
  if (Result.isFailure(made) && !isCode(made.failure, "EEXIST")) throw made.failure
  const stat = fs.lstatSync(folder)
  const isOurs = stat.uid === ownerOf(account) || stat.uid === process.getuid?.()
  if (stat.isDirectory() && isOurs && (stat.mode & 0o077) === 0) {
    giveTo(folder, account)
    return folder
  }
  throw failed(
    "Unsafe",
    `${folder} is there already and not closed to others (owner ${stat.uid}, mode ${(stat.mode & 0o777).toString(8)}); ` +
      "remove it, or set TMPDIR to a folder of your own."
  )
}

/** Size from which a log is put aside at a start, and cut while the server runs. */
const longestLog = 8 * 1024 * 1024

/** Opens the server's log for appending; one that has grown long becomes `server.log.1`. */
export const openLog = (
  root: string
): { readonly file: string; readonly descriptor: number; readonly start: number } => {
  const file = path.join(root, "server.log")
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > longestLog) fs.renameSync(file, `${file}.1`)
  const descriptor = fs.openSync(file, "a", 0o600)
  return { file, descriptor, start: fs.fstatSync(descriptor).size }
}

/** Empties a log that grew long while the server ran; it is written by appending, so that is safe. */
export const cutLog = (root: string): void => {
  const file = path.join(root, "server.log")
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 4 * longestLog) fs.truncateSync(file, 0)
}

const readEnd = (file: string, start: number): string => {
  const descriptor = fs.openSync(file, "r")
  const read = Result.try(() => {
    const size = fs.fstatSync(descriptor).size
    const length = Math.min(4_000, Math.max(0, size - start))
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, length, size - length)).toString("utf8")
  })
  fs.closeSync(descriptor)
  return Result.getOrElse(read, () => "")
}

/** The end of the log since `start`, in at most 1,000 characters; none where somebody removed the log. */
export const logTail = (file: string, start: number): string =>
  Result.getOrElse(
    Result.try(() => readEnd(file, start)),
    () => ""
  )
    .trim()
    .slice(-1_000)
