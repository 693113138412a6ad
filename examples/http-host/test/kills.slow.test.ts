import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { administrator, customer, type JobAnswer, request } from "./support/apiClient.ts"
import { clusterFolder, postmaster } from "./support/embeddedServer.ts"
import { slowFfmpeg } from "./support/ffmpeg.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until } from "./support/hostProcess.ts"
import { seeded, shuffled } from "./support/seeded.ts"

const places = temporaryFolder()
const { folder } = places
const data = join(folder, ".loopbox")
const running = new Set<HostProcess>()
afterAll(async () => {
  await Promise.all([...running].map((host) => host.stop("SIGKILL")))
  places.remove()
})

const lease_ms = 5_000
const jobCount = 50

/** 10 workers, 5 hosts and 5 databases, mixed. */
const victims = (): ReadonlyArray<"worker" | "host" | "postgres"> => {
  const next = seeded(20_261_121)
  return shuffled(
    Array.from({ length: 20 }, (_, index) =>
      index < 10 ? ("worker" as const) : index < 15 ? ("host" as const) : ("postgres" as const)
    ),
    next
  )
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
  until(what, () => call().catch(() => undefined), 60_000)

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
  it("survive 20 kills of workers, hosts and databases", async () => {
    const ffmpeg = {
      LOOPBOX_FFMPEG: await slowFfmpeg(folder, 2),
      LOOPBOX_LEASE: `${lease_ms / 1000} seconds`,
      LOOPBOX_RATE_LIMIT: "off"
    }
    let host = await start(folder, ffmpeg)
    const port = new URL(host.url).port
    const again = async () => {
      // The database of the host that was killed takes a moment to end.
      host = await start(folder, ffmpeg, ["--port", port])
    }
    const admin = administrator(host.url, readFileSync(join(data, "admin-token"), "utf8").trim())
    const limits = { active_jobs: 100, gif_conversions_per_24h: jobCount }
    const workspace = await admin.createWorkspace("enterprise", limits)
    const calls = customer(host.url, await admin.createKey(workspace))
    const gif = await calls.upload(Uint8Array.from(animatedGif([10, 20, 30])))

    const cluster = clusterFolder(data)
    const url = new URL("postgres://loopbox@localhost/postgres")
    url.password = readFileSync(join(cluster, "data", "loopbox.password"), "utf8").trim()
    url.searchParams.set("host", postmaster(cluster)[4] ?? "")
    const startWorker = () =>
      insist("a worker", () =>
        start(
          folder,
          {
            ...ffmpeg,
            DATABASE_URL: url.toString(),
            LOOPBOX_SECRET_KEYS: readFileSync(join(data, "secret-keys"), "utf8").trim()
          },
          ["--role", "worker"]
        )
      )
    let worker = await startWorker()

    // Faster than they are worked on, so that a job which lost its worker meets a backlog.
    const ids: Array<string> = []
    const submitting = (async () => {
      for (let index = 0; index < jobCount; index++) {
        ids.push((await insist("a submit", () => calls.submit(gif, `job-${index}`))).id)
        await sleep(300)
      }
    })()

    const next = seeded(7)
    for (const kind of victims()) {
      await sleep(500 + next(2_500))
      if (kind === "host") {
        await kill(host)
        await again()
      } else if (kind === "postgres") {
        process.kill(Number(postmaster(cluster)[0]), "SIGKILL")
        // The fourth death within a minute ends the host by design; whoever runs it starts it again.
        const isOver = await Promise.race([host.ended.then(() => true), sleep(2_000).then(() => false)])
        if (isOver) await again()
        await insist("the database again", () =>
          request(`${host.url}/readyz`).then(({ status }) => (status === 200 ? true : undefined))
        )
      } else {
        const before = await Promise.all(ids.map((id) => calls.job(id)))
        await kill(worker)
        const restarted = startWorker()
        const hit = before.filter(({ status }) => status === "processing")
        const goesOn = async (job: JobAnswer) => {
          const now = await calls.job(job.id)
          return now.attempts > job.attempts || now.status !== "processing" ? true : undefined
        }
        await Promise.all(hit.map((job) => until(`${job.id} going on`, () => goesOn(job), lease_ms + 5_000)))
        worker = await restarted
      }
    }

    await submitting
    const jobs = await Promise.all(ids.map((id) => calls.settled(id, 120_000)))
    assert.strictEqual(new Set(jobs.map(({ id }) => id)).size, jobCount)
    const outputs = jobs.flatMap(({ output_media_id }) => output_media_id ?? [])
    assert.strictEqual(new Set(outputs).size, outputs.length)
    const lost = jobs.filter(({ status }) => status === "failed")
    assert.isAtMost(lost.length, 2, JSON.stringify(lost))
    for (const output of outputs) assert.isAbove((await calls.download(output)).length, 1000)

    // Exactly 50 units are used: with a limit of 50 none is left, with 51 one is.
    await admin.changeLimits(workspace, { gif_conversions_per_24h: jobCount })
    const refused = await calls.submit(gif, "one-too-many").then(() => "accepted", String)
    assert.include(refused, "gif_conversion_rate_limit_exceeded")
    await admin.changeLimits(workspace, { gif_conversions_per_24h: jobCount + 1 })
    await calls.settled((await calls.submit(gif, "one-more")).id)
    assert.include(await calls.submit(gif, "two-more").then(() => "accepted", String), "rate_limit_exceeded")

    await until(
      "an empty scratch folder and no encoder",
      () =>
        filesUnder(join(data, "scratch")).length === 0 && encodersIn(join(data, "scratch")).length === 0
          ? true
          : undefined,
      30_000
    )
    assert.strictEqual((await worker.stop()).code, 0)
    assert.strictEqual((await host.stop()).code, 0)
  })
})
