import { assert } from "@effect/vitest"
import { bigGifChunks, joinBytes } from "@loopbox/testing/fakes/gifSamples"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { customer } from "./support/apiClient.ts"
import { peakMemory_MiB, startHost } from "./support/hostProcess.ts"
import { movedTo } from "./support/movedTo.ts"
import { preparedFolder } from "./support/preparedFolder.ts"

const places = await preparedFolder()
afterAll(places.remove)
const { folder } = places

/** With files in a bucket 272 MB were measured: AWS' client takes 20, and each write to one holds a part of 5. */
const limit_MB = movedTo.s3 === undefined ? 250 : 300

describe("memory of loopbox serve", () => {
  it(`stays under ${limit_MB} MB while 4 uploads of 50 MB and 2 conversions run`, async () => {
    const host = await startHost(folder, { LOOPBOX_CONVERSIONS_AT_ONCE: "2" })
    const calls = customer(host.url, readFileSync(join(folder, ".loopbox", "demo-key"), "utf8").trim())
    const gif = Uint8Array.from(joinBytes(bigGifChunks(50 * 1024 * 1024)))
    const idle = peakMemory_MiB(host.pid)
    const sources = [await calls.upload(gif), await calls.upload(gif)]
    const jobs = await Promise.all(sources.map((source) => calls.submit(source)))
    await Promise.all([1, 2, 3, 4].map(() => calls.upload(gif)))
    const ended = await Promise.all(jobs.map(({ id }) => calls.settled(id, 300_000)))
    for (const job of ended) assert.strictEqual(job.status, "succeeded", JSON.stringify(job.error))
    const peak = peakMemory_MiB(host.pid)
    console.info(`VmHWM: ${Math.round(idle)} MiB idle, ${Math.round(peak)} MiB at most`)
    assert.isBelow(peak * 1.048_576, limit_MB)
    await host.stop()
  })
})
