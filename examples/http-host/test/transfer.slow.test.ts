import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it, onTestFinished } from "vitest"
import { customer } from "./support/apiClient.ts"
import { startHost } from "./support/hostProcess.ts"
import { makeDatabase } from "./support/testServer.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"
import { describeUnmoved } from "./support/unmoved.ts"

const places = await preparedFolder()
afterAll(places.remove)
const { folder } = places
const read = (name: string): string => readFileSync(join(folder, ".loopbox", name), "utf8").trim()

describe("loopbox db", () => {
  it("exports a database while its host runs", async () => {
    const { folder: own, remove } = await preparedFolder()
    onTestFinished(remove)
    const host = await startHost(own)
    onTestFinished(async () => void (await host.stop()))
    const exported = await runCli(["db", "export", "running.loopbox", "--json"], own)
    assert.strictEqual(exported.code, 0, exported.output)
    assert.isAbove(JSON.parse(exported.output).rows, 0)
    const migrated = await runCli(["migrate"], own)
    assert.include(migrated.output, "up to date")
  })
})

describeUnmoved("it moves from the embedded server")("loopbox db import", () => {
  it("moves an embedded database to a server, where jobs and files are as they were", async () => {
    const before = await startHost(folder)
    const key = read("demo-key")
    const calls = customer(before.url, key)
    const job = await calls.settled((await calls.submit(await calls.upload(Uint8Array.from(animatedGif([10, 20]))))).id)
    assert.strictEqual(job.status, "succeeded")
    const busy = await runCli(["db", "upgrade"], folder)
    assert.include(busy.output, "PostgreSQL 18 already")
    await before.stop()

    const exported = await runCli(["db", "export", "moved.loopbox", "--json"], folder)
    assert.strictEqual(exported.code, 0, exported.output)
    const server = { DATABASE_URL: await makeDatabase(), LOOPBOX_SECRET_KEYS: read("secret-keys") }
    const imported = await runCli(["db", "import", "moved.loopbox", "--json"], folder, server)
    assert.strictEqual(imported.code, 0, imported.output)
    assert.strictEqual(JSON.parse(imported.output).rows, JSON.parse(exported.output).rows)
    const again = await runCli(["db", "import", "moved.loopbox"], folder, server)
    assert.strictEqual(again.code, 1)
    assert.include(again.output, "has data already")

    cpSync(join(folder, ".loopbox", "blobs"), join(folder, "moved blobs"), { recursive: true })
    const after = await startHost(folder, { ...server, LOOPBOX_BLOBS: "moved blobs", LOOPBOX_DATA: "other" })
    const moved = customer(after.url, key)
    assert.deepStrictEqual(await moved.job(job.id), job)
    assert.isAbove((await moved.download(job.output_media_id ?? "")).length, 1000)
    assert.strictEqual((await after.stop()).code, 0)
  })
})
