import { execFile, spawn } from "node:child_process"
import { createWriteStream, existsSync, readFileSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePort, serverAccount, serverFolder, serverPrograms } from "../ownServer.ts"
import { until } from "../hostProcess.ts"
import { makeSmallDisk } from "../smallDisk.ts"

const execute = promisify(execFile)

/** Runs a program of PostgreSQL as its account, while this process goes on. */
export const runProgram = async (name: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await execute(join(serverPrograms ?? "", name), args, { ...serverAccount(), cwd: "/" })
  return stdout.trim()
}

/** PostgreSQL with little log, so that a small disk holds it. */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "150",
  min_wal_size: "32MB",
  max_wal_size: "64MB",
  wal_keep_size: "64MB",
  // What is tested is processes that die, not a power cut.
  fsync: "off"
}

/** One server on a disk of its own, where this account may make one. */
export const makeDatabaseServer = async (folder: string) => {
  const port = await freePort()
  const disk = makeSmallDisk(folder, "400m")
  const data = join(serverFolder(folder), "cluster")
  let ended: Promise<void> = Promise.resolve()
  let isStarted = false

  const pidFile = join(data, "postmaster.pid")
  const pid = (): number => (existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8").split("\n")[0]) : -1)
  /** The server's first process and those that it started. */
  const processes = async (): Promise<ReadonlyArray<number>> => {
    const { stdout } = await execute("ps", ["-eo", "pid=,ppid="])
    const server = pid()
    return stdout
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([one = -1, parent = -1]) => (server > 0 && (one === server || parent === server) ? [one] : []))
  }
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    for (const one of await processes()) {
      try {
        process.kill(one, name)
      } catch {
        // It ended by itself in between.
      }
    }
  }
  const isAnswering = (): Promise<true | undefined> =>
    runProgram("pg_isready", "-q", "-h", "127.0.0.1", "-p", `${port}`).then(
      () => true,
      () => undefined
    )
  const start = async (): Promise<void> => {
    const args = Object.entries({ port: `${port}`, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    const log = createWriteStream(`${folder}.log`, { flags: "a" })
    const child = spawn(join(serverPrograms ?? "", "postgres"), ["-D", data, ...args], {
      ...serverAccount(),
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stdout.pipe(log)
    child.stderr.pipe(log)
    isStarted = true
    ended = new Promise((resolve) =>
      child.on("close", () => {
        isStarted = false
        resolve()
      })
    )
    await until("a PostgreSQL server", isAnswering)
  }
  return {
    port,
    data,
    disk,
    start,
    signal,
    isRunning: () => isStarted,
    /** Runs statements as the superuser, each in a transaction of its own. */
    run: (...statements: ReadonlyArray<string>) =>
      runProgram(
        "psql",
        "-XAtq",
        `postgresql://postgres@127.0.0.1:${port}/postgres`,
        ...statements.flatMap((one) => ["-c", one])
      ),
    /** All its processes at once, as a power cut does. */
    kill: async () => {
      await signal("SIGKILL")
      await ended
    },
    /** Without a checkpoint. */
    stop: async () => {
      process.kill(pid(), "SIGQUIT")
      await ended
    },
    empty: async () => {
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
    },
    remove: async () => {
      await signal("SIGCONT")
      await signal("SIGKILL")
      await ended
      disk.remove()
      await rm(`${folder}.log`, { force: true })
    }
  }
}

export type DatabaseServer = Awaited<ReturnType<typeof makeDatabaseServer>>
