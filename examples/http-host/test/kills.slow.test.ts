import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { administrator, customer, type JobAnswer, request } from "./support/apiClient.ts"
import { clusterFolder, postmaster } from "./support/embeddedServer.ts"
import { slowFfmpeg } from "./support/ffmpeg.ts"
import { type HostProcess, sleep, startHost, until, type Variables } from "./support/hostProcess.ts"
import { isMoved } from "./support/movedTo.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { seeded, shuffled } from "./support/seeded.ts"

const places = await preparedFolder()
const { folder } = places
const data = join(folder, ".loopbox")
const running = new Set<HostProcess>()
afterAll(async () => {
  await Promise.all([...running].map((host) => host.stop("SIGKILL")))
  places.remove()
})

/** Jobs that wait or run at any time, so that every kill meets some, and a job that lost its worker meets a backlog. */
const backlog = 8

/** `.ci/run` has the fewer. */
const kills = process.env["LOOPBOX_SLOW"] === "short" ? 8 : 20

/** Half of them workers, a quarter hosts, and a quarter databases, mixed; the servers that a moved host shares with other tests live. */
const victims = (): ReadonlyArray<"worker" | "host" | "postgres"> => {
  const next = seeded(20_261_121)
  return shuffled(
    Array.from({ length: kills }, (_, index) =>
      index < kills / 2
        ? ("worker" as const)
        : index < (kills * 3) / 4 || isMoved
          ? ("host" as const)
          : ("postgres" as const)
    ),
    next
  )
}

/** Settings of a worker on a host's embedded server; those of a moved host lie in its folder. */
const embeddedSettings = (): Variables => {
  const cluster = clusterFolder(data)
  const url = new URL("postgres://loopbox@localhost/postgres")
  url.password = readFileSync(join(cluster, "data", "loopbox.password"), "utf8").trim()
  url.searchParams.set("host", postmaster(cluster)[4] ?? "")
  return { DATABASE_URL: url.toString(), LOOPBOX_SECRET_KEYS: readFileSync(join(data, "secret-keys"), "utf8").trim() }
}

const start = async (...given: Parameters<typeof startHost>): Promise<HostProcess> => {
  const host = await startHost(...given)
  running.add(host)
  return host
}

const kill = async (host: HostProcess): Promise<void> => {
  running.delete(host)
  await host.stop("SIGKILL")
}

/** Until it goes well: a caller repeats what a dying host did not answer, under its idempotency key. */
const insist = <A>(what: string, call: () => Promise<A | undefined>): Promise<A> =>
  until(what, () => call().catch(() => undefined), 120_000)

const encodersIn = (scratch: string): ReadonlyArray<string> =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(scratch)
      } catch {
        return false
      }
    })

const filesUnder = (path: string): ReadonlyArray<string> =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map(String)
    : []

describe("accepted jobs", () => {
  it(`survive ${kills} kills of workers, hosts and databases`, async () => {
    const ffmpeg = {
      // An encoding runs it twice.
      LOOPBOX_FFMPEG: await slowFfmpeg(folder, 1),
      LOOPBOX_LEASE: "5 seconds",
      LOOPBOX_RATE_LIMIT: "off"
    }
    let host = await start(folder, ffmpeg)
    const port = new URL(host.url).port
    const again = async () => {
      // The database of the host that was killed takes a moment to end.
      host = await start(folder, ffmpeg, ["--port", port])
    }
    const admin = administrator(host.url, readFileSync(join(data, "admin-token"), "utf8").trim())
    const limits = { active_jobs: 100, gif_conversions_per_24h: 10_000 }
    const workspace = await admin.createWorkspace("enterprise", limits)
    const calls = customer(host.url, await admin.createKey(workspace))
    const gif = await calls.upload(Uint8Array.from(animatedGif([10, 20, 30])))

    const settings = isMoved ? ffmpeg : { ...ffmpeg, ...embeddedSettings() }
    const startWorker = () => insist("a worker", () => start(folder, settings, ["--role", "worker"]))
    let worker = await startWorker()

    const ids: Array<string> = []
    const settled = new Map<string, JobAnswer>()
    const unfinished = async (): Promise<ReadonlyArray<JobAnswer>> => {
      const jobs = await Promise.all(ids.filter((id) => !settled.has(id)).map((id) => calls.job(id)))
      for (const job of jobs) if (job.status === "succeeded" || job.status === "failed") settled.set(job.id, job)
      return jobs.filter(({ id }) => !settled.has(id))
    }
    let isOver = false
    const submitting = (async () => {
      while (!isOver) {
        const { length } = await insist("the jobs", unfinished)
        if (length >= backlog) await sleep(100)
        else ids.push((await insist("a submit", () => calls.submit(gif, `job-${ids.length}`))).id)
      }
    })()
    /**
     * Three lost leases end a job, so that none may be killed three times: whoever is in a second attempt ends it first. A
     * job of a first attempt may begin its second at the moment of the kill; then it has a third, which is waited for.
     */
    const untilHarmless = () =>
      insist("two jobs that run, all in their first attempt", async () => {
        const running = (await unfinished()).filter(({ status }) => status === "processing")
        return running.length >= 2 && running.every(({ attempts }) => attempts === 1) ? true : undefined
      })

    const next = seeded(7)
    for (const kind of victims()) {
      await untilHarmless()
      await sleep(200 + next(1_300))
      if (kind === "host") {
        await kill(host)
        await again()
      } else if (kind === "postgres") {
        const cluster = clusterFolder(data)
        const [dead = ""] = postmaster(cluster)
        process.kill(Number(dead), "SIGKILL")
        await insist("the database again", async () => {
          // The fourth death within a minute ends the host by design; whoever runs it starts it again.
          const hasEnded = await Promise.race([host.ended.then(() => true), sleep(50).then(() => false)])
          if (hasEnded) await again()
          if (postmaster(cluster)[0] === dead) return undefined
          return (await request(`${host.url}/readyz`)).status === 200 ? true : undefined
        })
      } else {
        await kill(worker)
        worker = await startWorker()
      }
    }

    isOver = true
    await submitting
    const jobs = await Promise.all(ids.map((id) => calls.settled(id, 120_000)))
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.deepStrictEqual(
      jobs.filter(({ status }) => status !== "succeeded"),
      []
    )
    // Kills that hit nothing would prove nothing.
    assert.isAbove(jobs.filter(({ attempts }) => attempts > 1).length, kills / 4)
    const outputs = jobs.flatMap(({ output_media_id }) => output_media_id ?? [])
    assert.strictEqual(outputs.length, ids.length)
    assert.strictEqual(new Set(outputs).size, outputs.length)
    for (const output of outputs) assert.isAbove((await calls.download(output)).length, 1000)

    // Each accepted job used exactly one unit: with a limit of as many none is left, with one more one is.
    await admin.changeLimits(workspace, { gif_conversions_per_24h: ids.length })
    const refused = await calls.submit(gif, "one-too-many").then(() => "accepted", String)
    assert.include(refused, "gif_conversion_rate_limit_exceeded")
    await admin.changeLimits(workspace, { gif_conversions_per_24h: ids.length + 1 })
    await calls.settled((await calls.submit(gif, "one-more")).id)
    assert.include(await calls.submit(gif, "two-more").then(() => "accepted", String), "rate_limit_exceeded")

    await until("an empty scratch folder and no encoder", () =>
      filesUnder(join(data, "scratch")).length === 0 && encodersIn(join(data, "scratch")).length === 0
        ? true
        : undefined
    )
    assert.strictEqual((await worker.stop()).code, 0)
    assert.strictEqual((await host.stop()).code, 0)
  })
})
