import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, chmodSync, chownSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { until } from "./hostProcess.ts"

const nobody = 65_534

/** Programs of Debian's PostgreSQL, which has the ones for replication; npm's packages have not. */
export const postgresPrograms = ["15", "16", "17", "18"]
  .map((major) => `/usr/lib/postgresql/${major}/bin`)
  .find((folder) => existsSync(join(folder, "pg_basebackup")))

const isRoot = process.getuid?.() === 0
/** PostgreSQL does not run as root. */
const account = isRoot ? { uid: nobody, gid: nobody } : {}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const isSynchronous = (mode: Replication) => mode === "synchronous"

/** Whether a commit is answered before the standby has it. */
export type Replication = "synchronous" | "asynchronous"

/**
 * A primary and its streaming standby, each on a loopback port of its own. `kill` ends the primary as a power cut does,
 * `promote` makes the standby the primary.
 */
export const startReplicated = async (mode: Replication) => {
  const programs = postgresPrograms ?? ""
  const folder = mkdtempSync(join(tmpdir(), "loopbox-replicated-"))
  chmodSync(folder, 0o711)
  const run = (program: string, args: ReadonlyArray<string>) =>
    execFileSync(join(programs, program), args, { ...account, cwd: folder, stdio: "pipe", encoding: "utf8" })
  const makeFolder = (name: string) => {
    const made = join(folder, name)
    mkdirSync(made, { mode: 0o700 })
    if (isRoot) chownSync(made, nobody, nobody)
    return made
  }
  const start = async (data: string, settings: Readonly<Record<string, string>>) => {
    const port = await freePort()
    const all = {
      port: `${port}`,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      fsync: "off",
      ...settings
    }
    const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    const child = spawn(join(programs, "postgres"), ["-D", data, ...args], { ...account, cwd: folder, stdio: "ignore" })
    const ended = new Promise<void>((resolve) => child.on("close", () => resolve()))
    const isUp = () => {
      try {
        run("pg_isready", ["-q", "-h", "127.0.0.1", "-p", `${port}`])
        return true
      } catch {
        return undefined
      }
    }
    await until("a server", isUp)
    return { port, data, ended }
  }
  const query = (port: number, text: string) =>
    run("psql", [
      "-X",
      "-A",
      "-t",
      "-h",
      "127.0.0.1",
      "-p",
      `${port}`,
      "-U",
      "loopbox",
      "-d",
      "postgres",
      "-c",
      text
    ]).trim()

  const first = makeFolder("primary")
  run("initdb", ["-D", first, "-U", "loopbox", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"])
  const common = { max_connections: "200", wal_keep_size: "256MB" }
  const names = isSynchronous(mode) ? { synchronous_standby_names: "*" } : {}
  const primary = await start(first, { ...common, ...names })
  const second = makeFolder("standby")
  const from = ["-h", "127.0.0.1", "-p", `${primary.port}`, "-U", "loopbox"]
  run("pg_basebackup", [...from, "-D", second, "-R", "--checkpoint=fast", "--no-sync"])
  const standby = await start(second, common)
  const state = isSynchronous(mode) ? "sync" : "async"
  await until("the standby", () =>
    query(primary.port, "SELECT sync_state FROM pg_stat_replication") === state ? true : undefined
  )
  query(primary.port, "CREATE DATABASE loopbox")

  const pidOf = (data: string) => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0])
  /** The server and all its processes at once; those that have ended meanwhile are none. */
  const killServer = (data: string) => {
    const listed = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n")
    const pairs = listed.map((line) => line.trim().split(/\s+/).map(Number))
    const server = existsSync(join(data, "postmaster.pid")) ? pidOf(data) : -1
    for (const [pid = -1] of pairs.filter((pair) => pair.includes(server))) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {
        // It ended by itself in between.
      }
    }
  }
  return {
    /** Both servers, as a host's `DATABASE_URL`; the standby is named first. */
    url: `postgresql://loopbox@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/loopbox`,
    kill: async () => {
      killServer(first)
      await primary.ended
    },
    promote: () => run("pg_ctl", ["promote", "-D", second, "-w"]),
    /** The standby has all that was written so far. */
    caughtUp: () =>
      until("the standby", () =>
        query(primary.port, "SELECT bool_and(replay_lsn >= pg_current_wal_lsn()) FROM pg_stat_replication") === "t"
          ? true
          : undefined
      ),
    /** The standby takes nothing from now on, as where its line is cut. */
    cutStandby: async () => {
      query(standby.port, "ALTER SYSTEM SET primary_conninfo = ''")
      query(standby.port, "SELECT pg_reload_conf()")
      await until("the cut", () =>
        query(standby.port, "SELECT count(*) FROM pg_stat_wal_receiver") === "0" ? true : undefined
      )
    },
    remove: () => {
      killServer(first)
      killServer(second)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
