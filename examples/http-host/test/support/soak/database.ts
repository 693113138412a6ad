import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort, serverAccount, serverFolder } from "../ownServer.ts"
import { until } from "../hostProcess.ts"
import { startSlowProxy } from "../slowProxy.ts"
import { type DatabaseServer, makeDatabaseServer, runProgram } from "./databaseServer.ts"

/** Debian's. */
export const poolerProgram = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((file) => existsSync(file))

/** Takes what ends a thing that was begun, for the end of the test, however that comes; the last one goes first. */
export type CloseLater = (close: () => unknown) => void

/** Begins a server that follows another one. */
const follow = async (standby: DatabaseServer, primary: DatabaseServer): Promise<void> => {
  await standby.empty()
  const from = ["-h", "127.0.0.1", "-p", `${primary.port}`, "-U", "postgres"]
  await runProgram("pg_basebackup", ...from, "-D", standby.data, "-R", "--checkpoint=fast", "--no-sync")
  await standby.start()
  // Only now: before there is a standby, each commit would wait for one.
  await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
  await until("the standby", async () =>
    (await primary.run("SELECT sync_state FROM pg_stat_replication")) === "sync" ? true : undefined
  )
}

/** PgBouncer by transaction, in front of an address that follows the primary. */
const makePooler = async (folder: string, databasePort: number) => {
  const port = await freePort()
  const file = join(serverFolder(folder), "pgbouncer.ini")
  const lines = [
    "[databases]",
    `* = host=127.0.0.1 port=${databasePort} user=loopbox`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "max_client_conn = 500",
    "default_pool_size = 40",
    // It asks a server that was away again after a second, not after 15.
    "server_login_retry = 1"
  ]
  writeFileSync(file, lines.join("\n"))
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  const start = async () => {
    child = spawn(poolerProgram ?? "", ["-q", file], { ...serverAccount(), cwd: "/", stdio: "ignore" })
    const one = child
    ended = new Promise((resolve) => one.on("close", () => resolve()))
    await until("the pooler", () =>
      runProgram("pg_isready", "-q", "-h", "127.0.0.1", "-p", `${port}`).then(
        () => true,
        () => undefined
      )
    )
  }
  const kill = async () => {
    child?.kill("SIGKILL")
    await ended
  }
  return { port, start, kill }
}

/** A primary with a synchronous standby, and a pooler in front of whichever is the primary now. */
export const startDatabase = async (folder: string, closeLater: CloseLater) => {
  let primary = await makeDatabaseServer(join(folder, "one"))
  closeLater(primary.remove)
  let standby = await makeDatabaseServer(join(folder, "other"))
  closeLater(standby.remove)
  const makers = ["-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
  await runProgram("initdb", "-D", primary.data, ...makers)
  await primary.start()
  await primary.run("CREATE ROLE loopbox LOGIN CREATEDB", "CREATE DATABASE loopbox OWNER loopbox")
  await follow(standby, primary)
  const proxy = await startSlowProxy(() => primary.port)
  closeLater(proxy.stop)
  const pooler = await makePooler(join(folder, "pooler"), proxy.port)
  closeLater(pooler.kill)
  await pooler.start()
  return {
    /** Names, which have to be looked up. */
    url: `postgresql://loopbox@localhost:${pooler.port}/loopbox`,
    listenerUrl: `postgresql://loopbox@localhost:${primary.port},localhost:${standby.port}/loopbox`,
    pooler,
    proxy,
    primary: () => primary,
    cutConnections: () =>
      primary.run("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'loopbox'"),
    /** Rows of the database, as text. */
    read: (statement: string) =>
      runProgram("psql", "-XAtq", `postgresql://postgres@127.0.0.1:${primary.port}/loopbox`, "-c", statement),
    /** The primary dies, the standby takes over, and what was the primary follows it once all goes on. */
    failOver: async () => {
      const dead = primary
      await dead.kill()
      await runProgram("pg_ctl", "promote", "-D", standby.data, "-w")
      primary = standby
      standby = dead
      return () => follow(standby, primary)
    }
  }
}

export type Database = Awaited<ReturnType<typeof startDatabase>>
