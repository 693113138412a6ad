import { makeFoldersBy } from "@loopbox/core/kernel/makeFolders"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { type Account, giveTo, makePrivateFolder, serverAccount } from "./account.ts"
import { type Binaries, findBinaries, type Programs, publish, removeLeftovers } from "./binaries.ts"
import { EmbeddedPostgresError, failed, fromCause } from "./EmbeddedPostgresError.ts"
import { clusterRoot, makeSocketFolder } from "./places.ts"

export const superuser = "loopbox"

/** A cluster that can be started. */
export interface Cluster {
  readonly root: string
  readonly data: string
  readonly socketFolder: string
  readonly password: Redacted.Redacted
  readonly account: Account
  readonly binaries: Binaries
}

/** The environment of the PostgreSQL programs; none of the host's own variables, which hold secrets. */
export const programEnvironment = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" }

const run = (file: string, args: ReadonlyArray<string>, account: Account, input?: string) =>
  Effect.callback<void, EmbeddedPostgresError>((resume) => {
    const child = execFile(file, args, { ...account, cwd: "/", env: programEnvironment }, (error, _out, stderr) =>
      resume(
        error === null
          ? Effect.void
          : Effect.fail(failed("Failed", `${path.basename(file)}: ${stderr.trim() || error.message}`))
      )
    )
    if (input !== undefined) child.stdin?.end(input)
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** @throws EmbeddedPostgresError `Unreachable` */
export const majorOfData = (data: string): string | undefined => {
  if (!fs.existsSync(data)) return undefined
  const version = Result.try(() => fs.readFileSync(path.join(data, "PG_VERSION"), "utf8").trim())
  if (Result.isSuccess(version)) return version.success
  throw fromCause("Unreachable", `There is no database that this account can read in ${data}`)(version.failure)
}

/** File of the superuser's password, readable only by the host's account; in the cluster, to be renamed with it. */
export const passwordFile = (data: string): string => path.join(data, "loopbox.password")

const newPassword = (): string => randomBytes(24).toString("base64url")

const writePrivate = (file: string, text: string): void => {
  fs.rmSync(file, { force: true })
  fs.writeFileSync(file, text, { mode: 0o600, flag: "wx" })
}

/** `builtin` is the same on every system; before 17 only the C locale is. */
const localeArguments = (major: string): ReadonlyArray<string> =>
  Number(major) >= 17 ? ["--locale=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : ["--locale=C"]

/** Creates the cluster in a temporary folder and renames it when complete: a killed start leaves no partial one. */
const initialize = Effect.fnUntraced(function* (
  root: string,
  data: string,
  {
    binaries,
    account,
    isSynced
  }: { readonly binaries: Binaries; readonly account: Account; readonly isSynced: boolean }
) {
  const staging = `${data}.${process.pid}`
  const secret = path.join(root, `password.${process.pid}`)
  const password = newPassword()
  yield* Effect.try({
    try: () => {
      makePrivateFolder(staging, account)
      writePrivate(secret, password)
      giveTo(secret, account)
    },
    catch: fromCause("Failed", `The database's folder ${root} can't be written`)
  })
  yield* run(
    path.join(binaries.folder, "bin", "initdb"),
    [
      ...["-D", staging, "-U", superuser, "--auth=scram-sha-256", `--pwfile=${secret}`, "--encoding=UTF8"],
      ...["--data-checksums", ...(isSynced ? [] : ["--no-sync"]), ...localeArguments(binaries.major)]
    ],
    account
  ).pipe(Effect.ensuring(Effect.sync(() => fs.rmSync(secret, { force: true }))))
  yield* Effect.try({
    try: () => {
      writePrivate(passwordFile(staging), password)
      publish(staging, data)
    },
    catch: fromCause("Failed", `The database's folder ${data} can't be made`)
  })
})

/** Reads the password. A missing one is replaced in the server's single-user mode, which asks for none. */
const readPassword = Effect.fnUntraced(function* (data: string, binaries: Binaries, account: Account) {
  const file = passwordFile(data)
  if (!fs.existsSync(file)) {
    const password = newPassword()
    const statement = `ALTER ROLE ${superuser} PASSWORD '${password}'\n`
    const program = path.join(binaries.folder, "bin", "postgres")
    yield* run(program, ["--single", "-D", data, "postgres"], account, statement).pipe(
      // Processes of a killed server may still hold its shared memory; they end by themselves.
      Effect.retry({
        while: ({ message }) => message.includes("shared memory block"),
        schedule: Schedule.spaced("50 millis"),
        times: 200
      })
    )
    writePrivate(file, password)
  }
  return Redacted.make(fs.readFileSync(file, "utf8").trim())
})

export const attempt = <A>(run: () => A, what: string): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.try({
    try: run,
    catch: (cause) => (cause instanceof EmbeddedPostgresError ? cause : fromCause("Unreachable", what)(cause))
  })

/** Finds or makes the folder that a cluster lies in. */
export const findRoot = (folder: string): Effect.Effect<string, EmbeddedPostgresError> => {
  const what = `The folder ${folder} can't be used`
  const calls = {
    isThere: (at: string) => Effect.sync(() => fs.existsSync(at)),
    make: (at: string) => attempt(() => fs.mkdirSync(at), what),
    above: (at: string) => path.dirname(at)
  }
  return Effect.andThen(
    makeFoldersBy(calls, path.dirname(path.resolve(folder))),
    attempt(() => clusterRoot(path.resolve(folder), serverAccount()), what)
  )
}

/** Finds the cluster of a folder, or makes it. */
export const prepareCluster: (
  folder: string,
  how: {
    readonly programs: Programs
    /** Whether a new cluster's files are forced to the disk. */
    readonly isSynced: boolean
  }
) => Effect.Effect<Cluster, EmbeddedPostgresError> = Effect.fnUntraced(function* (folder, { isSynced, programs }) {
  const account = serverAccount()
  const root = yield* findRoot(folder)
  const data = path.join(root, "data")
  const found = yield* attempt(() => {
    removeLeftovers(root, "data")
    removeLeftovers(root, "password")
    return majorOfData(data)
  }, `The folder ${root} can't be used`)
  const binaries = yield* attempt(
    () => findBinaries(root, found, account, programs),
    `The PostgreSQL programs can't be copied to ${root}`
  )
  if (found === undefined) yield* initialize(root, data, { binaries, account, isSynced })
  const password = yield* Effect.catchDefect(readPassword(data, binaries, account), (cause) =>
    Effect.fail(fromCause("Unreachable", `The database in ${data} can't be read`)(cause))
  )
  const socketFolder = yield* attempt(() => makeSocketFolder(root, account), "The socket's folder can't be made")
  return { root, data, socketFolder, password, account, binaries }
})
