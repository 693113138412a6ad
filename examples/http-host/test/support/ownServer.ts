import { execFileSync, spawnSync } from "node:child_process"
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"

/** The programs of the oldest PostgreSQL from 15 on that the system has; undefined where it has none. */
export const serverPrograms: string | undefined = (() => {
  const root = "/usr/lib/postgresql"
  if (!existsSync(root)) return undefined
  const majors = readdirSync(root)
    .map(Number)
    .filter((major) => major >= 15 && existsSync(join(root, String(major), "bin", "initdb")))
    .toSorted((one, other) => one - other)
  return majors[0] === undefined ? undefined : join(root, String(majors[0]), "bin")
})()

/** As whom the server runs, who is never root. */
export const serverAccount = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const [, , uid, gid] = (/^nobody:.*$/m.exec(readFileSync("/etc/passwd", "utf8"))?.[0] ?? "").split(":")
  return { uid: Number(uid), gid: Number(gid) }
}

/** A folder that belongs to the server's account. */
export const serverFolder = (folder: string): string => {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const { gid, uid } = serverAccount()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Runs a program of the server as its account; gives what it says. */
export const serverProgram = (name: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(join(serverPrograms ?? "", name), args, {
    ...serverAccount(),
    cwd: "/",
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000
  })

export interface OwnServer {
  readonly port: number
  readonly clusterFolder: string
  /** As the role `loopbox`, who may make databases and is no superuser. */
  readonly url: (database: string) => string
  /** The superuser's. */
  readonly adminUrl: string
  /** The pid of the server's first process. */
  readonly pid: () => number
  readonly isRunning: () => boolean
  readonly start: () => void
  readonly stop: (mode?: "fast" | "immediate") => void
  /** Runs statements as the superuser. */
  readonly run: (...statements: ReadonlyArray<string>) => string
  /** The same in one of its databases. */
  readonly runIn: (database: string, ...statements: ReadonlyArray<string>) => string
  readonly createDatabase: (name: string) => string
}

/** Starts a PostgreSQL of the system for one test file, on a free port, which may be stopped, broken and restarted. */
export const startOwnServer = async (
  folder: string,
  settings: Readonly<Record<string, string>> = {}
): Promise<OwnServer> => {
  if (serverPrograms === undefined) throw new Error("There is no PostgreSQL of the system.")
  const programs = serverPrograms
  const port = await freePort()
  const home = serverFolder(folder)
  const clusterFolder = join(home, "cluster")
  serverProgram("initdb", "-D", clusterFolder, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8")
  const written = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "100",
    ...settings
  }
  appendFileSync(
    join(clusterFolder, "postgresql.conf"),
    Object.entries(written)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join("")
  )
  // Not piped: the server would keep the pipe open.
  const control = (...args: ReadonlyArray<string>) => {
    const log = join(home, "server.log")
    const run = spawnSync(join(programs, "pg_ctl"), ["--pgdata", clusterFolder, "--wait", "--log", log, ...args], {
      ...serverAccount(),
      cwd: "/",
      stdio: "ignore",
      timeout: 120_000
    })
    if (run.status !== 0) throw new Error(`pg_ctl ${args.join(" ")}: ${run.status}\n${readFileSync(log, "utf8")}`)
  }
  const url = (database: string) => `postgresql://loopbox@127.0.0.1:${port}/${database}`
  const adminUrl = `postgresql://postgres@127.0.0.1:${port}/postgres`
  let lastPid = 0
  const pid = () => Number(readFileSync(join(clusterFolder, "postmaster.pid"), "utf8").split("\n")[0])
  const start = () => {
    control("start")
    lastPid = pid()
  }
  const runIn = (database: string, ...statements: ReadonlyArray<string>) =>
    serverProgram(
      "psql",
      `postgresql://postgres@127.0.0.1:${port}/${database}`,
      "-At",
      ...statements.flatMap((one) => ["-c", one])
    ).trim()
  const run = (...statements: ReadonlyArray<string>) => runIn("postgres", ...statements)
  start()
  run("CREATE ROLE loopbox LOGIN CREATEDB")
  return {
    port,
    clusterFolder,
    url,
    adminUrl,
    pid: () => lastPid,
    isRunning: () => spawnSync("kill", ["-0", String(lastPid)]).status === 0,
    start,
    stop: (mode = "immediate") => control("stop", "--mode", mode),
    run,
    runIn,
    createDatabase: (name) => {
      run(`CREATE DATABASE ${name} OWNER loopbox`)
      return url(name)
    }
  }
}
