import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { customer, request } from "./support/apiClient.ts"
import { heldFfmpeg, slowFfmpeg } from "./support/ffmpeg.ts"
import { sleep, startHost, until, type Variables } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"

const places = await preparedFolder()
afterAll(places.remove)
const { folder } = places

/** A host with one job that has just begun to be encoded. */
const startWorking = async (variables: Variables) => {
  const host = await startHost(folder, variables)
  const calls = customer(host.url, readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim())
  const { id } = await calls.submit(await calls.upload(Uint8Array.from(animatedGif([10, 20]))))
  await until("the start of the job", async () => ((await calls.job(id)).status === "processing" ? true : undefined))
  return { host, calls, id }
}

describe("loopbox serve, when it is told to stop", () => {
  it("lets running jobs finish, says so on /readyz, answers requests meanwhile, and exits with 0", async () => {
    const { goOn, program } = await heldFfmpeg(folder)
    const { calls, host, id } = await startWorking({ LOOPBOX_FFMPEG: program, LOOPBOX_DRAIN: "2 minutes" })
    const ended = host.stop("SIGTERM")
    await until("draining", async () => {
      const ready = await request(`${host.url}/readyz`)
      return ready.status === 503 && ready.text.includes("draining") ? true : undefined
    })
    assert.strictEqual((await calls.job(id)).status, "processing")
    goOn()
    assert.strictEqual((await ended).code, 0)

    const next = await startHost(folder)
    const key = readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()
    const job = await customer(next.url, key).job(id)
    assert.deepStrictEqual([job.status, job.attempts], ["succeeded", 1])
    assert.strictEqual((await next.stop()).code, 0)
  })

  it("hands a job back that takes longer than the drain, without consuming an attempt", async () => {
    const slow = await slowFfmpeg(folder, 600)
    const { host, id } = await startWorking({
      LOOPBOX_FFMPEG: slow,
      LOOPBOX_DRAIN: "1 second",
      LOOPBOX_LEASE: "10 minutes"
    })
    const asked = performance.now()
    assert.strictEqual((await host.stop("SIGTERM")).code, 0)
    // Far less than the encoding would have taken.
    assert.isBelow(performance.now() - asked, 60_000)

    const next = await startHost(folder)
    const key = readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim()
    // Well before the lease of the first worker would have run out.
    const job = await customer(next.url, key).settled(id)
    assert.deepStrictEqual([job.status, job.attempts], ["succeeded", 1])
    await next.stop()
  })

  it("ends at once at a second signal that comes more than a second after the first", async () => {
    const { host } = await startWorking({ LOOPBOX_FFMPEG: await slowFfmpeg(folder, 600), LOOPBOX_DRAIN: "2 minutes" })
    void host.stop("SIGTERM")
    await until("stopping", () => (host.output().includes('"stopping"') ? true : undefined))
    await sleep(1_100)
    const asked = performance.now()
    const ended = await host.stop("SIGTERM")
    assert.strictEqual(ended.code, 143)
    assert.isBelow(performance.now() - asked, 60_000)
  })
})
