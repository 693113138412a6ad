import * as Duration from "effect/Duration"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { scrape, scrapeUntil } from "./alarms.ts"
import { administrator, request } from "./apiClient.ts"
import { ffmpegPath } from "./ffmpeg.ts"
import { type HostProcess, startHost, temporaryFolder, until, type Variables } from "./hostProcess.ts"
import { serverPrograms, startOwnServer } from "./ownServer.ts"
import { runbookPage } from "./runbook.ts"

export const appSecret = "a-secret-of-an-app-of-meta"
export const instagramAccount = "17841405309211844"

/** A database server of its own, and processes beside each other of which each may be stopped and started, as Prometheus sees them. */
export const openAlarmHouse = async (name: string, more: Variables = {}) => {
  const places = temporaryFolder()
  const { folder } = places
  const work = join("/tmp", `loopbox-${name}-${process.pid}`)
  const adminToken = randomBytes(24).toString("hex")
  const server = await startOwnServer(work)
  const variables: Variables = {
    DATABASE_URL: server.createDatabase("loopbox"),
    LOOPBOX_BLOBS: join(folder, "blobs"),
    LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
    LOOPBOX_ADMIN_TOKEN: adminToken,
    LOOPBOX_META_APP_SECRETS: appSecret,
    LOOPBOX_NETWORKS: "sandbox",
    LOOPBOX_TEST_CLOCK: "on",
    LOOPBOX_SWEEP_EVERY: "1 second",
    LOOPBOX_RATE_LIMIT: "off",
    LOOPBOX_FFMPEG: await ffmpegPath(),
    ...more
  }
  const running = new Map<string, HostProcess>()
  /** The variables of a process, with which commands are about it. */
  const variablesOf = (process: string): Variables => ({ ...variables, LOOPBOX_DATA: join(folder, process) })
  const start = async (process: string, role: "api" | "worker" | "all", own: Variables = {}): Promise<HostProcess> => {
    const host = await startHost(folder, { ...variablesOf(process), ...own }, ["--role", role, "--port", "0"])
    running.set(process, host)
    return host
  }
  const stop = async (process: string, signal: NodeJS.Signals = "SIGTERM") => {
    const host = running.get(process)
    running.delete(process)
    await host?.stop(signal)
  }
  const addresses = () => Object.fromEntries(Array.from(running, ([process, { url }]) => [process, url] as const))
  const api = await start("api", "api")
  const admin = administrator(api.url, adminToken)
  const workspace = await admin.createWorkspace("enterprise", { active_jobs: 20 })
  await admin.connectAccount(workspace, "instagram", instagramAccount)
  const page = await admin.connectPage(workspace, "1234567890")
  const key = await admin.createOwnerKey(workspace)
  let advanced_ms = 0
  /** Moves the clock of the whole installation, by a number of minutes, hours or days. */
  const advance = async (time: `${number} ${"minutes" | "hours" | "days"}`): Promise<void> => {
    const answer = await request(`${api.url}/v1/admin/test/clock`, {
      method: "POST",
      token: adminToken,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ advance: time })
    })
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
    advanced_ms += Duration.toMillis(time)
  }
  const sql = (...statements: ReadonlyArray<string>) => server.runIn("loopbox", ...statements)
  const isLocked = (table: string) =>
    `FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = '${table}'::regclass AND granted`
  /** Locks a table for long, as a superuser who moves it does. */
  const lockTable = (table: string) => {
    const locking = ["BEGIN", `LOCK TABLE ${table}`, "SELECT pg_sleep(600)"].flatMap((one) => ["-c", one])
    const client = spawn(
      join(serverPrograms ?? "", "psql"),
      [server.adminUrl.replace(/postgres$/, "loopbox"), ...locking],
      { stdio: "ignore" }
    )
    const pid = () => sql(`SELECT pid ${isLocked(table)}`)
    return {
      locked: until("the lock", () => pid() || undefined),
      /** The server's process that holds it. */
      pid,
      /** As the operator ends it. */
      end: () => {
        sql(`SELECT pg_terminate_backend(pid) ${isLocked(table)}`)
        client.kill()
      }
    }
  }
  const processOf = (process: string): HostProcess => {
    const host = running.get(process)
    if (host === undefined) throw new Error(`${process} does not run`)
    return host
  }
  const close = async (): Promise<void> => {
    await Promise.all(Array.from(running.values(), (host) => host.stop("SIGKILL")))
    server.stop()
    rmSync(work, { recursive: true, force: true })
    places.remove()
  }
  return {
    folder,
    server,
    api,
    admin,
    adminToken,
    workspace,
    page,
    key,
    variables,
    variablesOf,
    start,
    stop,
    advance,
    /** By the clock of the installation. */
    now: () => Date.now() + advanced_ms,
    sql,
    close,
    lockTable,
    addresses,
    processOf,
    look: (those = addresses()) => scrape(those),
    until: (name: string, isMeant: (value: number) => boolean, part?: string) =>
      scrapeUntil(addresses(), name, isMeant, part),
    /** The page of an alarm, followed on the machine of a process. */
    pageOf: (alarm: string, process = "api") =>
      runbookPage(alarm, folder, { ...variablesOf(process), LOOPBOX_URL: api.url, LOOPBOX_API_KEY: key })
  }
}
export type AlarmHouse = Awaited<ReturnType<typeof openAlarmHouse>>
