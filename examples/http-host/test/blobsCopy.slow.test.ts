import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { randomBytes } from "node:crypto"
import { existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, it } from "vitest"
import { administrator, customer } from "./support/apiClient.ts"
import { bucketPlace, s3Endpoint, s3Key } from "./support/bucket.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import { type HostProcess, startHost, temporaryFolder, type Variables } from "./support/hostProcess.ts"
import { runCli } from "./support/runCli.ts"
import { makeDatabase } from "./support/testServer.ts"
import { describeUnmoved } from "./support/unmoved.ts"

const places = temporaryFolder()
const { folder } = places
const blobs = join(folder, "blobs")
const adminToken = randomBytes(24).toString("hex")
const gif = Uint8Array.from(animatedGif([10, 20, 30]))

let server: Variables = {}
let host: HostProcess
let key = ""
beforeAll(async () => {
  server = {
    DATABASE_URL: await makeDatabase(),
    LOOPBOX_DATA: join(folder, "data"),
    LOOPBOX_BLOBS: blobs,
    LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
    LOOPBOX_ADMIN_TOKEN: adminToken,
    LOOPBOX_FFMPEG: await ffmpegPath(),
    ...s3Key
  }
  host = await startHost(folder, server)
  const admin = administrator(host.url, adminToken)
  key = await admin.createKey(await admin.createWorkspace("growth"))
})
afterAll(async () => {
  await host.stop("SIGKILL")
  places.remove()
})

const copy = async (to: string, ...more: ReadonlyArray<string>) => {
  const { code, output } = await runCli(["blobs", "copy", "--to", to, ...more], folder, server)
  const numbers = /(\d+) files were copied .*, (\d+) were there already, (\d+) could not/.exec(output)
  return { code, output, counts: numbers?.slice(1, 4).map(Number) }
}

const fileOf = (place: string, mediaId: string): string => {
  const found = readdirSync(place, { recursive: true, encoding: "utf8" }).find((name) => name.includes(mediaId))
  return join(place, found ?? "nothing")
}

describeUnmoved("it copies from a folder")("loopbox blobs copy", () => {
  it("copies to a folder while a host serves, copies the rest when it is run again, and mends what differs", async () => {
    const to = join(folder, "other blobs")
    const calls = customer(host.url, key)
    const first = await calls.upload(gif)
    await calls.settled((await calls.submit(first)).id)
    const once = await copy(to)
    assert.strictEqual(once.code, 0, once.output)
    assert.deepStrictEqual(once.counts, [2, 0, 0])

    const second = await calls.upload(gif)
    truncateSync(fileOf(to, first), 10)
    const again = await copy(to)
    assert.deepStrictEqual(again.counts, [2, 1, 0], again.output)

    // As many bytes as before, and others: only a look at all of them tells.
    writeFileSync(fileOf(to, second), new Uint8Array(gif.length))
    assert.deepStrictEqual((await copy(to)).counts, [0, 3, 0])
    assert.deepStrictEqual((await copy(to, "--verify")).counts, [1, 2, 0])
    assert.deepStrictEqual((await copy(to, "--verify")).counts, [0, 3, 0])
    const files = await runCli(["doctor", "--files"], folder, { ...server, LOOPBOX_BLOBS: to })
    assert.strictEqual(files.code, 0, files.output)
  })

  it("names what could not be copied, and leaves a place that lacks files without the installation's mark", async () => {
    const calls = customer(host.url, key)
    const lost = await calls.upload(gif)
    const damaged = await calls.upload(gif)
    const to = join(folder, "incomplete blobs")
    rmSync(fileOf(blobs, lost))
    writeFileSync(fileOf(blobs, damaged), new Uint8Array(gif.length))
    const { code, output } = await copy(to)
    assert.strictEqual(code, 1, output)
    assert.match(output, new RegExp(`${lost} .*: its place does not have it`))
    assert.match(output, new RegExp(`${damaged} .*: its bytes are not those of its record`))
    assert.isFalse(existsSync(join(to, "INSTALLATION")))
    assert.isFalse(existsSync(fileOf(to, damaged)))
    for (const media of [lost, damaged]) {
      await fetch(`${host.url}/v1/media/${media}`, { method: "DELETE", headers: { authorization: `Bearer ${key}` } })
    }
    assert.strictEqual((await copy(to)).code, 0)
    assert.isTrue(existsSync(join(to, "INSTALLATION")))
  })

  it.skipIf(process.platform !== "linux")("ends where no folder can be made, and names what has named it", async () => {
    for (const to of ["/proc", "/proc/loopbox"]) {
      const { code, output } = await copy(to)
      assert.strictEqual(code, 1)
      assert.include(output, `The blob folder ${to} cannot be used: ENOENT`)
      assert.include(output, "--to names it.")
    }
    const { output } = await copy(join(folder, "other"), "--from", join(folder, "nowhere"))
    assert.include(output, "is --from right?")
  })

  it("refuses a place that is another installation's, the same place, and what is no place", async () => {
    const to = join(folder, "other blobs")
    assert.include((await copy(blobs)).output, "already")
    writeFileSync(join(to, "INSTALLATION"), "another\n")
    assert.include((await copy(to)).output, "belongs to another database")
    const wrong = await copy("gs://bucket")
    assert.strictEqual(wrong.code, 2, wrong.output)
  })

  if (s3Endpoint === undefined) {
    it.skip("LOOPBOX_TEST_S3 names no server: moving to a bucket was not tried")
  } else {
    it("moves a host to a bucket, and back", async () => {
      const place = bucketPlace()
      const calls = customer(host.url, key)
      const media = await calls.upload(gif)
      const first = await copy(place.address)
      assert.strictEqual(first.code, 0, first.output)
      await place.put(String((await place.keys()).find((name) => name.includes(media))), "half of it")
      const late = await calls.upload(gif)
      assert.strictEqual((await host.stop()).code, 0)
      const rest = await copy(place.address, "--verify")
      assert.deepStrictEqual([rest.code, rest.counts?.[0]], [0, 2], rest.output)
      host = await startHost(folder, { ...server, LOOPBOX_BLOBS: place.address })
      for (const one of [media, late]) assert.deepStrictEqual(await customer(host.url, key).download(one), gif)
      const there = await customer(host.url, key).upload(gif)
      await host.stop()
      const back = await copy(join(folder, "back"), "--from", place.address, "--verify")
      assert.strictEqual(back.code, 0, back.output)
      host = await startHost(folder, { ...server, LOOPBOX_BLOBS: join(folder, "back") })
      assert.deepStrictEqual(await customer(host.url, key).download(there), gif)
    })
  }
})
