import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { fakedClock, losableNames, writeFfmpeg } from "../brokenMachine.ts"
import { request } from "../apiClient.ts"
import { type HostProcess, startHost, until, type Variables } from "../hostProcess.ts"
import { freePort } from "../ownServer.ts"
import { makeSmallDisk } from "../smallDisk.ts"
import type { CloseLater, Database } from "./database.ts"
import { type Networks, publicUrl } from "./networks.ts"

/** A connection that broke belongs to a death so long before or after it; pools of connections find out late. */
const blamed_ms = 3_000

/** A process of the product, which is started again at the same port when it was killed. */
const makeMember = async (
  folder: string,
  closeLater: CloseLater,
  name: string,
  role: "api" | "worker",
  variables: Variables
) => {
  const port = await freePort()
  let host: HostProcess | undefined
  let lastDown_ms = performance.now()
  const fallen: Array<string> = []
  const start = async () => {
    const one = await startHost(folder, { ...variables, LOOPBOX_DATA: join(folder, name) }, [
      "--role",
      role,
      "--port",
      `${port}`
    ])
    host = one
    lastDown_ms = performance.now()
    void one.ended.then(({ code, output, signal }) => {
      if (host === one) fallen.push(`${name} ended by itself (${code ?? signal}): ${output.slice(-2_000)}`)
    })
  }
  const kill = async () => {
    const one = host
    host = undefined
    await one?.stop("SIGKILL")
  }
  closeLater(kill)
  await start()
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    start,
    isUp: () => host !== undefined,
    /** The last that it has logged. */
    lastWords: () => host?.output().slice(-3_000) ?? "it is not running",
    /** Whether a connection may have broken because this process had died lately. */
    isExcused: (begun_ms: number) => host === undefined || lastDown_ms + blamed_ms > begun_ms,
    /** Deaths that nobody has caused. */
    fallen,
    kill
  }
}

export type Member = Awaited<ReturnType<typeof makeMember>>

/** Two processes that answer and two that work, with what may be taken away from them. */
export const startHosts = async (
  folder: string,
  work: string,
  database: Database,
  networks: Networks,
  closeLater: CloseLater
) => {
  const ffmpeg = await writeFfmpeg(folder)
  const names = losableNames(folder)
  const clock = join(folder, "clock")
  const faked = fakedClock(clock)
  const disk = makeSmallDisk(join(work, "files"), "64m")
  closeLater(disk.remove)
  const adminToken = randomBytes(24).toString("hex")
  const variables: Variables = {
    ...names.variables,
    DATABASE_URL: database.url,
    LOOPBOX_LISTENER_URL: database.listenerUrl,
    LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
    LOOPBOX_ADMIN_TOKEN: adminToken,
    LOOPBOX_BLOBS: join(work, "files", "blobs"),
    LOOPBOX_FFMPEG: ffmpeg.program,
    LOOPBOX_PROCESSING_LIMIT: "30 seconds",
    LOOPBOX_NETWORKS: "live",
    LOOPBOX_PUBLIC_URL: publicUrl,
    LOOPBOX_WEBHOOKS_PRIVATE: "on",
    LOOPBOX_META_APP_SECRETS: networks.secret,
    LOOPBOX_THREADS_APP_SECRETS: networks.secret,
    LOOPBOX_X_APP_SECRETS: networks.secret,
    LOOPBOX_INSTAGRAM_BASE_URL: `${networks.url}/instagram`,
    LOOPBOX_FACEBOOK_BASE_URL: `${networks.url}/facebook`,
    LOOPBOX_THREADS_BASE_URL: `${networks.url}/threads`,
    LOOPBOX_X_BASE_URL: `${networks.url}/x`,
    // As often as may be.
    LOOPBOX_POLL_EVERY: "30 seconds",
    LOOPBOX_POLL_QUIET_FACTOR: "1",
    LOOPBOX_RATE_LIMIT: "off",
    LOOPBOX_LEASE: "5 seconds",
    LOOPBOX_TEST_CLOCK: "on",
    LOOPBOX_ACCESS_LOG: "off"
  }
  // The first one brings the tables.
  const first = await makeMember(folder, closeLater, "api one", "api", variables)
  const [other, ...workers] = await Promise.all([
    makeMember(folder, closeLater, "api other", "api", { ...variables, ...faked }),
    makeMember(folder, closeLater, "worker one", "worker", variables),
    makeMember(folder, closeLater, "worker other", "worker", { ...variables, ...faked })
  ])
  const api = [first, other] as const
  const all = [...api, ...workers]
  return {
    api,
    workers,
    all,
    adminToken,
    ffmpeg,
    names,
    disk,
    clock,
    /** Each says that it is well; one that does not is asked what is wrong. */
    untilReady: (within_ms: number) =>
      Promise.all(
        all.map(async ({ lastWords, name, url }) => {
          let said = "nothing"
          const ask = () =>
            request(`${url}/readyz`, { token: adminToken }).then(
              ({ status, text }) => {
                said = text
                return status === 200 ? true : undefined
              },
              (error: unknown) => {
                said = String(error)
                return undefined
              }
            )
          await until(`${name} ready`, ask, within_ms, 200).catch((error: unknown) => {
            throw new Error(`${String(error)}; it says ${said}, and has logged ${lastWords()}`)
          })
        })
      )
  }
}

export type Hosts = Awaited<ReturnType<typeof startHosts>>
